#include "api/schema/list_keys.h"

#include <unordered_map>

namespace slipway::api {

namespace {

json::Object keys_of(const json::Value& item, const Schema& schema) {
  json::Object keys;
  if (!item.is_object()) return keys;
  for (const std::string& name : schema.map_keys) {
    if (const json::Value* value = item.get_object().if_contains(name)) keys[name] = *value;
  }
  return keys;
}

bool all_objects(const json::Array& list, const FieldPath& path, Findings& findings) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_object() || list[i].is_null()) continue;
    findings.invalid(FieldPath(path, i).text(), list[i],
                     "must be an object for an array of list-type map");
    return false;
  }
  return true;
}

}  // namespace

void check_list_keys(const json::Array& list, const Schema& schema, const FieldPath& path,
                     Findings& findings) {
  bool distinct = schema.list_type != ListType::kAtomic || schema.unique_items;
  if (schema.shape != Shape::kList || !distinct) return;
  if (schema.list_type == ListType::kMap && !all_objects(list, path, findings)) return;
  if (list.size() < 2) return;
  std::unordered_map<std::string, int> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    json::Value key =
        schema.list_type == ListType::kMap ? json::Value(keys_of(list[i], schema)) : list[i];
    // The first repetition is named, later ones of the same key are not.
    if (++seen[json::write(key, {.sort_keys = true})] == 2)
      findings.duplicate(FieldPath(path, i).text(), key);
  }
}

}  // namespace slipway::api
