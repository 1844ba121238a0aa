#include "metrics/reading.h"

#include <fmt/format.h>

#include <cmath>

#include "metrics/number.h"

namespace slipway::metrics {

namespace {

using std::chrono::seconds;
using Blanks = Reading::Blanks;
using From = Reading::From;
using Which = Reading::Which;
using Outcome = Reading::Outcome;

struct Row {
  std::string_view type;
  Reading reading;
};

// Flagger: spec.provider.type. Windows of ten intervals are the originals'.
const Row kFlagger[] = {
    {"prometheus",
     {.blanks = Blanks::kCollapse,
      .source_clock = true,
      .timeout = seconds(5),
      .point = Which::kOnly}},
    {"influxdb", {.timeout = seconds(15), .point = Which::kOldest}},
    {"datadog", {.window = 10, .timeout = seconds(5), .point = Which::kOldest}},
    {"newrelic", {.window = 1, .timeout = seconds(5)}},
    {"graphite",
     {.blanks = Blanks::kCollapse, .timeout = seconds(5), .series = From::kLastWithPoints}},
    {"dynatrace",
     {.window = 10,
      .timeout = seconds(5),
      .series = From::kLastOfFirstMetric,
      .point = Which::kOldest}},
    {"stackdriver", {.timeout = seconds(30)}},
    {"cloudwatch", {.window = 10, .timeout = seconds(30)}},
    {"splunk", {.window = 10, .timeout = seconds(60), .series = From::kOnly}},
    {"keptn", {.timeout = seconds(10)}},
    {"externalmetrics", {.timeout = seconds(5)}},
    {"wavefront", {.timeout = seconds(10)}},
    {"skywalking", {.window = 1, .timeout = seconds(30)}},
    {"web", {.timeout = seconds(10)}},
};

const Row kPipecd[] = {
    {"prometheus", {.window = 1, .max_step = seconds(60)}},
    {"datadog", {.window = 1}},
};

const Row kArgo[] = {
    {"prometheus", {.outcome = Outcome::kList}},
    {"web", {.timeout = seconds(10), .outcome = Outcome::kDocument}},
    {"datadog", {.window = 1, .timeout = seconds(10), .outcome = Outcome::kNumberOrList}},
    {"wavefront", {.outcome = Outcome::kNearest}},
    {"newrelic", {.timeout = seconds(5), .outcome = Outcome::kDocumentRows}},
    {"cloudwatch", {.window = 1, .outcome = Outcome::kDocumentLists}},
    {"graphite",
     {.blanks = Blanks::kRemove, .timeout = seconds(10), .outcome = Outcome::kFirstSeries}},
    {"influxdb", {.outcome = Outcome::kDocumentValues}},
    {"skywalking", {.window = 1, .outcome = Outcome::kDocument}},
    {"dynatrace", {.window = 1, .outcome = Outcome::kNumber}},
    {"stackdriver", {.outcome = Outcome::kNumber}},
    {"splunk", {.window = 1, .outcome = Outcome::kNumberOrList}},
    {"keptn", {.outcome = Outcome::kNumber}},
    {"externalmetrics", {.outcome = Outcome::kList}},
};

template <std::size_t N>
const Reading* find(const Row (&rows)[N], std::string_view type) {
  for (const Row& row : rows) {
    if (row.type == type) return &row.reading;
  }
  return nullptr;
}

std::string blanks_changed(const std::string& text, Blanks blanks) {
  if (blanks == Blanks::kKeep) return text;
  std::string result;
  bool inside = false;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    if (!blank) result += c;
    if (blank && !inside && blanks == Blanks::kCollapse) result += ' ';
    inside = blank;
  }
  return result;
}

Result<const Series*> choose_series(From from, const Answer& answer) {
  const Series* chosen = nullptr;
  for (const Series& series : answer.series) {
    if (from == From::kFirst) return &series;
    if (from == From::kLastOfFirstMetric) {
      const Labels& first = answer.series.front().labels;
      bool same = first.empty() ? series.labels.empty()
                                : !series.labels.empty() && series.labels[0] == first[0];
      if (same) chosen = &series;
    } else if (!series.points.empty()) {
      if (chosen && from == From::kOnly) {
        return fail(ErrorCode::kInvalid, std::string(kMultipleValues));
      }
      chosen = &series;
    }
  }
  return chosen;
}

}  // namespace

const Reading& reading_for(Dialect dialect, std::string_view provider_type) {
  static const Reading kOther = {};
  const Reading* found = nullptr;
  if (dialect == Dialect::kFlagger) found = find(kFlagger, provider_type);
  if (dialect == Dialect::kPipecd) found = find(kPipecd, provider_type);
  if (dialect == Dialect::kArgo) found = find(kArgo, provider_type);
  return found ? *found : kOther;
}

Query make_query(const Reading& reading, std::string text, Time at, Duration interval) {
  Query query{.text = blanks_changed(text, reading.blanks), .at = at, .timeout = reading.timeout};
  if (reading.window > 0 && interval > Duration::zero()) {
    query.range = Range{.from = at - reading.window * interval,
                        .to = at,
                        .step = std::min(reading.max_step, interval)};
  } else if (reading.source_clock) {
    query.at = Time();
  }
  return query;
}

Result<std::optional<double>> read_number(const Reading& reading, const Answer& answer) {
  if (reading.point == Which::kOnly && answer.shape == Answer::Shape::kMatrix &&
      !answer.series.empty()) {
    return fail(ErrorCode::kInvalid, std::string(kMultipleValues));
  }
  auto series = choose_series(reading.series, answer);
  if (!series) return fail(std::move(series).error());
  if (!*series || (*series)->points.empty()) {
    // Values there are, but no numbers: that is not the same as nothing.
    const json::Array* values = answer.document ? answer.document->if_array() : nullptr;
    bool other = answer.series.size() == 1 && values && !values->empty() &&
                 ((*values)[0].is_string() || (*values)[0].is_bool());
    if (other) {
      return fail(ErrorCode::kInvalid, fmt::format("invalid response: the value {} is no number",
                                                   json::write((*values)[0])));
    }
    return std::optional<double>();
  }
  const std::vector<Point>& points = (*series)->points;
  double value = reading.point == Which::kOldest ? points.front().value : points.back().value;
  if (std::isnan(value)) return std::optional<double>();
  return std::optional<double>(value);
}

FlatPoints read_points(const Answer& answer) {
  FlatPoints flat;
  for (const Series& series : answer.series) {
    if (series.points.empty()) return {.no_data = "no data found: a series has no points"};
    for (const Point& point : series.points) {
      if (std::isnan(point.value)) {
        return {.no_data =
                    fmt::format("no data found: the value at {} is NaN", format_time(point.time))};
      }
      flat.points.push_back({std::chrono::floor<std::chrono::seconds>(point.time), point.value});
    }
  }
  return flat;
}

}  // namespace slipway::metrics
