#include "analysis/run_rules.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "api/rules/argo_rules.h"

namespace slipway::analysis {

namespace {

using api::argo::AnalysisRunSpec;
using api::argo::Metric;

std::int64_t number_or(const std::optional<api::IntOrString>& number, std::int64_t otherwise) {
  return number ? number->int_value() : otherwise;
}

Duration duration_of(const api::GoDuration& text) {
  if (text.empty()) return {};
  return text.value().value_or(Duration{});
}

// `spec.metrics[1].provider` is told as `metrics[1]`, `spec.metrics` not at all.
std::string place_of(std::string_view field) {
  if (field.starts_with("spec.")) field.remove_prefix(5);
  const auto end = field.find(']');
  return end == std::string_view::npos ? std::string() : std::string(field.substr(0, end + 1));
}

bool matches(const std::string& rule, const std::string& name) {
  const RE2 pattern(rule, RE2::Quiet);
  return pattern.ok() && RE2::PartialMatch(name, pattern);
}

}  // namespace

Limits limits_of(const Metric& metric) {
  const Limits usual;
  return {.failures = number_or(metric.failure_limit, usual.failures),
          .inconclusive = number_or(metric.inconclusive_limit, usual.inconclusive),
          .consecutive_errors = number_or(metric.consecutive_error_limit, usual.consecutive_errors),
          .consecutive_successes =
              number_or(metric.consecutive_success_limit, usual.consecutive_successes)};
}

std::optional<std::int64_t> count_of(const Metric& metric) {
  const std::int64_t count = number_or(metric.count, 0);
  if (count != 0) return count;
  return metric.interval.empty() ? std::optional<std::int64_t>(1) : std::nullopt;
}

Duration interval_of(const Metric& metric) { return duration_of(metric.interval); }
Duration initial_delay_of(const Metric& metric) { return duration_of(metric.initial_delay); }

Result<RunRules> rules_of(const AnalysisRunSpec& spec) {
  api::Findings findings;
  api::argo::validate_metrics(spec.metrics, "spec.metrics", findings);
  if (findings.empty())
    api::argo::validate_name_rules(spec.metrics, spec.dry_run, spec.measurement_retention,
                                   findings);
  if (!findings.empty()) {
    const auto& first = findings.causes.front();
    const std::string place = place_of(first.field);
    return fail(ErrorCode::kInvalid,
                place.empty() ? first.message : fmt::format("{}: {}", place, first.message));
  }
  RunRules rules;
  for (const Metric& metric : spec.metrics) {
    for (const auto& rule : spec.dry_run)
      if (matches(rule.metric_name, metric.name)) rules.dry_run[metric.name] = true;
    for (const auto& rule : spec.measurement_retention)
      if (rule.limit > 0 && matches(rule.metric_name, metric.name))
        rules.kept[metric.name] = rule.limit;
  }
  return rules;
}

}  // namespace slipway::analysis
