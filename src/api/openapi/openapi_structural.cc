#include "api/openapi/openapi_structural.h"

#include <algorithm>

#include "api/openapi/openapi_types.h"
#include "api/schema/formats.h"

namespace slipway::api {

namespace {

json::Object int_or_string() {
  return {
      {"anyOf", json::Array{json::Object{{"type", "integer"}}, json::Object{{"type", "string"}}}},
      {"x-kubernetes-int-or-string", true}};
}

class StructuralWriter {
 public:
  json::Object write(const Schema& schema) {
    json::Object out = form_of(schema);
    write_limits(schema, out);
    // The API server warns of formats it does not know.
    if (!schema.format.empty() && !is_known_format(schema.format)) json::erase(out, "format");
    // A list is atomic when nothing is said.
    if (schema.shape != Shape::kList || schema.list_type != ListType::kAtomic)
      write_list_type(schema, out);
    if (schema.nullable) out["nullable"] = true;
    if (schema.embedded_resource) out["x-kubernetes-embedded-resource"] = true;
    if (schema.preserve_unknown) out["x-kubernetes-preserve-unknown-fields"] = true;
    write_junctors(schema, out);
    return out;
  }

 private:
  json::Object form_of(const Schema& schema) {
    switch (schema.shape) {
      case Shape::kAny:
        return {{"x-kubernetes-preserve-unknown-fields", true}};
      case Shape::kObject:
        return object_of(schema);
      case Shape::kMap:
        return {{"type", "object"}, {"additionalProperties", write(*schema.element)}};
      case Shape::kList:
        return {{"type", "array"}, {"items", write(*schema.element)}};
      case Shape::kString:
        return {{"type", "string"}};
      case Shape::kInt32:
        return {{"type", "integer"}, {"format", "int32"}};
      case Shape::kInt64:
        return {{"type", "integer"}, {"format", "int64"}};
      case Shape::kDouble:
        return {{"type", "number"}};
      case Shape::kBool:
        return {{"type", "boolean"}};
      case Shape::kBytes:
        return {{"type", "string"}, {"format", "byte"}};
      case Shape::kTime:
      case Shape::kMicroTime:
        return {{"type", "string"}, {"format", "date-time"}};
      case Shape::kIntOrString:
        return int_or_string();
      case Shape::kQuantity: {
        json::Object out = int_or_string();
        out["pattern"] = kQuantityPattern;
        return out;
      }
    }
    return {};
  }

  json::Object object_of(const Schema& schema) {
    json::Object out{{"type", "object"}};
    if (std::ranges::find(above_, &schema) != above_.end()) {
      out["x-kubernetes-preserve-unknown-fields"] = true;
      return out;
    }
    above_.push_back(&schema);
    json::Object properties;
    json::Array required;
    for (const Field& field : schema.fields) {
      json::Object property = write(*field.type);
      if (field.default_value) property["default"] = *field.default_value;
      properties[field.name] = std::move(property);
      if (field.required) required.emplace_back(field.name);
    }
    above_.pop_back();
    for (const std::string& name : schema.required_also) required.emplace_back(name);
    if (!properties.empty()) out["properties"] = std::move(properties);
    if (!required.empty()) out["required"] = std::move(required);
    return out;
  }

  void write_junctors(const Schema& schema, json::Object& out) {
    auto put = [&](std::string_view key, const std::vector<const Schema*>& members) {
      if (members.empty()) return;
      json::Array list;
      for (const Schema* member : members) list.emplace_back(limits_only(*member));
      out[key] = std::move(list);
    };
    put("allOf", schema.all_of);
    put("oneOf", schema.one_of);
    if (!schema.any_of.empty()) put("anyOf", schema.any_of);
    if (schema.negated != nullptr) out["not"] = limits_only(*schema.negated);
  }

  // Inside junctors only limits are structural.
  json::Object limits_only(const Schema& schema) {
    json::Object out;
    write_limits(schema, out);
    json::Array required;
    json::Object properties;
    for (const Field& field : schema.fields) {
      if (field.required) required.emplace_back(field.name);
      properties[field.name] = limits_only(*field.type);
    }
    for (const std::string& name : schema.required_also) required.emplace_back(name);
    if (!required.empty()) out["required"] = std::move(required);
    if (!properties.empty()) out["properties"] = std::move(properties);
    write_junctors(schema, out);
    return out;
  }

  std::vector<const Schema*> above_;  // object types being written
};

}  // namespace

json::Object structural_schema(const Schema& schema) { return StructuralWriter().write(schema); }

void simplify_for_v2(json::Object& schema) {
  for (std::string_view key : {"allOf", "anyOf", "oneOf", "not"}) json::erase(schema, key);
  bool nullable = schema.contains("nullable");
  if (nullable || schema.contains("x-kubernetes-preserve-unknown-fields")) {
    for (std::string_view key : {"properties", "items", "additionalProperties"}) {
      json::erase(schema, key);
    }
  }
  if (nullable) {
    for (std::string_view key : {"nullable", "type", "required"}) json::erase(schema, key);
  }
  if (schema.contains("x-kubernetes-int-or-string")) json::erase(schema, "type");
  if (json::Value* properties = schema.if_contains("properties");
      properties != nullptr && properties->is_object()) {
    for (auto& entry : properties->get_object()) {
      if (entry.value().is_object()) simplify_for_v2(entry.value().get_object());
    }
  }
  for (std::string_view key : {"items", "additionalProperties"}) {
    json::Value* inner = schema.if_contains(key);
    if (inner != nullptr && inner->is_object()) simplify_for_v2(inner->get_object());
  }
}

}  // namespace slipway::api
