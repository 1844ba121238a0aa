#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "api/rules/argo_rules.h"
#include "api/rules/place.h"

// Metrics of analyses, and Experiments.
namespace slipway::api::argo {

namespace {

constexpr std::int32_t kProgressDeadlineSeconds = 600;

void say(std::string field, std::string message, Findings& findings) {
  findings.add({"FieldValueInvalid", std::move(message), std::move(field)});
}

bool waits_for_arguments(const std::optional<IntOrString>& number) {
  return number && is_templated(number->text);
}
std::int64_t value_or_zero(const std::optional<IntOrString>& number) {
  return number ? number->int_value() : 0;
}

struct Limits {
  std::int64_t count, failures, successes, inconclusive;
};

// Empty when the limits make sense together.
std::string limits_problem(const Limits& limits) {
  if (limits.count <= 0) return {};
  if (limits.failures >= 0 && limits.count < limits.failures + limits.successes)
    return fmt::format(
        "count ({}) must be >= failureLimit + consecutiveSuccessLimit ({} + {}) if both >= 0",
        limits.count, limits.failures, limits.successes);
  if (limits.failures < 0 && limits.count < limits.successes)
    return "count must be >= consecutiveSuccessLimit";
  return limits.count < limits.inconclusive ? "count must be >= inconclusiveLimit" : std::string();
}

void validate_limits(const Metric& metric, const std::string& path, Findings& findings) {
  for (const auto* number : {&metric.count, &metric.failure_limit, &metric.inconclusive_limit,
                             &metric.consecutive_error_limit, &metric.consecutive_success_limit})
    if (waits_for_arguments(*number)) return;
  const Limits limits{.count = value_or_zero(metric.count),
                      .failures = value_or_zero(metric.failure_limit),
                      .successes = value_or_zero(metric.consecutive_success_limit),
                      .inconclusive = value_or_zero(metric.inconclusive_limit)};
  if (limits.successes < 0)
    say(path + ".consecutiveSuccessLimit", "consecutiveSuccessLimit must be >= 0", findings);
  if (limits.failures < -1)
    say(path + ".failureLimit", "failureLimit must be >= 0, or -1 to be disabled", findings);
  if (limits.failures == -1 && limits.successes == 0)
    say(path + ".failureLimit", "failureLimit and consecutiveSuccessLimit cannot both be disabled",
        findings);
  if (limits.inconclusive < 0)
    say(path + ".inconclusiveLimit", "inconclusiveLimit must be >= 0", findings);
  if (value_or_zero(metric.consecutive_error_limit) < 0)
    say(path + ".consecutiveErrorLimit", "consecutiveErrorLimit must be >= 0", findings);
  if (std::string problem = limits_problem(limits); !problem.empty())
    say(path + ".count", std::move(problem), findings);
  if (limits.count > 1 && metric.interval.empty())
    say(path + ".interval", "interval must be specified when count > 1", findings);
}

void validate_duration(const GoDuration& duration, std::string path, std::string_view what,
                       Findings& findings) {
  if (duration.empty() || is_templated(duration.text)) return;
  if (const Result<Duration> value = duration.value(); !value)
    say(std::move(path), fmt::format("invalid {} string: {}", what, value.error().message),
        findings);
}

std::size_t count_providers(const MetricProvider& provider) {
  const json::Object given = encode(provider);
  const Place plugins(given.if_contains("plugin"), "");
  return given.size() - (given.contains("plugin") ? 1 : 0) + plugins.size();
}

// A side of a comparison needs one source, or says that there is nothing to compare with.
void validate_side(const CompareSide& side, const std::string& path, Findings& findings) {
  const json::Object given = encode(side);
  std::size_t sources = given.size();
  for (const char* beside : {"ago", "recorded", "exposure"}) sources -= given.count(beside);
  if (sources > 1) say(path, "multiple providers specified", findings);
  if (sources == 0 && !side.recorded) say(path, "no provider specified", findings);
}

void validate_compare(const CompareMetric& compare, const std::string& path, Findings& findings) {
  validate_side(compare.control, path + ".control", findings);
  validate_side(compare.experiment, path + ".experiment", findings);
  if (compare.control.exposure.empty() != compare.experiment.exposure.empty())
    say(path, "exposure must be given for both sides, or for none", findings);
}

void validate_score(const ScoreMetric& score, const std::string& path, Findings& findings) {
  for (std::size_t i = 0; i < score.pairs.size(); ++i) {
    const std::string at = fmt::format("{}.pairs[{}]", path, i);
    validate_side(score.pairs[i].control, at + ".control", findings);
    validate_side(score.pairs[i].experiment, at + ".experiment", findings);
  }
}

void validate_metric(const Metric& metric, const std::string& path, Findings& findings) {
  validate_limits(metric, path, findings);
  validate_duration(metric.interval, path + ".interval", "interval", findings);
  validate_duration(metric.initial_delay, path + ".initialDelay", "startDelay", findings);
  const std::size_t providers = count_providers(metric.provider);
  if (providers == 0) say(path + ".provider", "no provider specified", findings);
  if (providers > 1) say(path + ".provider", "multiple providers specified", findings);
  if (metric.provider.compare)
    validate_compare(*metric.provider.compare, path + ".provider.compare", findings);
  if (metric.provider.score)
    validate_score(*metric.provider.score, path + ".provider.score", findings);
}

bool matches_any(const std::string& rule, const std::vector<Metric>& metrics) {
  const RE2 pattern(rule, RE2::Quiet);
  return pattern.ok() && std::ranges::any_of(metrics, [&](const Metric& metric) {
           return RE2::PartialMatch(metric.name, pattern);
         });
}

}  // namespace

void validate_metrics(const std::vector<Metric>& metrics, const std::string& path,
                      Findings& findings) {
  if (metrics.empty()) say(path, "no metrics specified", findings);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", path, i);
    if (!names.insert(metrics[i].name).second)
      say(at + ".name", fmt::format("duplicate name '{}'", metrics[i].name), findings);
    validate_metric(metrics[i], at, findings);
  }
}

