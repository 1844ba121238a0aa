#include "judge/kayenta/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace slipway::judge::kayenta {

namespace {

std::unexpected<Error> refuse(const json::Value& found, std::string_view wanted,
                              const std::string& where) {
  return fail(ErrorCode::kInvalid, fmt::format("{} is not {}", json::write(found), wanted), where);
}

const json::Value* member(const json::Value& value, std::string_view key) {
  const auto* found = json::at(value, {key});
  return found == nullptr || found->is_null() ? nullptr : found;
}

template <class Target>
Result<> read_number(const json::Value& value, std::string_view key, const std::string& where,
                     Target& target) {
  const auto* found = member(value, key);
  if (found == nullptr) return {};
  if (!found->is_number()) return refuse(*found, "a number", fmt::format("{}.{}", where, key));
  target = found->to_number<double>();
  return {};
}

Result<> read_bool(const json::Value& value, std::string_view key, const std::string& where,
                   bool& target) {
  const auto* found = member(value, key);
  if (found == nullptr) return {};
  if (!found->is_bool()) return refuse(*found, "true or false", fmt::format("{}.{}", where, key));
  target = found->as_bool();
  return {};
}

Result<> read_effect_size(const json::Value& size, const std::string& where, EffectSize& out) {
  if (json::string_at(size, {"measure"}) == "cles") out.measure = Measure::kCles;
  SLIPWAY_TRY(read_number(size, "allowedIncrease", where, out.allowed_increase));
  SLIPWAY_TRY(read_number(size, "allowedDecrease", where, out.allowed_decrease));
  SLIPWAY_TRY(read_number(size, "criticalIncrease", where, out.critical_increase));
  return read_number(size, "criticalDecrease", where, out.critical_decrease);
}

Result<ConfiguredMetric> read_configured(const json::Value& value, const std::string& where) {
  ConfiguredMetric out{.name = std::string(json::string_at(value, {"name"}))};
  if (out.name.empty())
    return fail(ErrorCode::kInvalid, "a metric needs a name", fmt::format("{}.name", where));
  if (const auto* groups = member(value, "groups")) {
    if (!groups->is_array()) return refuse(*groups, "a list", fmt::format("{}.groups", where));
    for (const auto& group : groups->as_array()) {
      if (!group.is_string())
        return refuse(group, "the name of a group", fmt::format("{}.groups", where));
      out.groups.emplace_back(group.as_string());
    }
  }
  const auto* canary = json::at(value, {"analysisConfigurations", "canary"});
  if (canary == nullptr || canary->is_null()) return out;
  auto metric = read_metric(*canary, where + ".analysisConfigurations.canary");
  if (!metric) return std::unexpected(std::move(metric).error());
  out.metric = *metric;
  return out;
}

Result<> read_metrics(const json::Value& config, CanaryConfig& out) {
  const auto* metrics = member(config, "metrics");
  if (metrics == nullptr || !metrics->is_array() || metrics->as_array().empty())
    return fail(ErrorCode::kInvalid, "a canary configuration needs at least one metric", "metrics");
  if (metrics->as_array().size() > kMaxMetrics)
    return fail(ErrorCode::kInvalid,
                fmt::format("{} metrics are too many; {} are allowed", metrics->as_array().size(),
                            kMaxMetrics),
                "metrics");
  for (std::size_t i = 0; i < metrics->as_array().size(); ++i) {
    const auto where = fmt::format("metrics[{}]", i);
    auto metric = read_configured(metrics->as_array()[i], where);
    if (!metric) return std::unexpected(std::move(metric).error());
    if (std::ranges::find(out.metrics, metric->name, &ConfiguredMetric::name) != out.metrics.end())
      return fail(
          ErrorCode::kInvalid,
          fmt::format("\"{}\" is the name of an earlier metric; names must differ", metric->name),
          where + ".name");
    out.metrics.push_back(std::move(*metric));
  }
  return {};
}

Result<> read_weights(const json::Value& config, CanaryConfig& out) {
  const auto* weights = json::at(config, {"classifier", "groupWeights"});
  if (weights == nullptr || weights->is_null()) return {};
  if (!weights->is_object())
    return refuse(*weights, "an object of numbers", "classifier.groupWeights");
  for (const auto& [group, weight] : weights->as_object()) {
    if (!weight.is_number())
      return refuse(weight, "a number",
                    fmt::format("classifier.groupWeights.{}", std::string_view(group)));
    out.group_weights[std::string(group)] = weight.to_number<double>();
  }
  return {};
}

}  // namespace

Result<Metric> read_metric(const json::Value& canary, const std::string& where) {
  Metric out;
  if (!canary.is_object()) return refuse(canary, "an object", where);
  if (auto direction = parse_direction(json::string_at(canary, {"direction"})))
    out.direction = *direction;
  if (json::string_at(canary, {"nanStrategy"}) == "replace")
    out.nan_strategy = NanStrategy::kReplace;
  SLIPWAY_TRY(read_bool(canary, "critical", where, out.critical));
  SLIPWAY_TRY(read_bool(canary, "mustHaveData", where, out.must_have_data));
  SLIPWAY_TRY(read_bool(canary, "muted", where, out.muted));
  if (const auto* outliers = member(canary, "outliers")) {
    out.remove_outliers = json::string_at(*outliers, {"strategy"}) == "remove";
    SLIPWAY_TRY(read_number(*outliers, "outlierFactor", where + ".outliers", out.outlier_factor));
    if (!(out.outlier_factor > 0))
      return fail(ErrorCode::kInvalid,
                  fmt::format("{} is not a factor; write a number above 0", out.outlier_factor),
                  where + ".outliers.outlierFactor");
  }
  if (const auto* size = member(canary, "effectSize"))
    SLIPWAY_TRY(read_effect_size(*size, where + ".effectSize", out.effect_size));
  return out;
}

Result<CanaryConfig> read_config(const json::Value& config) {
  CanaryConfig out{.name = std::string(json::string_at(config, {"name"}))};
  SLIPWAY_TRY(read_metrics(config, out));
  SLIPWAY_TRY(read_weights(config, out));
  if (const auto* thresholds = json::at(config, {"classifier", "scoreThresholds"})) {
    const std::string where = "classifier.scoreThresholds";
    SLIPWAY_TRY(read_number(*thresholds, "pass", where, out.thresholds.pass));
    SLIPWAY_TRY(read_number(*thresholds, "marginal", where, out.thresholds.marginal));
  }
  return out;
}

Result<Judgement> judge_canary(const CanaryConfig& config, const Thresholds& thresholds,
                               const std::vector<MetricPair>& pairs) {
  Judgement out;
  std::vector<MetricResult> results;
  for (const auto& pair : pairs) {
    const auto found = std::ranges::find(config.metrics, pair.name, &ConfiguredMetric::name);
    if (found == config.metrics.end())
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is not a metric of the canary configuration", pair.name));
    auto classified = classify(pair.control, pair.experiment, found->metric);
    if (!classified) return std::unexpected(std::move(classified).error());
    results.push_back({.name = pair.name,
                       .groups = found->groups,
                       .label = classified->label,
                       .critical = classified->critical,
                       .muted = found->metric.muted,
                       .reason = classified->answer.reason});
    out.metrics.push_back(std::move(*classified));
  }
  out.score = score(results, config.group_weights, thresholds);
  return out;
}

}  // namespace slipway::judge::kayenta
