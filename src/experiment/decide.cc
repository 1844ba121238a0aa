#include "experiment/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/phase.h"
#include "api/rules/argo_rules.h"
#include "experiment/decide_analysis.h"
#include "experiment/decide_phase.h"
#include "experiment/decide_template.h"

namespace slipway::experiment {

namespace {

void announce(const ExperimentStatus& before, const ExperimentStatus& status, Plan& plan) {
  if (before.phase == status.phase) return;
  const bool bad = analysis::is_completed(status.phase) && status.phase != analysis::kSuccessful;
  plan.happenings.push_back({.warning = bad,
                             .reason = "Experiment" + status.phase,
                             .message = fmt::format("Experiment transitioned from {} -> {}",
                                                    before.phase, status.phase)});
}

}  // namespace

Plan decide_experiment(const Identity& who, const Experiment& experiment, const Observed& observed,
                       Time now) {
  Plan plan;
  plan.status = experiment.status;
  plan.status.template_statuses.clear();
  plan.status.analysis_runs.clear();
  const TemplateTurn turn{.who = who, .experiment = experiment, .observed = observed, .now = now};
  for (const TemplateSpec& variant : experiment.spec.templates)
    decide_template(turn, variant, plan);
  decide_leftovers(turn, plan);
  std::set<std::string_view> seen;
  for (const auto& analysis : experiment.spec.analyses)
    if (seen.insert(analysis.name).second)
      decide_analysis(who, experiment, observed, analysis, plan);
  decide_strays(who, experiment, observed, plan);

  decide_phase(experiment.spec, plan.status, now);
  if (plan.status.available_at && !experiment.status.available_at)
    plan.status.available_at = after_attempts(observed, *plan.status.available_at);
  decide_conditions(who.name, experiment.spec, experiment.status, plan.status, now);
  announce(experiment.status, plan.status, plan);
  const auto end = end_of(experiment.spec, plan.status);
  if (end && *end >= now && !is_terminating(experiment.spec, plan.status))
    look_again(plan, *end + std::chrono::milliseconds(1));
  return plan;
}

std::string why_invalid(const Identity& who, const Experiment& experiment) {
  api::Findings findings;
  api::argo::validate_experiment(experiment, who.name, findings);
  if (!findings.empty()) return findings.causes.front().message;
  const auto& duration = experiment.spec.duration;
  const auto value = duration.empty() ? Result<Duration>() : duration.value();
  return value ? std::string() : "spec.duration: " + value.error().message;
}

ExperimentStatus invalid_status(const ExperimentStatus& before, const std::string& why, Time now) {
  ExperimentStatus status = before;
  set_condition(status,
                {.type = "InvalidSpec", .status = "True", .reason = "InvalidSpec", .message = why},
                now);
  return status;
}

}  // namespace slipway::experiment
