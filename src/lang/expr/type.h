#pragma once

#include <string>
#include <string_view>
#include <vector>

// The Go types that values of a condition can have. Their names appear in messages, and whether two
// values compare depends on them, so they are kept exactly.
namespace slipway::lang::expr {

enum class Kind {
  kBool,
  kInt,
  kInt64,
  kUint8,
  kFloat64,
  kString,
  kSlice,
  kArray,
  kMap,
  kFunc,
  kStruct,
  kInterface,
  kPtr,
};

// There is one object a type for the life of the program: types are compared by address.
struct Type {
  Kind kind = Kind::kInterface;
  std::string name = {};               // "map[string]interface {}"
  const Type* key = nullptr;           // of maps
  const Type* elem = nullptr;          // of slices, arrays, maps
  std::vector<const Type*> in = {};    // of functions; the last of a variadic one is a slice
  std::vector<const Type*> out = {};   // of functions
  bool variadic = false;               // func(...T)
  std::string_view package_path = {};  // "time" for time.Duration; empty for Go's own types

  bool is_integer() const;  // a Go integer type without a name of its own
  bool is_float() const { return kind == Kind::kFloat64; }
  bool is_number() const { return is_integer() || is_float(); }
  bool is_list() const { return kind == Kind::kSlice || kind == Kind::kArray; }
};

// "slice", "ptr": as reflect.Kind prints.
std::string_view kind_name(Kind kind);

// The type of that name, which must be one of those that conditions know (type.cc).
const Type* type_named(std::string_view name);

// The often used ones.
struct Types {
  const Type* any = type_named("interface {}");
  const Type* boolean = type_named("bool");
  const Type* integer = type_named("int");
  const Type* int64 = type_named("int64");
  const Type* byte = type_named("uint8");
  const Type* number = type_named("float64");
  const Type* text = type_named("string");
  const Type* bytes = type_named("[]uint8");
  const Type* anys = type_named("[]interface {}");
  const Type* integers = type_named("[]int");
  const Type* numbers = type_named("[]float64");
  const Type* texts = type_named("[]string");
  const Type* object = type_named("map[string]interface {}");
  const Type* any_map = type_named("map[interface {}]interface {}");
  const Type* groups = type_named("map[interface {}][]interface {}");
  const Type* integer_set = type_named("map[int]struct {}");
  const Type* text_set = type_named("map[string]struct {}");
  const Type* empty = type_named("struct {}");
  const Type* pairs = type_named("[][2]interface {}");
  const Type* pair = type_named("[2]interface {}");
  const Type* time = type_named("time.Time");
  const Type* duration = type_named("time.Duration");
  const Type* month = type_named("time.Month");
  const Type* weekday = type_named("time.Weekday");
  const Type* location = type_named("*time.Location");
};
const Types& types();

// Go's rule: identical, or the target is `interface {}`.
inline bool assignable(const Type* from, const Type* to) {
  return from == to || to->kind == Kind::kInterface;
}

}  // namespace slipway::lang::expr
