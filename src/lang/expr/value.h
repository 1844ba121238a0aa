#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "lang/expr/type.h"

namespace slipway::lang::expr {

class Value;
struct List;
struct Map;

// A moment since 1970, as far off as year 0, and the zone it is shown in.
struct Moment {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;  // never negative
  std::int32_t offset = 0;       // seconds east of Greenwich
  std::string zone = "UTC";

  static Moment of(Time time);
  std::strong_ordering compare(const Moment& other) const;
};

// A function of the environment, or a method bound to the value it was taken from.
struct Function {
  std::string name;
  std::shared_ptr<const Value> receiver = nullptr;
};

// A value with its Go type. Cheap to copy: texts, lists and maps are shared and never change.
class Value {
 public:
  Value() = default;  // nil
  explicit Value(bool value);
  explicit Value(std::int64_t value);  // Go's int
  explicit Value(double value);
  explicit Value(std::string value);
  explicit Value(std::string_view value) : Value(std::string(value)) {}
  explicit Value(const char* value) : Value(std::string(value)) {}
  static Value integer(const Type* type, std::int64_t value);  // int64, uint8, time.Duration, …
  static Value bytes(std::string value);
  static Value list(const Type* type, std::vector<Value> items);
  static Value map(const Type* type, Map entries);
  static Value nil_of(const Type* type);  // a slice or map that is nil, but has a type
  static Value moment(Moment moment);
  static Value zone(std::string name);
  static Value function(const Type* type, Function function);

  // What a provider gives: numbers are floats, a list of numbers alone is a []float64, any other a
  // []interface {}. With `ints`, numbers without point or exponent are ints, and lists of them
  // []int.
  static Value from_json(const json::Value& json, bool ints = false);

  const Type* type() const { return type_; }  // nullptr for nil
  std::string type_name() const;              // as %T prints; "<nil>" for nil
  bool has(Kind kind) const { return type_ && type_->kind == kind; }
  bool is_nil() const;  // nil, or a slice or map that is nil
  bool is_number() const { return type_ && type_->is_number(); }
  bool is_list() const { return type_ && type_->is_list(); }

  // Only for values that hold one of these.
  bool boolean() const { return std::get<bool>(data_); }
  std::int64_t integer() const { return std::get<std::int64_t>(data_); }
  double number() const { return std::get<double>(data_); }
  double as_number() const;         // of any number
  std::int64_t as_integer() const;  // of any number, cut off as Go does
  const std::string& text() const { return *std::get<std::shared_ptr<const std::string>>(data_); }
  const std::vector<Value>& items() const;
  const Map& entries() const;
  const Moment& moment() const { return *std::get<std::shared_ptr<const Moment>>(data_); }
  const Function& function() const { return *std::get<std::shared_ptr<const Function>>(data_); }
  Duration duration() const { return Duration(integer()); }

  const void* address() const;  // of what is shared, to see that two are the same
  int depth() const;            // of lists and maps within each other

 private:
  const Type* type_ = nullptr;
  std::variant<std::monostate, bool, std::int64_t, double, std::shared_ptr<const std::string>,
               std::shared_ptr<const List>, std::shared_ptr<const Map>,
               std::shared_ptr<const Moment>, std::shared_ptr<const Function>>
      data_;
};

struct List {
  std::vector<Value> items;
  int depth = 1;
};

// Go's order of map keys when printed; NaN stands before other numbers.
struct KeyLess {
  bool operator()(const Value& a, const Value& b) const;
};

// Iterates in key order, where Go's order is random.
struct Map {
  std::multimap<Value, Value, KeyLess> items = {};  // several only for NaN, which is never found
  int depth = 1;

  // Both panic for a key that cannot be hashed.
  const Value* find(const Value& key) const;
  void put(const Value& key, Value value);
};

}  // namespace slipway::lang::expr
