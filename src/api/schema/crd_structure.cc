#include <fmt/format.h>

#include <algorithm>

#include "api/rules/crd_parts.h"
#include "api/rules/members.h"
#include "api/schema/crd_schema.h"
#include "api/schema/pattern.h"

// What a schema must be like to be structural: every value has a type, junctors only limit values.
namespace slipway::api {

namespace {

void check_junctors(const json::Object& schema, const std::string& path, bool typed,
                    Patterns& patterns, Findings& findings);

enum class Place { kRoot, kField, kItem };

std::string property(const std::string& path, std::string_view key) {
  return fmt::format("{}.properties[{}]", path, key);
}

const std::vector<std::string> kTypes = {"array",  "boolean", "integer",
                                         "number", "object",  "string"};

// In one object: the index of its fields (Schema::by_name) has 16 bits for each.
constexpr std::size_t kMaxProperties = 65'000;

bool has_too_many_properties(const json::Object& schema, const std::string& path,
                             Findings& findings) {
  const json::Object* properties = object_in(schema, "properties");
  if (properties == nullptr || properties->size() <= kMaxProperties) return false;
  findings.too_many(under(path, "properties"), properties->size(), kMaxProperties);
  return true;
}

void check_type(const json::Object& schema, const std::string& path, Place place,
                Findings& findings) {
  std::string_view type = text_in(schema, "type");
  bool free = flag_in(schema, "x-kubernetes-int-or-string") ||
              flag_in(schema, "x-kubernetes-preserve-unknown-fields");
  if (type.empty()) {
    if (place == Place::kRoot)
      findings.required(under(path, "type"), "must not be empty at the root");
    else if (!free && place == Place::kItem) {
      findings.required(under(path, "type"), "must not be empty for specified array items");
    } else if (!free) {
      findings.required(under(path, "type"), "must not be empty for specified object fields");
    }
  } else if (std::ranges::find(kTypes, type) == kTypes.end()) {
    findings.not_supported(under(path, "type"), json::Value(type), kTypes);
  } else if (place == Place::kRoot && type != "object") {
    findings.invalid(under(path, "type"), json::Value(type), "must be object at the root");
  }
  if (flag_in(schema, "x-kubernetes-embedded-resource") && type != "object") {
    findings.invalid(under(path, "type"), json::Value(type),
                     "must be object if x-kubernetes-embedded-resource is true");
  }
}

void check_unsupported(const json::Object& schema, const std::string& path, Findings& findings) {
  for (std::string_view key :
       {"$ref", "definitions", "dependencies", "patternProperties", "additionalItems", "id"}) {
    if (schema.contains(key))
      findings.forbidden(under(path, key), fmt::format("{} is not supported", key));
  }
  if (array_in(schema, "items") != nullptr) {
    findings.forbidden(under(path, "items"), "items must be a schema object and not an array");
  }
  if (flag_in(schema, "uniqueItems")) {
    findings.forbidden(
        under(path, "uniqueItems"),
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
  }
  const json::Object* properties = object_in(schema, "properties");
  if (schema.contains("additionalProperties") && properties != nullptr && !properties->empty()) {
    findings.forbidden(under(path, "additionalProperties"),
                       "additionalProperties and properties are mutual exclusive");
  }
}

void check_pattern(const json::Object& schema, const std::string& path, Patterns& patterns,
                   Findings& findings) {
  std::string pattern(text_in(schema, "pattern"));
  if (pattern.empty()) return;
  if (auto compiled = patterns.compile(pattern); !compiled) {
    findings.invalid(
        under(path, "pattern"), json::Value(pattern),
        fmt::format("must be a valid regular expression, but isn't: {}", compiled.error().message));
  }
}

struct Banned {
  std::string_view key, why;
};
constexpr Banned kBannedInJunctors[] = {
    {"type", "must be empty"},
    {"additionalProperties", "must be undefined"},
    {"default", "must be undefined"},
    {"title", "must be empty"},
    {"description", "must be empty"},
    {"nullable", "must be false"},
    {"x-kubernetes-preserve-unknown-fields", "must be false"},
    {"x-kubernetes-embedded-resource", "must be false"},
    {"x-kubernetes-int-or-string", "must be false"},
    {"x-kubernetes-list-map-keys", "must be empty"},
    {"x-kubernetes-list-type", "must be undefined"},
    {"x-kubernetes-map-type", "must be undefined"},
};

// Inside allOf, anyOf, oneOf and not: limits only. Types may stand there beside
// x-kubernetes-int-or-string (`typed`).
void check_junctor(const json::Object& schema, const std::string& path, bool typed,
                   Patterns& patterns, Findings& findings) {
  if (has_too_many_properties(schema, path, findings)) return;
  for (auto [key, why] : kBannedInJunctors) {
    if (schema.contains(key) && !(typed && key == "type")) {
      findings.forbidden(under(path, key), fmt::format("{} to be structural", why));
    }
  }
  check_pattern(schema, path, patterns, findings);
  check_junctors(schema, path, typed, patterns, findings);
  if (const json::Object* properties = object_in(schema, "properties")) {
    for (const auto& [name, value] : *properties) {
      if (value.is_object())
        check_junctor(value.get_object(), property(path, name), false, patterns, findings);
    }
  }
}

void check_junctors(const json::Object& schema, const std::string& path, bool typed,
                    Patterns& patterns, Findings& findings) {
  for (std::string_view key : {"allOf", "anyOf", "oneOf"}) {
    const json::Array* members = array_in(schema, key);
    for (std::size_t i = 0; members != nullptr && i < members->size(); ++i) {
      if (!(*members)[i].is_object()) continue;
      check_junctor((*members)[i].get_object(), fmt::format("{}.{}[{}]", path, key, i), typed,
                    patterns, findings);
    }
  }
  if (const json::Object* negated = object_in(schema, "not")) {
    check_junctor(*negated, under(path, "not"), typed, patterns, findings);
  }
}

// A default must be what the schema allows, and hold nothing that would be pruned; metadata of an
// embedded resource has fields that no schema names.
void check_default(const json::Object& schema, const std::string& path, bool in_metadata,
                   Patterns& patterns, Findings& findings) {
  const json::Value* value = schema.if_contains("default");
  if (value == nullptr) return;
  SchemaSet set;
  const Schema* read = read_structural_value(schema, set);
  if (!set.seal(patterns)) return;  // said of the pattern
  const Schema holder{.shape = Shape::kObject, .fields = {{.name = "default", .type = read}}};
  if (!in_metadata && !unknown_fields(json::Object{{"default", *value}}, holder).empty())
    findings.invalid(under(path, "default"), *value, "must not have unknown fields");
  Findings found;
  check(*value, *read, "", found);
  for (Cause& cause : found.causes) {
    cause.field = under(path, "default") + (cause.field.empty() ? "" : "." + cause.field);
    findings.add(std::move(cause));
  }
}

void check_node(const json::Object& schema, const std::string& path, Place place, bool in_metadata,
                Patterns& patterns, Findings& findings) {
  if (has_too_many_properties(schema, path, findings)) return;
  const bool is_embedded = flag_in(schema, "x-kubernetes-embedded-resource");
  in_metadata = in_metadata && !is_embedded;
  check_type(schema, path, place, findings);
  check_unsupported(schema, path, findings);
  check_pattern(schema, path, patterns, findings);
  check_collection(schema, path, findings);
  check_junctors(schema, path, flag_in(schema, "x-kubernetes-int-or-string"), patterns, findings);
  check_default(schema, path, in_metadata, patterns, findings);
  if (const json::Object* properties = object_in(schema, "properties")) {
    for (const auto& [name, value] : *properties) {
      if (value.is_object())
        check_node(value.get_object(), property(path, name), Place::kField,
                   in_metadata || (is_embedded && name == "metadata"), patterns, findings);
      else
        findings.wrong_type(property(path, name), value, "object");
    }
  }
  if (const json::Object* items = object_in(schema, "items")) {
    check_node(*items, under(path, "items"), Place::kItem, in_metadata, patterns, findings);
  }
  if (const json::Object* values = object_in(schema, "additionalProperties")) {
    check_node(*values, under(path, "additionalProperties"), Place::kField, in_metadata, patterns,
               findings);
  }
}

}  // namespace

void check_structural_schema(const json::Object& schema, const std::string& path,
                             Patterns& patterns, Findings& findings) {
  check_node(schema, path, Place::kRoot, false, patterns, findings);
}

}  // namespace slipway::api
