#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "lang/json_path/json_path.h"
#include "server/printers.h"

namespace slipway::server {
namespace {

struct CustomColumn {
  std::string type;
  std::optional<lang::JsonPath> path;  // nothing when it could not be read: the cell stays empty
};

// As Go prints a value into text.
json::Value text_cell(const json::Value& value) {
  if (value.is_string()) return value;
  if (value.is_null()) return "<nil>";
  return json::Value(json::write(value));
}

json::Value integer_cell(const json::Value& value) {
  if (!value.is_double()) return value.is_number() ? value : json::Value(nullptr);
  double number = value.get_double();
  if (!std::isfinite(number) || std::abs(number) > 9e18) return nullptr;
  return static_cast<std::int64_t>(number);
}

json::Value date_cell(const json::Value& value, Time now) {
  if (!value.is_string()) return nullptr;
  if (value.get_string().empty()) return "<unknown>";
  auto time = parse_time(value.get_string());
  return time ? json::Value(format_age(now - *time)) : json::Value("<invalid>");
}

json::Value cell_of(const CustomColumn& column, const json::Value& object, Time now) {
  if (!column.path) return nullptr;
  auto found = column.path->find(object);
  if (found.empty()) return nullptr;
  const json::Value& value = *found.front();
  if (column.type == "string") return text_cell(value);
  if (value.is_null()) return nullptr;
  if (column.type == "integer") return integer_cell(value);
  if (column.type == "number") return value.is_number() ? value : json::Value(nullptr);
  if (column.type == "boolean") return value.is_bool() ? value : json::Value(nullptr);
  if (column.type == "date") return date_cell(value, now);
  return nullptr;
}

}  // namespace

Printer custom_printer(const api::Resource& resource) {
  auto declared = resource.columns;
  if (declared.empty())
    declared.push_back({.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"});
  Printer printer{.columns = {name_column()}, .print = {}};
  std::vector<CustomColumn> columns;
  for (const auto& column : declared) {
    auto description =
        column.description.empty()
            ? "Custom resource definition column (in JSONPath format): " + column.json_path
            : column.description;
    printer.columns.push_back(
        {column.name, column.type, column.format, std::move(description), column.priority});
    auto path = lang::JsonPath::parse(column.json_path);
    columns.push_back({column.type, path ? std::optional(std::move(*path)) : std::nullopt});
  }
  printer.print = [columns = std::move(columns)](const json::Value& object, Time now,
                                                 json::Array& cells) {
    cells.emplace_back(json::string_at(object, {"metadata", "name"}));
    for (const auto& column : columns) cells.push_back(cell_of(column, object, now));
  };
  return printer;
}

}  // namespace slipway::server
