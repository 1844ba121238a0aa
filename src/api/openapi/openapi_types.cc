#include "api/openapi/openapi_types.h"

#include <fmt/format.h>

#include "api/schema/type_word.h"

namespace slipway::api {

namespace {

constexpr std::string_view kTime = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
constexpr std::string_view kMicroTime = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
constexpr std::string_view kQuantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
constexpr std::string_view kIntOrString = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

std::string_view format_of(Shape shape) {
  switch (shape) {
    case Shape::kInt32:
      return "int32";
    case Shape::kInt64:
      return "int64";
    case Shape::kDouble:
      return "double";
    case Shape::kBytes:
      return "byte";
    default:
      return "";
  }
}

template <class Number>
void put(json::Object& out, std::string_view key, const std::optional<Number>& limit) {
  if (!limit) return;
  // Limits are doubles; whole ones read better without a point, and exponents are not for people.
  double number = static_cast<double>(*limit);
  auto whole = static_cast<std::int64_t>(number);
  if (static_cast<double>(whole) == number)
    out[key] = whole;
  else
    out[key] = number;
}

// Enumerations are kept as text, whatever they enumerate.
json::Array enumeration_of(const Schema& schema) {
  bool text = schema.shape == Shape::kString || schema.shape == Shape::kAny;
  json::Array out;
  for (const std::string& word : schema.enumeration) {
    auto value = text ? Result<json::Value>(json::Value(word)) : json::read(word);
    out.push_back(value ? *std::move(value) : json::Value(word));
  }
  return out;
}

json::Object alternatives(std::string_view a, std::string_view b) {
  return {{"oneOf", json::Array{json::Object{{"type", a}}, json::Object{{"type", b}}}}};
}

std::string join(const PatchStrategy& patch) {
  std::string out;
  auto add = [&](bool on, std::string_view word) {
    if (on) out += fmt::format("{}{}", out.empty() ? "" : ",", word);
  };
  add(patch.merge, "merge");
  add(patch.replace, "replace");
  add(patch.retain_keys, "retainKeys");
  return out;
}

}  // namespace

void write_limits(const Schema& schema, json::Object& out) {
  if (!schema.enumeration.empty()) out["enum"] = enumeration_of(schema);
  if (!schema.pattern.empty()) out["pattern"] = schema.pattern;
  if (!schema.format.empty()) out["format"] = schema.format;
  put(out, "minimum", schema.minimum);
  put(out, "maximum", schema.maximum);
  put(out, "multipleOf", schema.multiple_of);
  put(out, "minLength", schema.min_length);
  put(out, "maxLength", schema.max_length);
  put(out, "minItems", schema.min_items);
  put(out, "maxItems", schema.max_items);
  put(out, "minProperties", schema.min_properties);
  put(out, "maxProperties", schema.max_properties);
  if (schema.exclusive_minimum) out["exclusiveMinimum"] = true;
  if (schema.exclusive_maximum) out["exclusiveMaximum"] = true;
}

void write_list_type(const Schema& schema, json::Object& out) {
  if (schema.shape == Shape::kList) {
    std::string_view words[] = {"atomic", "set", "map"};
    out["x-kubernetes-list-type"] = words[static_cast<int>(schema.list_type)];
    if (!schema.map_keys.empty()) {
      out["x-kubernetes-list-map-keys"] =
          json::Array(schema.map_keys.begin(), schema.map_keys.end());
    }
  } else if (schema.atomic) {
    out["x-kubernetes-map-type"] = "atomic";
  }
}

json::Object TypeWriter::reference(std::string_view name) const {
  return {
      {"$ref",
       fmt::format("{}{}", version_ == OpenApi::kV2 ? "#/definitions/" : "#/components/schemas/",
                   name)}};
}

json::Object TypeWriter::reference(const Schema& named) {
  if (!written_.contains(named.name)) pending_.emplace(named.name, &named);
  return reference(named.name);
}

json::Object TypeWriter::scalar(Shape shape) {
  bool v2 = version_ == OpenApi::kV2;
  auto named = [&](std::string_view name, json::Object body) {
    if (!written_.contains(name)) add(std::string(name), std::move(body));
    return reference(name);
  };
  switch (shape) {
    case Shape::kTime:
      return named(kTime, {{"type", "string"}, {"format", "date-time"}});
    case Shape::kMicroTime:
      return named(kMicroTime, {{"type", "string"}, {"format", "date-time"}});
    case Shape::kQuantity:
      return named(kQuantity,
                   v2 ? json::Object{{"type", "string"}} : alternatives("string", "number"));
    case Shape::kIntOrString: {
      json::Object body = v2 ? json::Object{{"type", "string"}} : alternatives("integer", "string");
      body["format"] = "int-or-string";
      return named(kIntOrString, std::move(body));
    }
    case Shape::kAny:
      return {};
    default:
      break;
  }
  json::Object out{{"type", type_word(shape)}};
  if (std::string_view format = format_of(shape); !format.empty()) out["format"] = format;
  return out;
}

json::Value TypeWriter::use(const Schema& type) {
  if (!type.name.empty()) return reference(type);
  if (type.shape == Shape::kObject) return describe(type);
  json::Object out;
  if (type.shape == Shape::kList)
    out = {{"type", "array"}, {"items", use(*type.element)}};
  else if (type.shape == Shape::kMap)
    out = {{"type", "object"}, {"additionalProperties", use(*type.element)}};
  else
    out = scalar(type.shape);
  write_limits(type, out);
  write_list_type(type, out);
  return out;
}

json::Value TypeWriter::use(const Field& field) {
  json::Object out = use(*field.type).get_object();
  std::string strategy = join(field.patch);
  bool bare = strategy.empty() && field.patch.merge_key.empty() && !field.default_value;
  // OpenAPI 3 ignores what stands beside a $ref.
  if (!bare && version_ == OpenApi::kV3 && out.contains("$ref")) {
    out = json::Object{{"allOf", json::Array{json::Value(std::move(out))}}};
  }
  if (field.default_value) out["default"] = *field.default_value;
  if (!strategy.empty()) out["x-kubernetes-patch-strategy"] = strategy;
  if (!field.patch.merge_key.empty()) out["x-kubernetes-patch-merge-key"] = field.patch.merge_key;
  return out;
}

json::Object TypeWriter::describe(const Schema& type) {
  json::Object out;
  if (type.shape != Shape::kObject) {
    // Free JSON that has a name; managed fields at least are an object.
    if (type.name.ends_with(".FieldsV1")) out["type"] = "object";
    return out;
  }
  out["type"] = "object";
  json::Array required;
  json::Object properties;
  for (const Field& field : type.fields) {
    properties[field.name] = use(field);
    if (field.required) required.emplace_back(field.name);
  }
  if (!required.empty()) out["required"] = std::move(required);
  if (!properties.empty()) out["properties"] = std::move(properties);
  write_limits(type, out);
  write_list_type(type, out);
  return out;
}

json::Object TypeWriter::components() {
  while (!pending_.empty()) {
    auto next = pending_.extract(pending_.begin());
    if (!written_.contains(next.key())) {
      written_[next.key()];  // a type that refers to itself finds itself written
      written_[next.key()] = describe(*next.mapped());
    }
  }
  json::Object out;
  for (auto& [name, component] : written_) out[name] = std::move(component);
  written_.clear();
  return out;
}

}  // namespace slipway::api
