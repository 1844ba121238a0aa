// The envelope of Prometheus' HTTP API, strict about what numbers are and mild about what is left
// out: VictoriaMetrics, Thanos and proxies differ in the latter.
#include <fmt/format.h>

#include "metrics/answer_parsers.h"
#include "metrics/http_source.h"
#include "metrics/limits.h"
#include "metrics/number.h"

namespace slipway::metrics {

namespace {

std::unexpected<Error> wrong(std::string_view why, const json::Value& found) {
  return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling result: {}, found {}", why,
                                               excerpt(json::write(found))));
}

ErrorCode code_of(std::string_view error_type) {
  if (error_type == "timeout") return ErrorCode::kTimeout;
  if (error_type == "unavailable" || error_type == "internal" || error_type == "canceled") {
    return ErrorCode::kUnavailable;
  }
  if (error_type == "not_found") return ErrorCode::kNotFound;
  return ErrorCode::kInvalid;
}

// [seconds, "value"]
Result<Point> read_point(const json::Value& value) {
  const auto* pair = value.if_array();
  if (!pair || pair->size() != 2 || !(*pair)[0].is_number()) {
    return wrong("a point is [seconds, \"value\"]", value);
  }
  auto number = to_number((*pair)[1]);
  if (!number) return wrong("a point's value is a number in quotes", value);
  return Point{.time = from_unix_seconds((*pair)[0].to_number<double>()), .value = *number};
}

Labels read_labels(const json::Value& item) {
  Labels labels;
  const json::Value* metric = json::at(item, {"metric"});
  if (!metric || !metric->is_object()) return labels;
  for (const auto& label : metric->get_object()) {
    if (const auto* text = label.value().if_string()) {
      labels.emplace_back(std::string(label.key()), std::string(*text));
    }
  }
  return labels;
}

Result<Series> read_series(const json::Value& item, Answer::Shape& shape) {
  if (!item.is_object()) return wrong("a series is an object", item);
  Series series{.labels = read_labels(item)};
  const json::Value* values = json::at(item, {"values"});
  const json::Value* value = json::at(item, {"value"});
  if (values && !values->is_null()) {
    if (!values->is_array()) return wrong("values are a list", *values);
    shape = Answer::Shape::kMatrix;
    series.points.reserve(values->get_array().size());
    for (const json::Value& pair : values->get_array()) {
      auto point = read_point(pair);
      if (!point) return fail(std::move(point).error());
      series.points.push_back(*point);
    }
  } else if (value && !value->is_null()) {
    auto point = read_point(*value);
    if (!point) return fail(std::move(point).error());
    series.points.push_back(*point);
  } else if (json::at(item, {"histogram"}) || json::at(item, {"histograms"})) {
    return fail(ErrorCode::kInvalid,
                "the query gives a native histogram; make it a number, "
                "with histogram_quantile() for example");
  }
  return series;
}

Result<Answer> read_result(std::string_view type, const json::Value& result, Answer answer) {
  if (!type.empty() && type != "scalar" && type != "vector" && type != "matrix") {
    return fail(ErrorCode::kInvalid, fmt::format("Prometheus metric type not supported: {}; use a "
                                                 "query that gives numbers",
                                                 excerpt(type)));
  }
  if (!result.is_array()) return wrong("the result is a list", result);
  const json::Array& items = result.get_array();
  bool scalar = type == "scalar" || (type.empty() && !items.empty() && items[0].is_number());
  if (scalar) {
    auto point = read_point(result);
    if (!point) return fail(std::move(point).error());
    answer.shape = Answer::Shape::kScalar;
    answer.series.push_back({.points = {*point}});
    return answer;
  }
  answer.shape = type == "matrix" ? Answer::Shape::kMatrix : Answer::Shape::kVector;
  answer.series.reserve(items.size());
  for (const json::Value& item : items) {
    auto series = read_series(item, answer.shape);
    if (!series) return fail(std::move(series).error());
    answer.series.push_back(std::move(*series));
  }
  return answer;
}

}  // namespace

Result<Answer> parse_prometheus_answer(std::string_view body) {
  auto envelope = read_answer(body);
  if (!envelope) return fail(std::move(envelope).error());
  if (!envelope->is_object()) return wrong("the answer is an object", *envelope);
  if (json::string_at(*envelope, {"status"}) == "error") {
    std::string_view type = json::string_at(*envelope, {"errorType"});
    return fail(code_of(type), fmt::format("{}: {}", type.empty() ? "error" : excerpt(type),
                                           excerpt(json::string_at(*envelope, {"error"}))));
  }
  Answer answer{.shape = Answer::Shape::kVector};
  for (std::string_view kind : {"warnings", "infos"}) {
    const json::Value* said = json::at(*envelope, {kind});
    if (!said || !said->is_array()) continue;
    for (const json::Value& warning : said->get_array()) {
      if (answer.warnings.size() == kMaxWarnings) break;
      if (const auto* text = warning.if_string()) answer.warnings.push_back(excerpt(*text));
    }
  }
  const json::Value* result = json::at(*envelope, {"data", "result"});
  if (!result || result->is_null()) return answer;
  return read_result(json::string_at(*envelope, {"data", "resultType"}), *result,
                     std::move(answer));
}

}  // namespace slipway::metrics
