#include <fmt/format.h>
#include <algorithm>

#include "api/rules/crd_parts.h"
#include "api/rules/members.h"

namespace slipway::api {

namespace {

constexpr std::string_view kListType = "x-kubernetes-list-type";
constexpr std::string_view kMapKeys = "x-kubernetes-list-map-keys";

json::Array array_of(const std::vector<std::string>& texts) {
  return json::Array(texts.begin(), texts.end());
}

// Items of a set are compared as wholes.
void check_set_items(const json::Object& items, const std::string& path, Findings& findings) {
  constexpr std::string_view kWhy =
      "must be atomic as item of a list with x-kubernetes-list-type=set";
  const json::Value* list = items.if_contains(kListType);
  const json::Value shown = list == nullptr ? json::Value(nullptr) : *list;
  std::string_view type = text_in(items, "type");
  if (type == "array" && list != nullptr && text_in(items, kListType) != "atomic")
    findings.invalid(under(path, kListType), shown, std::string(kWhy));
  // Upstream shows the list type here too.
  if (type == "object" && text_in(items, "x-kubernetes-map-type") != "atomic")
    findings.invalid(under(path, "x-kubernetes-map-type"), shown, std::string(kWhy));
}

// The keys of a list of type map must tell items apart: scalars that are always there.
void check_map_keys(const json::Object& items, const std::vector<std::string>& keys,
                    const std::string& path, Findings& findings) {
  static const json::Object kNothing;
  const json::Object* given = object_in(items, "properties");
  const json::Object& properties = given == nullptr ? kNothing : *given;
  const std::vector<std::string> required = texts_in(items, "required");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string& key = keys[i];
    const std::string at = fmt::format("{}.items.properties[{}]", path, key);
    const json::Object* field = object_in(properties, key);
    std::string_view type = field == nullptr ? std::string_view() : text_in(*field, "type");
    if (field == nullptr) {
      findings.invalid(under(path, kMapKeys), array_of(keys),
                       "entries must all be names of item properties");
    } else if (type == "array" || type == "object") {
      findings.invalid(under(at, "type"), json::Value(text_in(items, "type")),
                       "must be a scalar type if parent array's x-kubernetes-list-type is map");
    }
    if (std::find(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(i), key) !=
        keys.begin() + static_cast<std::ptrdiff_t>(i)) {
      findings.invalid(under(path, kMapKeys), array_of(keys), "must not contain duplicate entries");
    }
    if (field == nullptr) continue;
    if (!field->contains("default") && std::ranges::find(required, key) == required.end()) {
      findings.required(under(at, "default"),
                        "this property is in x-kubernetes-list-map-keys, so it must have a "
                        "default or be a required property");
    }
    if (flag_in(*field, "nullable")) {
      findings.forbidden(
          under(at, "nullable"),
          "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
    }
  }
}

void check_map(const json::Object& schema, const std::vector<std::string>& keys,
               const std::string& path, Findings& findings) {
  if (keys.empty()) {
    findings.required(under(path, kMapKeys), "must not be empty if x-kubernetes-list-type is map");
  }
  const json::Object* items = object_in(schema, "items");
  if (items == nullptr) {
    return findings.required(under(path, "items"),
                             "must have a schema if x-kubernetes-list-type is map");
  }
  std::string_view type = text_in(*items, "type");
  if (type == "object") return check_map_keys(*items, keys, path, findings);
  findings.invalid(under(path, "items.type"), json::Value(type),
                   "must be object if parent array's x-kubernetes-list-type is map");
}

void check_list_word(const json::Object& schema, const json::Value& word, const std::string& path,
                     Findings& findings) {
  std::string_view type = text_in(schema, "type"), list = text_in(schema, kListType);
  constexpr std::string_view kArray = "must be array if x-kubernetes-list-type is specified";
  if (type.empty()) findings.required(under(path, "type"), std::string(kArray));
  if (!type.empty() && type != "array")
    findings.invalid(under(path, "type"), json::Value(type), std::string(kArray));
  if (list != "atomic" && list != "set" && list != "map")
    findings.not_supported(under(path, kListType), word, {"atomic", "set", "map"});
}

}  // namespace

void check_collection(const json::Object& schema, const std::string& path, Findings& findings) {
  std::string_view map = text_in(schema, "x-kubernetes-map-type");
  if (!map.empty() && map != "atomic" && map != "granular") {
    findings.not_supported(under(path, "x-kubernetes-map-type"), json::Value(map),
                           {"atomic", "granular"});
  }
  const json::Object* items = object_in(schema, "items");
  if (text_in(schema, "type") == "array" && items == nullptr)
    findings.required(under(path, "items"), "must be specified");
  const json::Value* word = schema.if_contains(kListType);
  std::string_view list = text_in(schema, kListType);
  const std::vector<std::string> keys = texts_in(schema, kMapKeys);
  constexpr std::string_view kNoKeys = "must be map if x-kubernetes-list-map-keys is non-empty";
  if (word != nullptr) {
    check_list_word(schema, *word, path, findings);
    if (!keys.empty() && list != "map")
      findings.invalid(under(path, kListType), *word, std::string(kNoKeys));
  } else if (!keys.empty()) {
    findings.required(under(path, kListType), std::string(kNoKeys));
  }
  if (list == "set" && items != nullptr && text_in(schema, "type") == "array")
    check_set_items(*items, under(path, "items"), findings);
  if (list == "map") check_map(schema, keys, path, findings);
  if ((list == "set" || list == "map") && items != nullptr && flag_in(*items, "nullable")) {
    findings.forbidden(under(path, "items.nullable"),
                       fmt::format("cannot be nullable when x-kubernetes-list-type is {}", list));
  }
}

}  // namespace slipway::api
