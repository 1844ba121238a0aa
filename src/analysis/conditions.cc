#include "analysis/conditions.h"

#include <fmt/format.h>

#include "analysis/phase.h"
#include "lang/expr/condition.h"

namespace slipway::analysis {
namespace {

using api::argo::Metric;

Result<bool> holds(std::string_view name, const std::string& condition,
                   const lang::expr::Value& result, Time now) {
  const auto answer = lang::expr::evaluate_condition(condition, result, now);
  if (answer) return *answer;
  const std::string_view why =
      lang::expr::is_no_data(result) ? kNilOrEmpty : std::string_view(answer.error().message);
  return fail(ErrorCode::kInvalid,
              fmt::format("could not evaluate {} \"{}\": {}", name, condition, why));
}

}  // namespace

bool has_conditions(const Metric& metric) {
  return !metric.success_condition.empty() || !metric.failure_condition.empty();
}

Outcome by_conditions(const Metric& metric, const json::Value& json, Time now, bool ints) {
  if (!has_conditions(metric)) return {.phase = kSuccessful};
  const auto result = lang::expr::Value::from_json(json, ints);
  bool succeeds = true;
  if (!metric.success_condition.empty()) {
    const auto held = holds("successCondition", metric.success_condition, result, now);
    if (!held) return error_outcome(metric, held.error().message);
    succeeds = *held;
  }
  if (metric.failure_condition.empty()) return {.phase = succeeds ? kSuccessful : kFailed};
  const auto held = holds("failureCondition", metric.failure_condition, result, now);
  if (!held) return error_outcome(metric, held.error().message);
  return {.phase = *held ? kFailed : succeeds ? kSuccessful : kInconclusive};
}

Outcome error_outcome(const Metric& metric, std::string message) {
  const bool fails = metric.check && metric.check->errors_fail;
  return {.phase = fails ? kFailed : kError, .message = std::move(message)};
}

}  // namespace slipway::analysis
