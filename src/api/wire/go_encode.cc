#include "api/wire/go_types.h"

namespace slipway::api {

namespace {

bool is_empty(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return true;
    case boost::json::kind::bool_:
      return !value.get_bool();
    case boost::json::kind::int64:
      return value.get_int64() == 0;
    case boost::json::kind::uint64:
      return value.get_uint64() == 0;
    case boost::json::kind::double_:
      return value.get_double() == 0;
    case boost::json::kind::string:
      return value.get_string().empty();
    case boost::json::kind::array:
      return value.get_array().empty();
    case boost::json::kind::object:
      return value.get_object().empty();
  }
  return false;
}

// Go keeps these as structs, which omitempty never leaves out.
bool is_struct(const Schema& schema) {
  switch (schema.shape) {
    case Shape::kObject:
    case Shape::kTime:
    case Shape::kMicroTime:
    case Shape::kQuantity:
    case Shape::kIntOrString:
      return true;
    default:
      return false;
  }
}

json::Value zero_of(const Schema& schema) {
  switch (schema.shape) {
    case Shape::kString:
      return "";
    case Shape::kInt32:
    case Shape::kInt64:
    case Shape::kDouble:
    case Shape::kIntOrString:
      return 0;
    case Shape::kBool:
      return false;
    case Shape::kQuantity:
      return "0";
    case Shape::kObject: {
      json::Object object;
      go_encode(object, schema);
      return object;
    }
    default:
      return nullptr;
  }
}

void encode_value(json::Value& value, const Schema& schema) {
  if (value.is_object()) {
    if (schema.shape == Shape::kObject) go_encode(value.get_object(), schema);
    if (schema.shape != Shape::kMap) return;
    for (auto& entry : value.get_object()) encode_value(entry.value(), *schema.element);
  } else if (value.is_array() && schema.shape == Shape::kList) {
    for (json::Value& item : value.get_array()) encode_value(item, *schema.element);
  }
}

void encode_missing(json::Object& object, const Field& field) {
  bool written = field.pointer ? !field.omit_empty : !field.omit_empty || is_struct(*field.type);
  if (!written || field.omit_zero) return;
  object.emplace(field.name, field.pointer ? json::Value(nullptr) : zero_of(*field.type));
}

}  // namespace

void go_encode(json::Object& object, const Schema& schema) {
  for (const Field& field : schema.fields) {
    json::Value* value = object.if_contains(field.name);
    if (value == nullptr) {
      encode_missing(object, field);
      continue;
    }
    encode_value(*value, *field.type);
    bool droppable =
        !field.pointer && (field.omit_empty || field.omit_zero) && field.type->shape != Shape::kAny;
    bool kept_struct = is_struct(*field.type) && !field.omit_zero;
    if (droppable && !kept_struct && is_empty(*value)) json::erase(object, field.name);
  }
}

}  // namespace slipway::api
