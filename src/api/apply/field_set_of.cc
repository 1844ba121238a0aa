#include "api/apply/field_set.h"
#include "api/apply/typed_value.h"

namespace slipway::api {

namespace {

FieldSet fields_of(const json::Value& value, const Schema* schema);

FieldSet fields_of_items(const json::Array& array, const Schema& list) {
  FieldSet out;
  std::vector<ListItem> items = sorted_items_of(list, array);
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    while (end < items.size() && items[end].element == items[i].element) ++end;
    // Items that share their key are one member without parts.
    FieldSet below = end == i + 1 ? fields_of(*items[i].value, list.element) : FieldSet();
    below.member = true;
    out.grow(std::move(items[i].element), std::move(below));
    i = end;
  }
  return out;
}

FieldSet fields_of_map(const json::Object& object, const Schema* schema) {
  FieldSet out;
  for (const auto& [key, value] : object) {
    FieldSet below = fields_of(value, member_type(schema, key));
    bool bare = value.is_null() || (value.is_object() && value.get_object().empty());
    if (bare || !is_named_field(schema, key)) below.member = true;
    out.grow(PathElement::field(key), std::move(below));
  }
  out.settle();
  return out;
}

FieldSet fields_of(const json::Value& value, const Schema* schema) {
  FieldSet leaf;
  leaf.member = true;
  switch (form_of(schema, &value)) {
    case Form::kScalar:
      return leaf;
    case Form::kList:
      if (is_atomic_list(schema)) return leaf;
      return value.is_array() ? fields_of_items(value.get_array(), *schema) : FieldSet();
    case Form::kMap:
      if (is_atomic_map(schema)) return leaf;
      return value.is_object() ? fields_of_map(value.get_object(), schema) : FieldSet();
  }
  return {};
}

}  // namespace

FieldSet field_set_of(const json::Object& object, const Schema* schema) {
  return fields_of_map(object, schema);
}

}  // namespace slipway::api
