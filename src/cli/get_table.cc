#include "cli/get_table.h"

#include <fmt/format.h>

#include "base/text.h"

namespace slipway::cli {

namespace {

// Of several lines the first.
std::string cell(const json::Value& value) {
  if (value.is_null()) return "<none>";
  if (!value.is_string()) return escaped(json::write(value));
  const std::string_view text = value.get_string();
  const auto end = text.find_first_of("\f\n\r");
  return escaped(text.substr(0, end)) + (end == std::string_view::npos ? "" : "...");
}

// Some servers do not say where it is.
std::size_t name_column(const json::Array& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (json::string_at(columns[i], {"format"}) == "name") return i;
  return 0;
}

std::string labels_of(const json::Value& row) {
  const json::Value* labels = json::at(row, {"object", "metadata", "labels"});
  std::string text;
  if (labels && labels->is_object())
    for (const auto& label : labels->get_object())
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", std::string_view(label.key()),
                          cell(label.value()));
  return text.empty() ? "<none>" : text;
}

const json::Array* array_at(const json::Value& value, json::Path path) {
  const json::Value* found = json::at(value, path);
  return found && found->is_array() ? &found->get_array() : nullptr;
}

json::Object row_of(const json::Value& object, Time now) {
  const auto made = parse_time(json::string_at(object, {"metadata", "creationTimestamp"}));
  return {{"cells", json::Array{json::string_at(object, {"metadata", "name"}),
                                made ? format_age(now - *made) : "<unknown>"}},
          {"object", object}};
}

json::Value table_of(const json::Value& answer, Time now) {
  json::Array rows;
  if (const json::Array* items = array_at(answer, {"items"}))
    for (const json::Value& item : *items) rows.push_back(row_of(item, now));
  else
    rows.push_back(row_of(answer, now));
  return json::Object{{"columnDefinitions",
                       json::Array{json::Object{{"name", "Name"}}, json::Object{{"name", "Age"}}}},
                      {"rows", std::move(rows)}};
}

}  // namespace

std::vector<std::vector<std::string>> TableReader::rows(const ServedKind& kind,
                                                        const json::Value& answer, bool header,
                                                        Time now) {
  const bool is_table = json::string_at(answer, {"kind"}) == "Table";
  const json::Value made = is_table ? json::Value() : table_of(answer, now);
  const json::Value& table = is_table ? answer : made;
  std::vector<std::vector<std::string>> lines;
  const json::Array* found = array_at(table, {"rows"});
  if (!found || found->empty()) return lines;
  if (const json::Array* columns = array_at(table, {"columnDefinitions"})) columns_ = *columns;
  if (header && style_.format != Format::kName) lines.push_back(header_of(kind));
  for (const json::Value& row : *found) lines.push_back(line_of(kind, row));
  return lines;
}

bool TableReader::shown(const json::Value& column) const {
  const json::Value* priority = json::at(column, {"priority"});
  return style_.format == Format::kWide || !priority || priority->to_number<int>() == 0;
}

std::vector<std::string> TableReader::header_of(const ServedKind& kind) const {
  std::vector<std::string> line;
  if (style_.with_namespace && kind.namespaced) line.push_back("NAMESPACE");
  for (const json::Value& column : columns_)
    if (shown(column)) line.push_back(text::upper(json::string_at(column, {"name"})));
  if (style_.with_labels) line.push_back("LABELS");
  return line;
}

std::vector<std::string> TableReader::line_of(const ServedKind& kind,
                                              const json::Value& row) const {
  if (style_.format == Format::kName)
    return {kind.object_name(json::string_at(row, {"object", "metadata", "name"}))};
  std::vector<std::string> line;
  if (style_.with_namespace && kind.namespaced)
    line.emplace_back(json::string_at(row, {"object", "metadata", "namespace"}));
  const json::Array* cells = array_at(row, {"cells"});
  const std::size_t name = name_column(columns_);
  for (std::size_t i = 0; cells && i < cells->size() && i < columns_.size(); ++i) {
    if (!shown(columns_[i])) continue;
    const std::string text = cell((*cells)[i]);
    line.push_back(i == name && style_.type_before_name ? kind.object_name(text) : text);
  }
  if (style_.with_labels) line.push_back(labels_of(row));
  return line;
}

}  // namespace slipway::cli
