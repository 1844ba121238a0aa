#include "analysis/compare/verdict.h"

#include <fmt/format.h>

#include "analysis/phase.h"

namespace slipway::analysis {
namespace {

using api::argo::Metric;

std::string_view no_data_rule(const Metric& metric) {
  return metric.check ? std::string_view(metric.check->no_data) : std::string_view();
}

bool is_pipecds(const Metric& metric) {
  const auto& source = metric.provider.compare->experiment.source;
  return source && source->reading == "pipecd";
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

Outcome outcome_of(const Metric& metric, const judge::Answer& answer, const json::Object& result,
                   bool last_look, Time now) {
  if (has_conditions(metric)) {
    Outcome outcome = by_conditions(metric, result, now, false);
    if (outcome.message.empty()) outcome.message = answer.reason;
    return outcome;
  }
  switch (answer.verdict) {
    case judge::Verdict::kPass:
      return {.phase = kSuccessful, .message = answer.reason};
    case judge::Verdict::kFail:
      return {.phase = kFailed, .message = answer.reason};
    case judge::Verdict::kInconclusive:
      break;
  }
  if (last_look) return {.phase = kInconclusive, .message = answer.reason};
  return {.phase = kSuccessful,
          .message = fmt::format("too little to judge so far: {}", answer.reason)};
}

Outcome no_data_outcome(const Metric& metric, Missing missing) {
  const std::string_view rule = no_data_rule(metric);
  std::string message = missing == Missing::kControl      ? "no data for the control"
                        : missing == Missing::kExperiment ? "no data for the experiment"
                                                          : "no data for control and experiment";
  if (missing == Missing::kSeries && is_pipecds(metric))
    return {.phase = kSuccessful, .message = std::move(message)};
  if (rule == "Fail") return {.phase = kFailed, .message = std::move(message)};
  if (rule == "Pass") return {.phase = kSuccessful, .message = message + ": passed over"};
  if (rule == "Error" || (metric.check && metric.check->errors_fail))
    return error_outcome(metric, std::move(message));
  return {.phase = kInconclusive, .message = std::move(message)};
}

}  // namespace slipway::analysis
