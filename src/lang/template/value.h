#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

// What a template computes with: Go's values as far as JSON data, constants and our dialects make
// them. Values only point at data; whoever executes a template keeps it alive.
namespace slipway::lang::go {

struct Struct;

// A stretch of a JSON array: []interface {}.
struct List {
  const json::Array* items = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t capacity = 0;  // where slicing must stop, counted from begin
  bool ints = false;         // see Value::of
  std::size_t size() const { return end - begin; }
};

// A JSON object: map[string]interface {}, or map[string]string when `strings` (then all its values
// are strings).
struct Map {
  const json::Object* entries = nullptr;
  bool strings = false;
  bool ints = false;
};

struct Nil {};

class Value {
 public:
  // In the order of Data. kInvalid is Go's "no value at all"; kNil is an interface that holds none.
  enum class Kind {
    kInvalid,
    kNil,
    kBool,
    kInt,
    kUint,
    kByte,
    kFloat,
    kComplex,
    kString,
    kList,
    kMap,
    kStruct
  };
  using Data =
      std::variant<std::monostate, Nil, bool, std::int64_t, std::uint64_t, std::uint8_t, double,
                   std::complex<double>, std::string_view, List, Map, const Struct*>;

  Value() = default;
  template <class T>
  explicit Value(T held) : data_(std::move(held)) {}

  // As Go's encoding/json reads it: null is no value, and every number a float64; with `ints`,
  // integers are int, those beyond it uint64.
  static Value of(const json::Value& json, bool ints);
  // The same found inside a list or map: behind an interface{}.
  static Value element(const json::Value& json, bool ints);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool valid() const { return kind() != Kind::kInvalid; }
  bool is(Kind wanted) const { return kind() == wanted; }
  // Whether Go would hold it in an interface{}; errors and `slice` can tell.
  bool boxed() const { return boxed_ || kind() == Kind::kNil; }
  Value unboxed() const;

  template <class T>
  const T& as() const {
    return std::get<T>(data_);
  }

 private:
  Data data_;
  bool boxed_ = false;
};

// A Go struct of a dialect, and what it prints as when it is a fmt.Stringer.
struct Struct {
  struct Field {
    std::string name;
    Value value;
  };
  std::string type;
  std::vector<Field> fields = {};
  std::optional<std::string> text = {};

  const Value* find(std::string_view name) const;
};

// "float64", "map[string]interface {}"; of a boxed value "interface {}". Not for kInvalid.
std::string type_name(const Value& value);
// What {{if}} goes by.
bool truth(const Value& value);

Value item_at(const List& list, std::size_t index);  // index < capacity
std::optional<Value> entry_at(const Map& map, std::string_view key);
// The zero of the map's element type.
Value zero_entry(const Map& map);
// Sorted by key, bytewise.
std::vector<std::pair<std::string_view, Value>> sorted_entries(const Map& map);

}  // namespace slipway::lang::go
