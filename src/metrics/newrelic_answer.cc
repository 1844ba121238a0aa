#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "metrics/answer_parsers.h"
#include "metrics/graphql.h"
#include "metrics/http_source.h"
#include "metrics/number.h"

namespace slipway::metrics {

namespace {

constexpr std::string_view kNoValues[] = {"beginTimeSeconds", "endTimeSeconds", "timestamp",
                                          "inspectedCount"};

// The one number of a row, whatever the query calls it; nothing when there are several.
std::optional<double> only_number(const json::Object& row) {
  std::optional<double> found;
  for (const auto& field : row) {
    bool aside = std::find(std::begin(kNoValues), std::end(kNoValues),
                           std::string_view(field.key())) != std::end(kNoValues);
    if (aside || !field.value().is_number()) continue;
    if (found) return std::nullopt;
    found = field.value().to_number<double>();
  }
  return found;
}

Time time_of(const json::Value& row, Time at) {
  if (const json::Value* end = json::at(row, {"endTimeSeconds"}); end && end->is_number()) {
    return from_unix_seconds(end->to_number<double>());
  }
  if (const json::Value* stamp = json::at(row, {"timestamp"}); stamp && stamp->is_number()) {
    return from_unix_millis(stamp->to_number<double>());
  }
  return at;
}

void add_row(const json::Value& row, Time at, Answer& answer,
             std::map<std::string, std::size_t>& series_of) {
  const auto* object = row.if_object();
  auto number = object ? only_number(*object) : std::nullopt;
  if (!number) return;
  const json::Value* facet = json::at(row, {"facet"});
  std::string key = facet ? json::write(*facet) : std::string();
  auto [entry, added] = series_of.try_emplace(key, answer.series.size());
  if (added) {
    Series series;
    if (facet) {
      series.labels.emplace_back("facet",
                                 facet->is_string() ? std::string(facet->get_string()) : key);
    }
    answer.series.push_back(std::move(series));
  }
  answer.series[entry->second].points.push_back({time_of(row, at), *number});
}

// What TIMESERIES gives: rows of their own, each with the one result of its step.
Answer over_time(const json::Array& steps, Time at) {
  Answer answer{.shape = Answer::Shape::kMatrix};
  Series series;
  for (const json::Value& step : steps) {
    const json::Value* results = json::at(step, {"results"});
    const auto* list = results ? results->if_array() : nullptr;
    const auto* row = list && list->size() == 1 ? list->front().if_object() : nullptr;
    if (const auto number = row ? only_number(*row) : std::nullopt)
      series.points.push_back({time_of(step, at), *number});
  }
  if (!series.points.empty()) answer.series.push_back(std::move(series));
  return answer;
}

}  // namespace

Result<Answer> parse_insights_answer(std::string_view body, Time at) {
  auto document = read_answer(body);
  if (!document) return fail(std::move(document).error());
  if (std::string_view error = json::string_at(*document, {"error"}); !error.empty()) {
    return fail(ErrorCode::kInvalid, fmt::format("error response: {}", excerpt(error)));
  }
  if (const json::Value* steps = json::at(*document, {"timeSeries"}); steps && steps->is_array())
    return over_time(steps->get_array(), at);
  Answer answer{.shape = Answer::Shape::kScalar};
  const json::Value* results = json::at(*document, {"results"});
  if (!results || !results->is_array()) return answer;
  answer.document = *results;
  // The API names a number after its function; only arithmetic is called `result`, and only one of
  // it is a single value.
  if (results->get_array().size() != 1) return answer;
  const json::Value* result = json::at(results->get_array()[0], {"result"});
  if (result && result->is_number()) {
    answer.series.push_back({.points = {{at, result->to_number<double>()}}});
  }
  return answer;
}

Result<Answer> parse_nerdgraph_answer(std::string_view body, Time at) {
  auto data = read_graphql(body);
  if (!data) return fail(std::move(data).error());
  Answer answer{.shape = Answer::Shape::kMatrix};
  answer.document = json::Array();
  const json::Value* results = json::at(*data, {"actor", "account", "nrql", "results"});
  if (!results || results->is_null()) return answer;
  if (!results->is_array()) {
    return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling result: results are a list, "
                                                 "found {}",
                                                 excerpt(json::write(*results))));
  }
  answer.document = *results;
  std::map<std::string, std::size_t> series_of;
  for (const json::Value& row : results->get_array()) add_row(row, at, answer, series_of);
  return answer;
}

}  // namespace slipway::metrics
