#include "experiment/decide_phase.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/phase.h"

namespace slipway::experiment {

namespace {

using namespace analysis;
using api::argo::Condition;

constexpr std::string_view kProgressingType = "Progressing";
constexpr std::string_view kInvalidType = "InvalidSpec";
constexpr std::string_view kRequiredCompleted = "Required AnalysisRuns completed";

struct Judged {
  std::string_view phase = kSuccessful;
  std::string message = {};
};

Judged judge_templates(const ExperimentSpec& spec, const ExperimentStatus& status) {
  Judged worst;
  for (const TemplateSpec& variant : spec.templates) {
    const TemplateStatus* known = status_of(status, variant.name);
    const std::string_view now = known != nullptr ? std::string_view(known->status) : kProgressing;
    if (is_template_worse(now, worst.phase))
      worst = {now, known != nullptr ? known->message : std::string()};
  }
  if (worst.phase == kProgressing) worst.phase = kPending;
  return worst;
}

// Unlike Argo's, required analyses that have all succeeded settle it even while others run.
Judged judge_analyses(const ExperimentSpec& spec, const ExperimentStatus& status) {
  Judged worst;
  for (const auto& analysis : spec.analyses) {
    const auto* known = run_status_of(status, analysis.name);
    if (known != nullptr && is_worse(known->phase, worst.phase))
      worst = {known->phase, known->message};
  }
  if (!is_completed(worst.phase) || worst.phase == kSuccessful) {
    if (required_successful(spec, status)) return {kSuccessful, std::string(kRequiredCompleted)};
    if (worst.phase == kPending) worst.phase = kRunning;
  }
  return worst;
}

bool is_progressing(const ExperimentStatus& before, const ExperimentStatus& status) {
  return std::ranges::any_of(status.template_statuses, [&](const TemplateStatus& now) {
    const TemplateStatus* was = status_of(before, now.name);
    return was == nullptr || was->replicas != now.replicas ||
           was->updated_replicas != now.updated_replicas ||
           was->ready_replicas != now.ready_replicas ||
           was->available_replicas != now.available_replicas;
  });
}

void drop_condition(ExperimentStatus& status, std::string_view type) {
  std::erase_if(status.conditions, [&](const Condition& one) { return one.type == type; });
}

}  // namespace

void decide_phase(const ExperimentSpec& spec, ExperimentStatus& status, Time now) {
  if (is_completed(status.phase)) return;
  if (status.phase.empty()) {
    status.phase = kPending;
    return;
  }
  const Judged templates = judge_templates(spec, status);
  const Judged analyses = judge_analyses(spec, status);
  if (templates.phase == kRunning && !status.available_at)
    status.available_at = std::chrono::floor<std::chrono::seconds>(now);
  const bool by_analyses =
      is_completed(templates.phase)
          ? templates.phase == kSuccessful && (is_completed(analyses.phase) || has_required(spec))
          : (is_completed(analyses.phase) && analyses.phase != kSuccessful) ||
                required_successful(spec, status);
  const Judged& decisive = by_analyses ? analyses : templates;
  status.phase = decisive.phase;
  status.message = decisive.message;
}

void set_condition(ExperimentStatus& status, Condition condition, Time now, bool refresh) {
  const Time second = std::chrono::floor<std::chrono::seconds>(now);
  condition.last_update_time = condition.last_transition_time = second;
  const auto known = std::ranges::find(status.conditions, condition.type, &Condition::type);
  if (known == status.conditions.end()) {
    status.conditions.push_back(std::move(condition));
    return;
  }
  if (!refresh && known->status == condition.status && known->reason == condition.reason &&
      known->message == condition.message)
    return;
  if (known->status == condition.status)
    condition.last_transition_time = known->last_transition_time;
  *known = std::move(condition);
}

void decide_conditions(const std::string& name, const ExperimentSpec& spec,
                       const ExperimentStatus& before, ExperimentStatus& status, Time now) {
  drop_condition(status, kInvalidType);
  bool refresh = false;
  Condition condition{.type = std::string(kProgressingType), .status = "True"};
  if (status.phase == kSuccessful) {
    condition.status = "False";
    condition.reason = "ExperimentCompleted";
    condition.message = fmt::format("Experiment \"{}\" has successfully ran and completed.", name);
  } else if (is_completed(status.phase)) {  // Argo leaves it as it was: `is progressing` for ever
    condition.status = "False";
    condition.reason = "Experiment" + status.phase;
    condition.message = fmt::format("Experiment \"{}\" has ended{}{}", name,
                                    status.message.empty() ? "." : ": ", status.message);
  } else if (is_progressing(before, status)) {
    condition.reason = "ReplicaSetUpdated";
    condition.message = fmt::format("Experiment \"{}\" is progressing.", name);
    refresh = true;  // each step forward is a new date
  } else if (before.available_at && !has_passed(spec, before, now)) {
    condition.reason = "NewReplicaSetAvailable";
    condition.message = fmt::format("Experiment \"{}\" is running.", name);
  } else {
    return;
  }
  set_condition(status, std::move(condition), now, refresh);
}

}  // namespace slipway::experiment
