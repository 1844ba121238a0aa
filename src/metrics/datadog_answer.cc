#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"

namespace slipway::metrics {

namespace {

std::unexpected<Error> wrong(std::string_view why, const json::Value& found) {
  return fail(ErrorCode::kInvalid, fmt::format("Could not parse JSON body: {}, found {}", why,
                                               excerpt(json::write(found))));
}

// What went wrong is told with status 200 too, as a text or a list of texts.
std::string errors_in(const json::Value& body, std::initializer_list<std::string_view> path) {
  const json::Value* errors = json::at(body, path);
  if (!errors || errors->is_null()) return {};
  if (const auto* text = errors->if_string()) return excerpt(*text);
  if (const auto* list = errors->if_array(); list && list->empty()) return {};
  return excerpt(json::write(*errors));
}

Result<Series> read_series(const json::Value& item) {
  Series series;
  for (std::string_view label : {"metric", "scope"}) {
    std::string_view text = json::string_at(item, {label});
    if (!text.empty()) series.labels.emplace_back(label, text);
  }
  const json::Value* points = json::at(item, {"pointlist"});
  if (!points || points->is_null()) return series;
  if (!points->is_array()) return wrong("pointlist is a list", *points);
  for (const json::Value& value : points->get_array()) {
    const auto* pair = value.if_array();
    if (!pair || pair->size() != 2) {
      return fail(ErrorCode::kInvalid,
                  fmt::format("Datapoint does not have 2 values: {}", excerpt(json::write(value))));
    }
    if ((*pair)[1].is_null()) continue;
    if (!(*pair)[0].is_number() || !(*pair)[1].is_number()) {
      return wrong("a point is [milliseconds, value]", value);
    }
    series.points.push_back({.time = from_unix_millis((*pair)[0].to_number<double>()),
                             .value = (*pair)[1].to_number<double>()});
  }
  return series;
}

// Columns of a scalar answer: those that name the group, and the first that holds numbers.
struct Columns {
  std::vector<const json::Value*> groups = {};
  const json::Value* numbers = nullptr;
};
Columns sort_columns(const json::Array& columns) {
  Columns sorted;
  for (const json::Value& column : columns) {
    if (json::string_at(column, {"type"}) == "group") {
      sorted.groups.push_back(&column);
    } else if (!sorted.numbers) {
      sorted.numbers = &column;
    }
  }
  return sorted;
}

// A group's value is a list of tags: ["web"].
std::string group_text(const json::Value& column, std::size_t row) {
  const json::Value* values = json::at(column, {"values"});
  const auto* rows = values ? values->if_array() : nullptr;
  if (!rows || row >= rows->size()) return {};
  std::string text;
  const auto* tags = (*rows)[row].if_array();
  if (!tags) return text;
  for (const json::Value& tag : *tags) {
    if (const auto* name = tag.if_string()) text += (text.empty() ? "" : ",") + std::string(*name);
  }
  return text;
}

void note_groups(Answer& answer) {
  json::Array groups;
  for (const Series& series : answer.series) {
    if (groups.size() == kMaxShownGroups) {
      answer.metadata.emplace_back("groups_truncated", "true");
      break;
    }
    json::Object group;
    for (const auto& [name, value] : series.labels) group[name] = value;
    groups.push_back(std::move(group));
  }
  answer.metadata.emplace_back("groups", json::write(json::Value(std::move(groups))));
}

}  // namespace

Result<Answer> parse_datadog_v1_answer(std::string_view body) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  if (!document->is_object()) return wrong("the answer is an object", *document);
  if (json::string_at(*document, {"status"}) == "error") {
    return fail(ErrorCode::kInvalid, fmt::format("There were errors in your query: {}",
                                                 errors_in(*document, {"error"})));
  }
  Answer answer;
  const json::Value* series = json::at(*document, {"series"});
  if (!series || series->is_null()) return answer;
  if (!series->is_array()) return wrong("series is a list", *series);
  for (const json::Value& item : series->get_array()) {
    auto read = read_series(item);
    if (!read) return fail(std::move(read).error());
    answer.series.push_back(std::move(*read));
  }
  return answer;
}

Result<Answer> parse_datadog_v2_answer(std::string_view body, Time at) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  if (!document->is_object()) return wrong("the answer is an object", *document);
  std::string errors = errors_in(*document, {"data", "errors"});
  if (errors.empty()) errors = errors_in(*document, {"errors"});
  if (!errors.empty()) {
    return fail(ErrorCode::kInvalid, "There were errors in your query: " + errors);
  }
  Answer answer{.shape = Answer::Shape::kScalar};
  const json::Value* columns = json::at(*document, {"data", "attributes", "columns"});
  if (!columns || !columns->is_array()) return answer;
  Columns sorted = sort_columns(columns->get_array());
  const json::Value* values = sorted.numbers ? json::at(*sorted.numbers, {"values"}) : nullptr;
  if (!values || values->is_null()) return answer;
  if (!values->is_array()) return wrong("values are a list", *values);
  if (!sorted.groups.empty()) answer.shape = Answer::Shape::kVector;
  for (std::size_t row = 0; row < values->get_array().size(); ++row) {
    const json::Value& value = values->get_array()[row];
    if (value.is_null()) continue;
    if (!value.is_number()) return wrong("a value is a number", value);
    Series series{.points = {{at, value.to_number<double>()}}};
    for (const json::Value* group : sorted.groups) {
      series.labels.emplace_back(json::string_at(*group, {"name"}), group_text(*group, row));
    }
    answer.series.push_back(std::move(series));
    if (sorted.groups.empty()) break;
  }
  if (answer.shape == Answer::Shape::kVector && !answer.series.empty()) note_groups(answer);
  return answer;
}

}  // namespace slipway::metrics
