#include "experiment/rules.h"

#include <algorithm>
#include <array>

#include "analysis/phase.h"

namespace slipway::experiment {

namespace {

using namespace analysis;

int rank(std::string_view status) {
  constexpr std::array kOrder = {kSuccessful, kRunning, kProgressing, kError, kFailed};
  const auto found = std::ranges::find(kOrder, status);
  return found == kOrder.end() ? 0 : static_cast<int>(found - kOrder.begin());
}

}  // namespace

bool is_template_completed(std::string_view status) {
  return status == kSuccessful || status == kFailed || status == kError;
}

bool is_template_worse(std::string_view status, std::string_view than) {
  return rank(status) > rank(than);
}

const TemplateStatus* status_of(const ExperimentStatus& status, std::string_view template_name) {
  const auto found =
      std::ranges::find(status.template_statuses, template_name, &TemplateStatus::name);
  return found == status.template_statuses.end() ? nullptr : &*found;
}

const ExperimentAnalysisRunStatus* run_status_of(const ExperimentStatus& status,
                                                 std::string_view analysis) {
  const auto found =
      std::ranges::find(status.analysis_runs, analysis, &ExperimentAnalysisRunStatus::name);
  return found == status.analysis_runs.end() ? nullptr : &*found;
}

bool has_required(const ExperimentSpec& spec) {
  return std::ranges::any_of(spec.analyses,
                             [](const auto& analysis) { return analysis.required_for_completion; });
}

bool required_successful(const ExperimentSpec& spec, const ExperimentStatus& status) {
  return has_required(spec) && std::ranges::all_of(spec.analyses, [&](const auto& analysis) {
           if (!analysis.required_for_completion) return true;
           const auto* run = run_status_of(status, analysis.name);
           return run != nullptr && run->phase == kSuccessful;
         });
}

bool is_terminating(const ExperimentSpec& spec, const ExperimentStatus& status) {
  if (spec.terminate || is_completed(status.phase)) return true;
  for (const auto& variant : status.template_statuses)
    if (variant.status == kFailed || variant.status == kError) return true;
  for (const auto& run : status.analysis_runs)
    if (is_completed(run.phase) && run.phase != kSuccessful) return true;
  return required_successful(spec, status);
}

std::optional<Time> end_of(const ExperimentSpec& spec, const ExperimentStatus& status) {
  if (spec.duration.empty() || !status.available_at) return std::nullopt;
  const auto duration = spec.duration.value();
  if (!duration) return std::nullopt;
  return *status.available_at + *duration;
}

bool has_passed(const ExperimentSpec& spec, const ExperimentStatus& status, Time now) {
  const auto end = end_of(spec, status);
  return end && now > *end;
}

std::int32_t desired_replicas(const ExperimentSpec& spec, const ExperimentStatus& status,
                              const TemplateSpec& variant) {
  if (is_terminating(spec, status)) return 0;
  const auto* known = status_of(status, variant.name);
  if (known != nullptr && is_template_completed(known->status)) return 0;
  return variant.replicas.value_or(1);
}

Duration progress_deadline(const ExperimentSpec& spec) {
  return std::chrono::seconds(spec.progress_deadline_seconds.value_or(kProgressDeadlineSeconds));
}

}  // namespace slipway::experiment
