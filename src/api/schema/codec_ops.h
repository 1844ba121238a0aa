#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/schema/codec_values.h"

// Optionals, lists, maps and structs of the types a resource struct may hold. Included by
// api/schema/codec_describe.h only.
namespace slipway::api::codec {

template <class T>
struct Ops<std::optional<T>> {
  static void decode(std::optional<T>& view, const json::Value& value, const Path& path,
                     Findings& findings) {
    if (!value.is_null()) Ops<T>::decode(view.emplace(), value, path, findings);
  }
  static void update(json::Value& document, const std::optional<T>& view, const FieldNote& note) {
    Ops<T>::update(document, *view, note);
  }
  static bool empty(const std::optional<T>& view) { return !view; }
  static const Schema* schema(SchemaSet& schemas, const FieldNote& note) {
    return Ops<T>::schema(schemas, note);
  }
};

template <class T>
struct Ops<std::vector<T>> {
  static void decode(std::vector<T>& view, const json::Value& value, const Path& path,
                     Findings& findings) {
    if (value.is_null()) return;
    if (!value.is_array()) return wrong_type("array", value, path, findings);
    for (const json::Value& element : value.get_array()) {
      const Path at{.parent = &path, .index = static_cast<std::ptrdiff_t>(view.size())};
      Ops<T>::decode(view.emplace_back(), element, at, findings);
    }
  }
  static void update(json::Value& document, const std::vector<T>& view, const FieldNote& note) {
    json::Array old = document.is_array() ? std::move(document.get_array()) : json::Array();
    json::Array elements;
    for (const T& element : view) {
      json::Value fresh;
      Ops<T>::update(fresh, element, FieldNote{});
      json::Value* before = match_element(old, elements.size(), fresh, note);
      if (before != nullptr) Ops<T>::update(*before, element, FieldNote{});
      elements.push_back(before != nullptr ? std::move(*before) : std::move(fresh));
    }
    document = std::move(elements);
  }
  static bool empty(const std::vector<T>& view) { return view.empty(); }
  static const Schema* schema(SchemaSet& schemas, const FieldNote& note) {
    return list_schema(schemas, Ops<T>::schema(schemas, FieldNote{}), note);
  }
};

template <class T>
struct Ops<std::map<std::string, T>> {
  using Map = std::map<std::string, T>;
  static void decode(Map& view, const json::Value& value, const Path& path, Findings& findings) {
    if (value.is_null()) return;
    if (!value.is_object()) return wrong_type("object", value, path, findings);
    for (const auto& [key, element] : value.get_object())
      Ops<T>::decode(view[std::string(key)], element,
                     Path{.parent = &path, .text = key, .index = kMapKey}, findings);
  }
  static void update(json::Value& document, const Map& view, const FieldNote&) {
    json::Object& object = document.is_object() ? document.get_object() : document.emplace_object();
    drop_keys(object, [&](std::string_view key) { return !view.contains(std::string(key)); });
    for (const auto& [key, element] : view) Ops<T>::update(object[key], element, FieldNote{});
  }
  static bool empty(const Map& view) { return view.empty(); }
  static const Schema* schema(SchemaSet& schemas, const FieldNote& note) {
    return constrained(schemas, map_schema(schemas, Ops<T>::schema(schemas, FieldNote{})), note);
  }
};

// Everything else is a described struct.
template <class T>
struct Ops {
  static void decode(T& view, const json::Value& value, const Path& path, Findings& findings) {
    decode_struct(table_of<T>(), &view, value, path, findings);
  }
  static void update(json::Value& document, const T& view, const FieldNote&) {
    update_struct(table_of<T>(),
                  document.is_object() ? document.get_object() : document.emplace_object(), &view);
  }
  static bool empty(const T& view) { return struct_is_empty(table_of<T>(), &view); }
  static const Schema* schema(SchemaSet& schemas, const FieldNote&) {
    return struct_schema(table_of<T>(), schemas);
  }
};

}  // namespace slipway::api::codec
