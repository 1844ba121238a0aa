#include "lang/expr/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lang/expr/failure.h"
#include "lang/expr/limits.h"

namespace slipway::lang::expr {

namespace {

template <class T>
std::shared_ptr<const T> share(T value) {
  return std::make_shared<const T>(std::move(value));
}

int checked_depth(int deepest) {
  if (deepest >= kMaxValueDepth)
    panic("a value is nested deeper than " + std::to_string(kMaxValueDepth));
  return deepest + 1;
}

// Go finds out in two places: an empty map does not get as far as hashing.
void require_hashable(const Value& key, bool looked_up_in_empty) {
  if (key.has(Kind::kSlice) || key.has(Kind::kMap) || key.has(Kind::kFunc))
    panic((looked_up_in_empty ? "hash of unhashable type: "
                              : "runtime error: hash of unhashable type ") +
          key.type_name());
  if (key.depth() > kMaxKeyDepth)
    panic("a key is nested deeper than " + std::to_string(kMaxKeyDepth));
  if (key.has(Kind::kArray))
    for (const Value& item : key.items()) require_hashable(item, looked_up_in_empty);
}

bool is_nan_key(const Value& key) { return key.has(Kind::kFloat64) && std::isnan(key.number()); }

Value number_from_json(const json::Value& json, bool ints) {
  if (ints && json.is_int64()) return Value(json.get_int64());
  if (json.is_int64()) return Value(static_cast<double>(json.get_int64()));
  if (json.is_uint64()) return Value(static_cast<double>(json.get_uint64()));
  return Value(json.get_double());
}

// Providers give []float64 as the whole result only; what is inside came from JSON.
const Type* type_of_result(const std::vector<Value>& items) {
  const auto all = [&](Kind kind) {
    return std::ranges::all_of(items, [kind](const Value& item) { return item.has(kind); });
  };
  if (all(Kind::kFloat64)) return types().numbers;
  return all(Kind::kInt) ? types().integers : types().anys;
}

Value nested_from_json(const json::Value& json, bool ints, bool outermost) {
  switch (json.kind()) {
    case boost::json::kind::null:
      return {};
    case boost::json::kind::bool_:
      return Value(json.get_bool());
    case boost::json::kind::string:
      return Value(std::string(json.get_string()));
    case boost::json::kind::array: {
      std::vector<Value> items;
      for (const json::Value& item : json.get_array())
        items.push_back(nested_from_json(item, ints, false));
      const Type* type = outermost ? type_of_result(items) : types().anys;
      return Value::list(type, std::move(items));
    }
    case boost::json::kind::object: {
      Map entries;
      for (const auto& [key, value] : json.get_object())
        entries.put(Value(std::string(key)), nested_from_json(value, ints, false));
      return Value::map(types().object, std::move(entries));
    }
    default:
      return number_from_json(json, ints);
  }
}

}  // namespace

Moment Moment::of(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {.seconds = seconds.time_since_epoch().count(),
          .nanoseconds = static_cast<std::int32_t>((time - seconds).count())};
}

std::strong_ordering Moment::compare(const Moment& other) const {
  if (const auto order = seconds <=> other.seconds; order != 0) return order;
  return nanoseconds <=> other.nanoseconds;
}

Value::Value(bool value) : type_(types().boolean), data_(value) {}
Value::Value(std::int64_t value) : type_(types().integer), data_(value) {}
Value::Value(double value) : type_(types().number), data_(value) {}
Value::Value(std::string value) : type_(types().text), data_(share(std::move(value))) {}

Value Value::integer(const Type* type, std::int64_t value) {
  Value made(value);
  made.type_ = type;
  return made;
}

Value Value::bytes(std::string value) {
  std::vector<Value> items;
  for (const char c : value) items.push_back(integer(types().byte, static_cast<unsigned char>(c)));
  return list(types().bytes, std::move(items));
}

Value Value::list(const Type* type, std::vector<Value> items) {
  int deepest = 0;
  for (const Value& item : items) deepest = std::max(deepest, item.depth());
  Value made;
  made.type_ = type;
  made.data_ = share(List{.items = std::move(items), .depth = checked_depth(deepest)});
  return made;
}

Value Value::map(const Type* type, Map entries) {
  int deepest = 0;
  for (const auto& [key, value] : entries.items)
    deepest = std::max({deepest, key.depth(), value.depth()});
  entries.depth = checked_depth(deepest);
  Value made;
  made.type_ = type;
  made.data_ = share(std::move(entries));
  return made;
}

Value Value::nil_of(const Type* type) {
  Value made;
  made.type_ = type;
  if (type->is_list())
    made.data_ = std::shared_ptr<const List>();
  else
    made.data_ = std::shared_ptr<const Map>();
  return made;
}

Value Value::moment(Moment moment) {
  Value made;
  made.type_ = types().time;
  made.data_ = share(std::move(moment));
  return made;
}

Value Value::zone(std::string name) {
  Value made(std::move(name));
  made.type_ = types().location;
  return made;
}

Value Value::function(const Type* type, Function function) {
  Value made;
  made.type_ = type;
  made.data_ = share(std::move(function));
  return made;
}

Value Value::from_json(const json::Value& json, bool ints) {
  return nested_from_json(json, ints, true);
}

std::string Value::type_name() const { return type_ ? type_->name : "<nil>"; }

bool Value::is_nil() const {
  if (!type_) return true;
  return (has(Kind::kSlice) || has(Kind::kMap)) && !address();
}

double Value::as_number() const {
  return has(Kind::kFloat64) ? number() : static_cast<double>(integer());
}

std::int64_t Value::as_integer() const {
  if (!has(Kind::kFloat64)) return integer();
  const double value = number();
  // What the processor that Go compiles for answers when the number does not fit.
  constexpr double kTwo63 = 9223372036854775808.0;
  if (!(value >= -kTwo63 && value < kTwo63)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

const std::vector<Value>& Value::items() const {
  static const std::vector<Value> none;
  const auto& list = std::get<std::shared_ptr<const List>>(data_);
  return list ? list->items : none;
}

const Map& Value::entries() const {
  static const Map none;
  const auto& map = std::get<std::shared_ptr<const Map>>(data_);
  return map ? *map : none;
}

const void* Value::address() const {
  return std::visit(
      [](const auto& held) -> const void* {
        if constexpr (requires { held.get(); })
          return held.get();
        else
          return nullptr;
      },
      data_);
}

int Value::depth() const {
  if (const auto* list = std::get_if<std::shared_ptr<const List>>(&data_))
    return *list ? (*list)->depth : 1;
  if (const auto* map = std::get_if<std::shared_ptr<const Map>>(&data_))
    return *map ? (*map)->depth : 1;
  return 0;
}

bool KeyLess::operator()(const Value& a, const Value& b) const {
  if (a.type() != b.type()) {
    if (!a.type() || !b.type()) return !a.type();
    return a.type()->name < b.type()->name;
  }
  if (!a.type()) return false;
  switch (a.type()->kind) {
    case Kind::kBool:
      return a.boolean() < b.boolean();
    case Kind::kString:
    case Kind::kPtr:
      return a.text() < b.text();
    case Kind::kFloat64: {
      if (std::isnan(a.number()) || std::isnan(b.number()))
        return std::isnan(a.number()) && !std::isnan(b.number());
      return a.number() < b.number();
    }
    case Kind::kStruct:
      return a.type() == types().time && a.moment().compare(b.moment()) < 0;
    case Kind::kArray:
      return std::ranges::lexicographical_compare(a.items(), b.items(), KeyLess());
    default:
      return a.integer() < b.integer();
  }
}

const Value* Map::find(const Value& key) const {
  require_hashable(key, items.empty());
  if (is_nan_key(key)) return nullptr;
  const auto found = items.find(key);
  return found == items.end() ? nullptr : &found->second;
}

void Map::put(const Value& key, Value value) {
  require_hashable(key, false);
  const auto found = is_nan_key(key) ? items.end() : items.find(key);
  if (found == items.end())
    items.emplace(key, std::move(value));
  else
    found->second = std::move(value);
}

}  // namespace slipway::lang::expr