void validate_name_rules(const std::vector<Metric>& metrics, const std::vector<DryRun>& dry_run,
                         const std::vector<MeasurementRetention>& retention, Findings& findings) {
  constexpr std::string_view kNoMatch = "Rule didn't match any metric name(s)";
  for (std::size_t i = 0; i < dry_run.size(); ++i)
    if (!matches_any(dry_run[i].metric_name, metrics))
      say(fmt::format("spec.dryRun[{}]", i), std::string(kNoMatch), findings);
  for (std::size_t i = 0; i < retention.size(); ++i)
    if (!matches_any(retention[i].metric_name, metrics))
      say(fmt::format("spec.measurementRetention[{}]", i), std::string(kNoMatch), findings);
}

void validate_experiment(const Experiment& experiment, std::string_view name, Findings& findings) {
  const std::int32_t deadline =
      experiment.spec.progress_deadline_seconds.value_or(kProgressDeadlineSeconds);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < experiment.spec.templates.size(); ++i) {
    const TemplateSpec& variant = experiment.spec.templates[i];
    const std::string path = fmt::format("spec.templates[{}]", i);
    const Place selector(variant.selector ? &variant.selector->value : nullptr, path + ".selector");
    if (!selector.present()) {
      say(path + ".selector",
          fmt::format("Rollout has missing field '.Spec.Templates[{}].Selector'", i), findings);
    } else if (selector["matchLabels"].size() + selector["matchExpressions"].size() == 0) {
      say(path + ".selector",
          fmt::format("This experiment is selecting all pods at index {}. A non-empty selector is "
                      "required.",
                      i),
          findings);
    }
    if (variant.min_ready_seconds > deadline)
      say(path + ".minReadySeconds",
          fmt::format("MinReadySeconds cannot be longer than ProgressDeadlineSeconds. Check "
                      "template index {}",
                      i),
          findings);
    if (variant.name.empty())
      say(path + ".name", fmt::format("Experiment {} has empty template name at index {}", name, i),
          findings);
    if (!variant.name.empty() && !names.insert(variant.name).second)
      say(path + ".name",
          fmt::format("Experiment {} has repeated template name '{}' in templates", name,
                      variant.name),
          findings);
  }
}

}  // namespace slipway::api::argo
