#include "api/rules/validate.h"

namespace slipway::api {

namespace {

// A null stands for "not there" where the schema does not allow null.
void drop_null(json::Object& object, const Field& field) {
  const json::Value* found = object.if_contains(field.name);
  if (found != nullptr && found->is_null() && !field.type->nullable &&
      field.type->shape != Shape::kAny) {
    json::erase(object, field.name);
  }
}

}  // namespace

void set_defaults(json::Object& object, const Schema& schema) {
  for (const Field& field : schema.fields) {
    if (!field.default_value) continue;
    json::Value* found = object.if_contains(field.name);
    if (found == nullptr)
      object.emplace(field.name, *field.default_value);
    else if (found->is_null() && !field.type->nullable)
      *found = *field.default_value;
  }
  bool nulls = false;
  for (auto& entry : object) {
    if (entry.value().is_null())
      nulls = true;
    else if (const Field* field = schema.find(entry.key()))
      set_defaults(entry.value(), *field->type);
  }
  if (!nulls) return;
  for (const Field& field : schema.fields) drop_null(object, field);
}

void set_defaults(json::Value& value, const Schema& schema) {
  if (value.is_object()) {
    if (!schema.fields.empty()) return set_defaults(value.get_object(), schema);
    if (schema.shape != Shape::kMap) return;
    for (auto& entry : value.get_object()) set_defaults(entry.value(), *schema.element);
  } else if (value.is_array() && schema.shape == Shape::kList) {
    for (json::Value& item : value.get_array()) set_defaults(item, *schema.element);
  }
}

}  // namespace slipway::api
