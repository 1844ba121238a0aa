#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

// Reading members of a JSON object that may be missing or of another type than hoped for.
namespace slipway::api {

inline const json::Object* object_in(const json::Object& object, std::string_view key) {
  const json::Value* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_object();
}

inline const json::Array* array_in(const json::Object& object, std::string_view key) {
  const json::Value* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_array();
}

// Empty when missing or no string. A view into `object`.
inline std::string_view text_in(const json::Object& object, std::string_view key) {
  const json::Value* found = object.if_contains(key);
  if (found == nullptr || !found->is_string()) return {};
  return {found->get_string().data(), found->get_string().size()};
}

inline bool flag_in(const json::Object& object, std::string_view key) {
  const json::Value* found = object.if_contains(key);
  return found != nullptr && found->is_bool() && found->get_bool();
}

inline std::vector<std::string> texts_in(const json::Object& object, std::string_view key) {
  std::vector<std::string> out;
  const json::Array* list = array_in(object, key);
  if (list == nullptr) return out;
  for (const json::Value& item : *list) {
    if (item.is_string()) out.emplace_back(item.get_string());
  }
  return out;
}

template <class Number>
std::optional<Number> number_in(const json::Object& object, std::string_view key) {
  const json::Value* found = object.if_contains(key);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  boost::json::error_code error;
  Number number = found->to_number<Number>(error);
  return error ? std::nullopt : std::optional(number);
}

}  // namespace slipway::api
