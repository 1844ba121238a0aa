#include "server/swagger_proto.h"

#include "server/proto_writer.h"

namespace slipway::server {
namespace {

using Encode = std::string (*)(const json::Value&);

std::string_view text_of(const json::Object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

const json::Object& object_of(const json::Value& value) {
  static const json::Object kEmpty;
  return value.is_object() ? value.get_object() : kEmpty;
}

// Any{yaml}: JSON is YAML.
std::string any(const json::Value& value) {
  ProtoWriter out;
  out.text(2, json::write(value));
  return out.take();
}

// Named…{name, value} for each member of a map.
void named(ProtoWriter& out, int field, const json::Value* map, Encode encode) {
  if (!map || !map->is_object()) return;
  for (const auto& member : map->get_object()) {
    ProtoWriter entry;
    entry.text(1, member.key());
    entry.message(2, encode(member.value()));
    out.message(field, entry.take());
  }
}

void extensions(ProtoWriter& out, int field, const json::Object& object) {
  for (const auto& member : object) {
    if (!std::string_view(member.key()).starts_with("x-")) continue;
    ProtoWriter entry;
    entry.text(1, member.key());
    entry.message(2, any(member.value()));
    out.message(field, entry.take());
  }
}

void strings(ProtoWriter& out, int field, const json::Value* list) {
  if (!list || !list->is_array()) return;
  for (const auto& each : list->get_array())
    if (each.is_string()) out.message(field, std::string_view(each.get_string()));
}

bool truth(const json::Object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value && value->is_bool() && value->get_bool();
}

void number(ProtoWriter& out, int field, const json::Object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  if (value && value->is_number()) out.number(field, value->to_number<double>());
}

void integer(ProtoWriter& out, int field, const json::Object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  if (!value) return;
  if (const auto* whole = value->if_int64()) out.integer(field, *whole);
}

std::string schema(const json::Value& value);

// {"schema": …} wrapped in a message whose field 1 is the schema.
std::string in_field_one(const json::Value& value) {
  ProtoWriter out;
  out.message(1, schema(value));
  return out.take();
}

std::string additional_properties(const json::Value& value) {
  if (!value.is_bool()) return in_field_one(value);
  ProtoWriter out;
  out.boolean(2, value.get_bool());
  return out.take();
}

std::string string_list(const json::Value& value) {
  ProtoWriter out;
  if (value.is_string()) out.message(1, std::string_view(value.get_string()));
  strings(out, 1, &value);
  return out.take();
}

std::string schema_items(const json::Value& value) {
  if (!value.is_array()) return in_field_one(value);
  ProtoWriter out;
  for (const auto& each : value.get_array()) out.message(1, schema(each));
  return out.take();
}

void schema_limits(ProtoWriter& out, const json::Object& object) {
  number(out, 6, object, "multipleOf");
  number(out, 7, object, "maximum");
  out.boolean(8, truth(object, "exclusiveMaximum"));
  number(out, 9, object, "minimum");
  out.boolean(10, truth(object, "exclusiveMinimum"));
  integer(out, 11, object, "maxLength");
  integer(out, 12, object, "minLength");
  out.text(13, text_of(object, "pattern"));
  integer(out, 14, object, "maxItems");
  integer(out, 15, object, "minItems");
  out.boolean(16, truth(object, "uniqueItems"));
  integer(out, 17, object, "maxProperties");
  integer(out, 18, object, "minProperties");
}

std::string schema(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  out.text(1, text_of(object, "$ref"));
  out.text(2, text_of(object, "format"));
  out.text(3, text_of(object, "title"));
  out.text(4, text_of(object, "description"));
  if (const auto* each = object.if_contains("default")) out.message(5, any(*each));
  schema_limits(out, object);
  strings(out, 19, object.if_contains("required"));
  if (const auto* list = object.if_contains("enum"); list && list->is_array())
    for (const auto& each : list->get_array()) out.message(20, any(each));
  if (const auto* each = object.if_contains("additionalProperties"))
    out.message(21, additional_properties(*each));
  if (const auto* each = object.if_contains("type")) out.message(22, string_list(*each));
  if (const auto* each = object.if_contains("items")) out.message(23, schema_items(*each));
  if (const auto* list = object.if_contains("allOf"); list && list->is_array())
    for (const auto& each : list->get_array()) out.message(24, schema(each));
  if (const auto* map = object.if_contains("properties")) {
    ProtoWriter properties;
    named(properties, 1, map, schema);
    out.message(25, properties.take());
  }
  out.boolean(27, truth(object, "readOnly"));
  extensions(out, 31, object);
  return out.take();
}

std::string body_parameter(const json::Object& object) {
  ProtoWriter out;
  out.text(1, text_of(object, "description"));
  out.text(2, text_of(object, "name"));
  out.text(3, text_of(object, "in"));
  out.boolean(4, truth(object, "required"));
  if (const auto* each = object.if_contains("schema")) out.message(5, schema(*each));
  extensions(out, 6, object);
  return out.take();
}

std::string primitive_items(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  out.text(1, text_of(object, "type"));
  out.text(2, text_of(object, "format"));
  return out.take();
}

// Header, form, query and path parameters differ only in one field in the middle, which shifts the
// numbers after it.
std::string plain_parameter(const json::Object& object) {
  auto in = text_of(object, "in");
  bool shifted = in == "query" || in == "formData";
  int base = shifted ? 1 : 0;
  ProtoWriter out;
  out.boolean(1, truth(object, "required"));
  out.text(2, in);
  out.text(3, text_of(object, "description"));
  out.text(4, text_of(object, "name"));
  if (shifted) out.boolean(5, truth(object, "allowEmptyValue"));
  out.text(5 + base, text_of(object, "type"));
  out.text(6 + base, text_of(object, "format"));
  if (const auto* each = object.if_contains("items")) out.message(7 + base, primitive_items(*each));
  out.text(8 + base, text_of(object, "collectionFormat"));
  if (const auto* each = object.if_contains("default")) out.message(9 + base, any(*each));
  out.boolean(19 + base, truth(object, "uniqueItems"));
  extensions(out, 22 + base, object);
  ProtoWriter choice;
  choice.message(in == "header" ? 1 : in == "formData" ? 2 : in == "query" ? 3 : 4, out.take());
  return choice.take();
}

std::string parameter(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  if (text_of(object, "in") == "body") {
    out.message(1, body_parameter(object));
  } else {
    out.message(2, plain_parameter(object));
  }
  return out.take();
}

std::string reference(const json::Object& object) {
  ProtoWriter out;
  out.text(1, text_of(object, "$ref"));
  out.text(2, text_of(object, "description"));
  return out.take();
}

void parameters(ProtoWriter& out, int field, const json::Value* list) {
  if (!list || !list->is_array()) return;
  for (const auto& each : list->get_array()) {
    const auto& object = object_of(each);
    ProtoWriter item;
    if (object.contains("$ref")) {
      item.message(2, reference(object));
    } else {
      item.message(1, parameter(each));
    }
    out.message(field, item.take());
  }
}

std::string response_value(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  if (object.contains("$ref")) {
    out.message(2, reference(object));
    return out.take();
  }
  ProtoWriter response;
  response.text(1, text_of(object, "description"));
  if (const auto* each = object.if_contains("schema")) response.message(2, in_field_one(*each));
  extensions(response, 5, object);
  out.message(1, response.take());
  return out.take();
}

std::string operation(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  strings(out, 1, object.if_contains("tags"));
  out.text(2, text_of(object, "summary"));
  out.text(3, text_of(object, "description"));
  out.text(5, text_of(object, "operationId"));
  strings(out, 6, object.if_contains("produces"));
  strings(out, 7, object.if_contains("consumes"));
  parameters(out, 8, object.if_contains("parameters"));
  ProtoWriter responses;
  named(responses, 1, object.if_contains("responses"), response_value);
  out.message(9, responses.take());
  strings(out, 10, object.if_contains("schemes"));
  out.boolean(11, truth(object, "deprecated"));
  extensions(out, 13, object);
  return out.take();
}

std::string path_item(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  constexpr std::pair<std::string_view, int> kMethods[] = {
      {"get", 2},     {"put", 3},  {"post", 4}, {"delete", 5},
      {"options", 6}, {"head", 7}, {"patch", 8}};
  for (auto [method, field] : kMethods)
    if (const auto* each = object.if_contains(method)) out.message(field, operation(*each));
  parameters(out, 9, object.if_contains("parameters"));
  extensions(out, 10, object);
  return out.take();
}

std::string info(const json::Value& value) {
  const auto& object = object_of(value);
  ProtoWriter out;
  out.text(1, text_of(object, "title"));
  out.text(2, text_of(object, "version"));
  out.text(3, text_of(object, "description"));
  return out.take();
}

}  // namespace

std::string swagger_to_proto(const json::Value& document) {
  const auto& object = object_of(document);
  ProtoWriter out;
  out.text(1, text_of(object, "swagger"));
  if (const auto* each = object.if_contains("info")) out.message(2, info(*each));
  strings(out, 5, object.if_contains("schemes"));
  strings(out, 6, object.if_contains("consumes"));
  strings(out, 7, object.if_contains("produces"));
  ProtoWriter paths;
  named(paths, 2, object.if_contains("paths"), path_item);
  out.message(8, paths.take());
  ProtoWriter definitions;
  named(definitions, 1, object.if_contains("definitions"), schema);
  out.message(9, definitions.take());
  if (const auto* each = object.if_contains("parameters")) {
    ProtoWriter shared;
    named(shared, 1, each, parameter);
    out.message(10, shared.take());
  }
  extensions(out, 16, object);
  return out.take();
}

}  // namespace slipway::server
