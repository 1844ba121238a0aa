#include "api/apply/typed_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

// The value of a key that an item leaves out, or null. openapi-gen gives each scalar that Go always
// writes its zero as the default; the table of built-in kinds does not spell those out.
const json::Value* default_key(const Schema* type, std::string_view name) {
  const Field* field = type == nullptr ? nullptr : type->find(name);
  if (field == nullptr) return nullptr;
  if (field->default_value) return &*field->default_value;
  bool generated = type->name.starts_with("io.k8s.") && !type->name.starts_with("io.k8s.sigs.");
  if (!generated || field->omit_empty || field->pointer) return nullptr;
  const json::Value* zero = go_zero(*field);
  return zero == nullptr || zero->is_null() || zero->is_object() ? nullptr : zero;
}

Result<PathElement> key_of(const Schema& list, const json::Value& item) {
  if (item.is_null())
    return fail(ErrorCode::kInvalid, "associative list with keys may not have a null element");
  if (!item.is_object())
    return fail(ErrorCode::kInvalid, "associative list with keys may not have non-map elements");
  std::vector<const std::string*> names;
  names.reserve(list.map_keys.size());
  for (const std::string& name : list.map_keys) names.push_back(&name);
  std::ranges::sort(names, {}, [](const std::string* name) { return std::string_view(*name); });

  std::string text = "{";
  for (const std::string* name : names) {
    const json::Value* value = item.get_object().if_contains(*name);
    if (value == nullptr) value = default_key(list.element, *name);
    if (value == nullptr) continue;
    if (text.size() > 1) text += ',';
    json::append_string(text, *name, true);
    text += ':';
    json::append(text, *value, {.escape_html = true, .sort_keys = true});
  }
  if (text.size() == 1) {
    std::string quoted;
    for (const std::string& name : list.map_keys)
      quoted += (quoted.empty() ? "" : " ") + go_quoted(name);
    return fail(ErrorCode::kInvalid, fmt::format("associative list with keys has an element that "
                                                 "omits all key fields [{}] (and doesn't have "
                                                 "default values for any key fields)",
                                                 quoted));
  }
  return PathElement{PathElement::Kind::kKey, text + "}"};
}

}  // namespace

Form form_of(const Schema* schema, const json::Value* value) {
  if (is_undescribed(schema)) {
    if (value == nullptr || value->is_null() || value->is_object()) return Form::kMap;
    return value->is_array() ? Form::kList : Form::kScalar;
  }
  switch (schema->shape) {
    case Shape::kObject:
    case Shape::kMap:
      return Form::kMap;
    case Shape::kList:
      return Form::kList;
    default:
      return Form::kScalar;
  }
}

const Schema* member_type(const Schema* schema, std::string_view key) {
  if (is_undescribed(schema)) return nullptr;
  if (schema->shape == Shape::kMap) return schema->element;
  const Field* field = schema->find(key);
  return field == nullptr ? nullptr : field->type;
}

bool is_named_field(const Schema* schema, std::string_view key) {
  return schema != nullptr && schema->shape == Shape::kObject && schema->find(key) != nullptr;
}

const json::Value* go_zero(const Field& field) {
  static const json::Value kNull = nullptr;
  static const json::Value kStruct = json::Object();
  static const json::Value kText = "";
  static const json::Value kNumber = 0;
  static const json::Value kFalse = false;
  static const json::Value kQuantity = "0";
  if (field.omit_zero) return nullptr;
  if (field.pointer || field.type == nullptr) return field.omit_empty ? nullptr : &kNull;
  switch (field.type->shape) {  // structs are never empty to Go, so omitempty does not touch them
    case Shape::kObject:
      return &kStruct;
    case Shape::kTime:
    case Shape::kMicroTime:
      return &kNull;
    case Shape::kQuantity:
      return &kQuantity;
    case Shape::kIntOrString:
      return &kNumber;
    default:
      break;
  }
  if (field.omit_empty) return nullptr;
  switch (field.type->shape) {
    case Shape::kString:
      return &kText;
    case Shape::kInt32:
    case Shape::kInt64:
    case Shape::kDouble:
      return &kNumber;
    case Shape::kBool:
      return &kFalse;
    default:
      return &kNull;
  }
}

Result<PathElement> element_of(const Schema& list, const json::Value& item) {
  if (list.list_type == ListType::kMap) return key_of(list, item);
  if (item.is_object())
    return fail(ErrorCode::kInvalid,
                "associative list without keys has an element that's a map type");
  if (item.is_array())
    return fail(ErrorCode::kInvalid, "not supported: associative list with lists as elements");
  if (item.is_null())
    return fail(ErrorCode::kInvalid,
                "associative list without keys has an element that's an explicit null");
  return PathElement::value(item);
}

std::vector<ListItem> items_of(const Schema& list, const json::Array& array) {
  std::vector<ListItem> items;
  items.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i)
    if (auto element = element_of(list, array[i]))
      items.push_back({std::move(*element), &array[i], i});
  return items;
}

std::vector<ListItem> sorted_items_of(const Schema& list, const json::Array& array) {
  std::vector<ListItem> items = items_of(list, array);
  std::ranges::sort(items, [](const ListItem& a, const ListItem& b) {
    auto order = a.element <=> b.element;
    return order != 0 ? order < 0 : a.index < b.index;
  });
  return items;
}

}  // namespace slipway::api
