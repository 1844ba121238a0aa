#include "metrics/cloudwatch_query.h"

#include <fmt/format.h>

#include "http/message.h"
#include "metrics/http_source.h"
#include "metrics/number.h"

namespace slipway::metrics {

namespace {

std::unexpected<Error> wrong(std::string_view why) {
  return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling query: {}", why));
}

// Go reads keys without regard to case, so both spellings work there too.
const json::Value* find(const json::Value& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  for (const auto& member : object.get_object()) {
    if (http::same_name(std::string_view(member.key()), key) && !member.value().is_null()) {
      return &member.value();
    }
  }
  return nullptr;
}

class Flattener {
 public:
  Result<> query(const std::string& prefix, const json::Value& query) {
    if (!query.is_object())
      return wrong("a query is an object with Id and MetricStat or Expression");
    for (std::string_view field :
         {"AccountId", "Expression", "Id", "Label", "Period", "ReturnData"}) {
      SLIPWAY_TRY(scalar(prefix, query, field));
    }
    const json::Value* stat = find(query, "MetricStat");
    if (!stat) return {};
    for (std::string_view field : {"Period", "Stat", "Unit"}) {
      SLIPWAY_TRY(scalar(prefix + ".MetricStat", *stat, field));
    }
    const json::Value* metric = find(*stat, "Metric");
    return metric ? this->metric(prefix + ".MetricStat.Metric", *metric) : Result<>();
  }

  Labels parameters;

 private:
  Result<> metric(const std::string& prefix, const json::Value& metric) {
    for (std::string_view field : {"MetricName", "Namespace"}) {
      SLIPWAY_TRY(scalar(prefix, metric, field));
    }
    const json::Value* dimensions = find(metric, "Dimensions");
    if (!dimensions) return {};
    if (!dimensions->is_array()) return wrong("Dimensions are a list");
    std::size_t number = 0;
    for (const json::Value& dimension : dimensions->get_array()) {
      std::string member = fmt::format("{}.Dimensions.member.{}", prefix, ++number);
      SLIPWAY_TRY(scalar(member, dimension, "Name"));
      SLIPWAY_TRY(scalar(member, dimension, "Value"));
    }
    return {};
  }

  Result<> scalar(const std::string& prefix, const json::Value& object, std::string_view field) {
    const json::Value* value = find(object, field);
    if (!value) return {};
    std::string text;
    if (const auto* string = value->if_string()) {
      text = std::string(*string);
    } else if (const auto* yes = value->if_bool()) {
      text = *yes ? "true" : "false";
    } else if (value->is_number()) {
      text = plain_text(value->to_number<double>());
    } else {
      return wrong(fmt::format("{} is no text or number: {}", field, excerpt(json::write(*value))));
    }
    // An empty unit or label is one that is not given.
    if (!text.empty()) parameters.emplace_back(fmt::format("{}.{}", prefix, field), text);
    return {};
  }
};

}  // namespace

Result<Labels> cloudwatch_parameters(std::string_view text) {
  auto queries = json::read(text);
  if (!queries) return wrong(queries.error().message);
  if (!queries->is_array()) return wrong("it is a JSON list of metric data queries");
  if (queries->get_array().size() > kMaxMetricDataQueries) {
    return wrong(fmt::format("more than {} queries", kMaxMetricDataQueries));
  }
  Flattener flat;
  std::size_t number = 0;
  for (const json::Value& query : queries->get_array()) {
    SLIPWAY_TRY(flat.query(fmt::format("MetricDataQueries.member.{}", ++number), query));
  }
  return std::move(flat.parameters);
}

}  // namespace slipway::metrics
