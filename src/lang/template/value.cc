#include "lang/template/value.h"

#include <algorithm>

namespace slipway::lang::go {
namespace {

using Kind = Value::Kind;

std::string_view view(const json::String& text) { return {text.data(), text.size()}; }

Value entry(const Map& map, const json::Value& held) {
  return map.strings ? Value::of(held, false) : Value::element(held, map.ints);
}

}  // namespace

Value Value::of(const json::Value& json, bool ints) {
  switch (json.kind()) {
    case boost::json::kind::null:
      return {};
    case boost::json::kind::bool_:
      return Value(json.get_bool());
    case boost::json::kind::int64:
      return ints ? Value(json.get_int64()) : Value(static_cast<double>(json.get_int64()));
    case boost::json::kind::uint64:
      return ints ? Value(json.get_uint64()) : Value(static_cast<double>(json.get_uint64()));
    case boost::json::kind::double_:
      return Value(json.get_double());
    case boost::json::kind::string:
      return Value(view(json.get_string()));
    case boost::json::kind::array: {
      const json::Array& items = json.get_array();
      return Value(List{.items = &items,
                        .begin = 0,
                        .end = items.size(),
                        .capacity = items.size(),
                        .ints = ints});
    }
    case boost::json::kind::object:
      return Value(Map{.entries = &json.get_object(), .strings = false, .ints = ints});
  }
  return {};
}

Value Value::element(const json::Value& json, bool ints) {
  Value value = json.is_null() ? Value(Nil{}) : of(json, ints);
  value.boxed_ = true;
  return value;
}

Value Value::unboxed() const {
  if (is(Kind::kNil)) return {};
  Value value = *this;
  value.boxed_ = false;
  return value;
}

const Value* Struct::find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &found->value;
}

std::string type_name(const Value& value) {
  if (value.boxed()) return "interface {}";
  switch (value.kind()) {
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kUint:
      return "uint64";
    case Kind::kByte:
      return "uint8";
    case Kind::kFloat:
      return "float64";
    case Kind::kComplex:
      return "complex128";
    case Kind::kString:
      return "string";
    case Kind::kList:
      return "[]interface {}";
    case Kind::kMap:
      return value.as<Map>().strings ? "map[string]string" : "map[string]interface {}";
    case Kind::kStruct:
      return value.as<const Struct*>()->type;
    case Kind::kInvalid:
    case Kind::kNil:
      break;
  }
  return "nil";
}

bool truth(const Value& value) {
  switch (value.kind()) {
    case Kind::kInvalid:
    case Kind::kNil:
      return false;
    case Kind::kBool:
      return value.as<bool>();
    case Kind::kInt:
      return value.as<std::int64_t>() != 0;
    case Kind::kUint:
      return value.as<std::uint64_t>() != 0;
    case Kind::kByte:
      return value.as<std::uint8_t>() != 0;
    case Kind::kFloat:
      return value.as<double>() != 0;
    case Kind::kComplex:
      return value.as<std::complex<double>>() != 0.0;
    case Kind::kString:
      return !value.as<std::string_view>().empty();
    case Kind::kList:
      return value.as<List>().size() > 0;
    case Kind::kMap:
      return !value.as<Map>().entries->empty();
    case Kind::kStruct:
      return true;
  }
  return false;
}

Value item_at(const List& list, std::size_t index) {
  return Value::element((*list.items)[list.begin + index], list.ints);
}

std::optional<Value> entry_at(const Map& map, std::string_view key) {
  const json::Value* held = map.entries->if_contains({key.data(), key.size()});
  if (held == nullptr) return std::nullopt;
  return entry(map, *held);
}

Value zero_entry(const Map& map) { return map.strings ? Value(std::string_view()) : Value(Nil{}); }

std::vector<std::pair<std::string_view, Value>> sorted_entries(const Map& map) {
  std::vector<std::pair<std::string_view, Value>> out;
  out.reserve(map.entries->size());
  for (const auto& [key, held] : *map.entries)
    out.emplace_back(std::string_view(key.data(), key.size()), entry(map, held));
  std::ranges::sort(out, {}, [](const auto& item) { return item.first; });
  return out;
}

}  // namespace slipway::lang::go
