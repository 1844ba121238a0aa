#include <fmt/format.h>
#include <cmath>

#include "api/wire/go_types.h"

namespace slipway::api {

namespace {

std::string_view kind_of(const json::Value& value) {
  if (value.is_object()) return "map";
  if (value.is_array()) return "slice";
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  return value.is_int64() ? "int64" : "float64";
}

// Go converts numbers to each other where nothing is lost, and thinks integers could be texts.
std::optional<std::string> scalar_problem(const json::Value& value, std::string_view type) {
  const bool number = type == "int32" || type == "int64" || type == "float64";
  const bool whole = value.is_int64() ||
                     (value.is_double() && value.get_double() == std::trunc(value.get_double()));
  if (number && value.is_number() && (whole || type == "float64")) return std::nullopt;
  if (kind_of(value) == type) return std::nullopt;
  if ((number && value.is_number()) || (type == "string" && value.is_int64()))
    return fmt::format("cannot convert {} to {}", kind_of(value), type);
  return fmt::format("unrecognized type: {}", type);
}

std::optional<std::string> value_problem(const json::Value& value, const Schema& schema) {
  if (value.is_null()) return std::nullopt;
  switch (schema.shape) {
    case Shape::kObject:
      if (!value.is_object()) return fmt::format("cannot restore struct from: {}", kind_of(value));
      return restore_problem(value.get_object(), schema);
    case Shape::kMap:
      if (!value.is_object()) return fmt::format("cannot restore map from {}", kind_of(value));
      for (const auto& [key, member] : value.get_object())
        if (auto problem = value_problem(member, *schema.element)) return problem;
      return std::nullopt;
    case Shape::kList:
      if (!value.is_array()) return fmt::format("cannot restore slice from {}", kind_of(value));
      for (const json::Value& item : value.get_array())
        if (auto problem = value_problem(item, *schema.element)) return problem;
      return std::nullopt;
    case Shape::kBytes:
      if (value.is_string()) return std::nullopt;
      return fmt::format("cannot restore slice from {}", kind_of(value));
    case Shape::kInt32:
      return scalar_problem(value, "int32");
    case Shape::kInt64:
      return scalar_problem(value, "int64");
    case Shape::kDouble:
      return scalar_problem(value, "float64");
    case Shape::kBool:
      return scalar_problem(value, "bool");
    case Shape::kString:
      return scalar_problem(value, "string");
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> restore_problem(const json::Object& object, const Schema& schema) {
  for (const Field& field : schema.fields) {
    const json::Value* value = object.if_contains(field.name);
    if (!value) continue;
    if (auto problem = value_problem(*value, *field.type)) return problem;
  }
  return std::nullopt;
}

}  // namespace slipway::api
