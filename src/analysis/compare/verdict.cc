#include "analysis/compare/verdict.h"

#include <fmt/format.h>

#include "analysis/phase.h"
#include "lang/expr/condition.h"

namespace slipway::analysis {
namespace {

using api::argo::Metric;

struct Condition {
  std::string_view name;
  const std::string& text;
};

Result<bool> holds(const Condition& condition, const lang::expr::Value& result, Time now) {
  auto answer = lang::expr::evaluate_condition(condition.text, result, now);
  if (answer) return *answer;
  const std::string why =
      lang::expr::is_no_data(result)
          ? "metric result is nil or empty: no data returned from the metric provider"
          : answer.error().message;
  return fail(ErrorCode::kInvalid,
              fmt::format("could not evaluate {} \"{}\": {}", condition.name, condition.text, why));
}

std::string_view no_data_rule(const Metric& metric) {
  return metric.check ? std::string_view(metric.check->no_data) : std::string_view();
}

}  // namespace

json::Object compact(const judge::Answer& answer) {
  json::Object object = judge::to_json(answer);
  if (const json::Value* looks = object.if_contains("looks")) {
    json::Value newest = looks->get_array().back();
    json::erase(object, "looks");
    object["look"] = std::move(newest);
  }
  for (const char* absent : {"label", "critical"})
    if (answer.label.empty()) json::erase(object, absent);
  return object;
}

bool has_conditions(const Metric& metric) {
  return !metric.success_condition.empty() || !metric.failure_condition.empty();
}

Outcome by_conditions(const Metric& metric, const json::Value& json, Time now) {
  const auto result = lang::expr::Value::from_json(json);
  bool succeeds = metric.success_condition.empty();
  if (!succeeds) {
    const auto held = holds({"successCondition", metric.success_condition}, result, now);
    if (!held) return error_outcome(metric, held.error().message);
    succeeds = *held;
  }
  bool fails = metric.failure_condition.empty() && !succeeds;
  if (!metric.failure_condition.empty()) {
    const auto held = holds({"failureCondition", metric.failure_condition}, result, now);
    if (!held) return error_outcome(metric, held.error().message);
    fails = *held;
  }
  return {.phase = std::string(fails ? kFailed : succeeds ? kSuccessful : kInconclusive)};
}

Outcome error_outcome(const Metric& metric, std::string message) {
  const bool fails = metric.check && metric.check->errors_fail;
  return {.phase = std::string(fails ? kFailed : kError), .message = std::move(message)};
}

Outcome outcome_of(const Metric& metric, const judge::Answer& answer, const json::Object& result,
                   bool last_look, Time now) {
  if (has_conditions(metric)) {
    Outcome outcome = by_conditions(metric, result, now);
    if (outcome.message.empty()) outcome.message = answer.reason;
    return outcome;
  }
  switch (answer.verdict) {
    case judge::Verdict::kPass:
      return {.phase = std::string(kSuccessful), .message = answer.reason};
    case judge::Verdict::kFail:
      return {.phase = std::string(kFailed), .message = answer.reason};
    case judge::Verdict::kInconclusive:
      break;
  }
  if (last_look) return {.phase = std::string(kInconclusive), .message = answer.reason};
  return {.phase = std::string(kSuccessful),
          .message = fmt::format("too little to judge so far: {}", answer.reason)};
}

Outcome no_data_outcome(const Metric& metric, Missing missing) {
  const std::string_view rule = no_data_rule(metric);
  const std::string message = missing == Missing::kControl ? "no data for the control"
                              : missing == Missing::kExperiment
                                  ? "no data for the experiment"
                                  : "no data for control and experiment";
  if (rule == "Fail") return {.phase = std::string(kFailed), .message = message};
  if (rule == "Pass" && missing == Missing::kBoth)
    return {.phase = std::string(kSuccessful), .message = message};
  return error_outcome(metric, message);
}

}  // namespace slipway::analysis
