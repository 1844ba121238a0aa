#include "cli/query_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/report/plain_text.h"
#include "analysis/report/sparkline.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

using analysis::report::one_line;
using analysis::report::short_number;
using analysis::report::shortened;

constexpr std::size_t kTrendWidth = 24;
constexpr std::size_t kMaxLabels = 70;  // characters
constexpr std::size_t kMaxDocument = 2000;

double seconds(Time time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }

std::string labels_text(const metrics::Series& series) {
  std::string name, rest;
  for (const auto& [key, value] : series.labels) {
    if (key == "__name__")
      name = value;
    else
      rest += fmt::format("{}{}=\"{}\"", rest.empty() ? "" : ", ", key, value);
  }
  return shortened(one_line(rest.empty() && !name.empty() ? name : name + "{" + rest + "}"),
                   kMaxLabels);
}

std::vector<std::string> row_of(const metrics::Series& series, bool over_time) {
  if (series.points.empty()) return {labels_text(series), "no data"};
  const auto& newest = series.points.back();
  if (!over_time)
    return {labels_text(series), short_number(newest.value), format_time(newest.time)};
  std::vector<double> values;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const auto& point : series.points) {
    values.push_back(point.value);
    if (std::isnan(point.value)) continue;
    least = std::min(least, point.value);
    most = std::max(most, point.value);
  }
  const bool numbers = least <= most;
  return {labels_text(series),
          std::to_string(series.points.size()),
          numbers ? short_number(least) : "-",
          numbers ? short_number(most) : "-",
          short_number(newest.value),
          analysis::report::sparkline(values, kTrendWidth)};
}

// As deep as json::read goes.
void clean(json::Value& value, const analysis::Redactor& redactor) {
  if (value.is_string()) value = redactor.cleaned(std::string(value.get_string()));
  if (value.is_array())
    for (auto& element : value.get_array()) clean(element, redactor);
  if (!value.is_object()) return;
  json::Object cleaned;
  for (auto& [key, member] : value.get_object()) {
    clean(member, redactor);
    cleaned[redactor.cleaned(std::string(key))] = std::move(member);
  }
  value = std::move(cleaned);
}

bool has_content(const json::Value& document) {
  if (document.is_null()) return false;
  if (document.is_array()) return !document.get_array().empty();
  return !document.is_string() || !document.get_string().empty();
}

}  // namespace

std::optional<double> first_number(const metrics::Answer& answer) {
  for (const auto& series : answer.series)
    for (auto point = series.points.rbegin(); point != series.points.rend(); ++point)
      if (!std::isnan(point->value)) return point->value;
  return std::nullopt;
}

void clean(metrics::Answer& answer, const analysis::Redactor& redactor) {
  if (redactor.empty()) return;
  for (auto& series : answer.series)
    for (auto& [name, value] : series.labels) value = redactor.cleaned(std::move(value));
  if (answer.document) clean(*answer.document, redactor);
  if (answer.text) *answer.text = redactor.cleaned(std::move(*answer.text));
}

bool is_empty(const metrics::Answer& answer) {
  const bool document = answer.shape == metrics::Answer::Shape::kDocument && answer.document &&
                        has_content(*answer.document);
  return !first_number(answer) && !document;
}

json::Object to_json(const metrics::Answer& answer) {
  json::Array all;
  for (const auto& series : answer.series) {
    json::Object labels;
    for (const auto& [key, value] : series.labels) labels[key] = value;
    json::Array points;
    for (const auto& point : series.points)
      points.push_back(json::Array{seconds(point.time), point.value});
    all.push_back(json::Object{{"labels", std::move(labels)}, {"points", std::move(points)}});
  }
  const auto value = first_number(answer);
  json::Object out{{"series", std::move(all)},
                   {"value", value ? json::Value(*value) : json::Value(nullptr)}};
  if (answer.document && answer.shape == metrics::Answer::Shape::kDocument)
    out["document"] = *answer.document;
  if (!answer.warnings.empty()) {
    json::Array warnings;
    for (const auto& warning : answer.warnings) warnings.push_back(json::Value(warning));
    out["warnings"] = std::move(warnings);
  }
  return out;
}

std::string table_of(const metrics::Answer& answer) {
  if (answer.series.empty() && answer.document)
    return shortened(one_line(answer.document->is_string()
                                  ? std::string_view(answer.document->get_string())
                                  : json::write(*answer.document)),
                     kMaxDocument) +
           "\n";
  const bool over_time = std::ranges::any_of(
      answer.series, [](const metrics::Series& series) { return series.points.size() > 1; });
  std::vector<std::vector<std::string>> rows;
  if (over_time)
    rows.push_back({"SERIES", "POINTS", "LEAST", "GREATEST", "LAST", "TREND"});
  else
    rows.push_back({"SERIES", "VALUE", "AT"});
  const std::size_t shown = std::min(answer.series.size(), kMaxShownSeries);
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_of(answer.series[i], over_time));
  std::string text = align(rows);
  if (shown < answer.series.size())
    text += fmt::format("… and {} more series; -o json shows all\n", answer.series.size() - shown);
  return text;
}

}  // namespace slipway::cli
