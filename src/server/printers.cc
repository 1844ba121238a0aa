#include "server/printers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace slipway::server {

Printer printer_for(const api::Resource& resource) {
  if (!resource.custom) {
    for (auto find : {pod_printer, workload_printer, network_printer, core_printer})
      if (auto printer = find(resource.gvk)) return std::move(*printer);
  }
  return custom_printer(resource);
}

std::string age_since(const json::Value* value, Time now) {
  if (!value || !value->is_string()) return "<unknown>";
  auto time = parse_time(value->as_string());
  return time ? format_age(now - *time) : "<unknown>";
}

std::string age_cell(const json::Value& object, Time now) {
  return age_since(json::at(object, {"metadata", "creationTimestamp"}), now);
}

const json::Array& array_at(const json::Value& value,
                            std::initializer_list<std::string_view> path) {
  static const json::Array kEmpty;
  const json::Value* found = json::at(value, path);
  return found && found->is_array() ? found->get_array() : kEmpty;
}

std::int64_t integer_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* found = json::at(value, path);
  if (!found) return 0;
  if (const auto* number = found->if_int64()) return *number;
  if (const auto* number = found->if_uint64()) return static_cast<std::int64_t>(*number);
  return 0;
}

std::size_t size_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* found = json::at(value, path);
  if (!found) return 0;
  if (const auto* array = found->if_array()) return array->size();
  if (const auto* object = found->if_object()) return object->size();
  return 0;
}

std::string joined_field(const json::Array& members, std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0) text += ',';
    text += json::string_at(members[i], {field});
  }
  return text;
}

std::string label_text(const json::Value* labels) {
  if (!labels || !labels->is_object() || labels->get_object().empty()) return "<none>";
  std::set<std::string> pairs;
  for (const auto& [key, value] : labels->get_object())
    pairs.insert(fmt::format("{}={}", std::string_view(key),
                             value.is_string() ? std::string_view(value.get_string()) : ""));
  return fmt::format("{}", fmt::join(pairs, ","));
}

bool condition_is_true(const json::Value& object, std::string_view type) {
  for (const auto& condition : array_at(object, {"status", "conditions"})) {
    if (json::string_at(condition, {"type"}) == type)
      return json::string_at(condition, {"status"}) == "True";
  }
  return false;
}

Column name_column() {
  return {.name = "Name",
          .format = "name",
          .description = "The name, unique among its kind in the namespace."};
}

Column age_column() {
  return {.name = "Age", .description = "The time since the object was created."};
}

}  // namespace slipway::server
