#include "experiment/decide_analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/argo/owner_arguments.h"
#include "analysis/phase.h"
#include "api/kinds/argo_names.h"
#include "experiment/objects.h"

namespace slipway::experiment {

namespace {

using namespace analysis;
using api::argo::AnalysisTemplateRef;

using RunStatus = ExperimentAnalysisRunStatus;

Result<CreateRun> wanted_run(const Identity& who, const Experiment& experiment,
                             const Observed& observed,
                             const ExperimentAnalysisTemplateRef& analysis) {
  auto tags = tags_of(experiment.spec, experiment.status, observed);
  if (!tags) return std::unexpected(std::move(tags).error());
  auto args = experiment_arguments(analysis.args, *tags);
  if (!args) return std::unexpected(std::move(args).error());
  const auto& metadata = experiment.spec.analysis_run_metadata;
  CreateRun create{
      .analysis = analysis.name,
      .run = {.ns = who.ns,
              .name = fmt::format("{}-{}", who.name, analysis.name),
              .owner = reference_to(who),
              .labels = metadata.labels,
              .annotations = metadata.annotations,
              .attempt = format_time(*experiment.status.available_at)},
      .request = {.templates = {AnalysisTemplateRef{.template_name = analysis.template_name,
                                                    .cluster_scope = analysis.cluster_scope}},
                  .args = std::move(*args),
                  .dry_run = experiment.spec.dry_run,
                  .measurement_retention = experiment.spec.measurement_retention}};
  if (!who.instance_id.empty())
    create.run.labels.emplace(api::argo::kInstanceIdLabel, who.instance_id);
  return create;
}

void fail_with(RunStatus& status, std::string message) {
  status.phase = kError;
  status.message = std::move(message);
}

void begin_run(const Identity& who, const Experiment& experiment, const Observed& observed,
               const ExperimentAnalysisTemplateRef& analysis, RunStatus& status, Plan& plan) {
  if (const auto made = observed.made_runs.find(analysis.name); made != observed.made_runs.end()) {
    status.phase = kPending;
    status.analysis_run = made->second;
    return;
  }
  if (is_terminating(experiment.spec, experiment.status)) return;
  auto create = wanted_run(who, experiment, observed, analysis);
  if (!create) return fail_with(status, creation_failed(analysis.name, create.error()));
  plan.actions.emplace_back(std::move(*create));
}

// Unlike Argo's, the record follows the run until the Experiment has ended: one that is told to end
// while a required analysis runs would otherwise never do so.
void follow_run(const Experiment& experiment, const Observed& observed, RunStatus& status,
                Plan& plan) {
  const auto run = observed.runs.find(status.analysis_run);
  if (run == observed.runs.end())
    return fail_with(status,
                     fmt::format("analysisruns.argoproj.io \"{}\" not found", status.analysis_run));
  const RunSeen& seen = run->second;
  if (is_terminating(experiment.spec, experiment.status) && !is_completed(seen.phase) &&
      !seen.terminate)
    plan.actions.emplace_back(TerminateRun{.analysis = status.name, .run = status.analysis_run});
  if (is_completed(experiment.status.phase)) return;
  status.phase = seen.phase.empty() ? std::string(kPending) : seen.phase;
  status.message = seen.message;
}

void announce(const RunStatus* before, const RunStatus& status, Plan& plan) {
  const std::string was = before != nullptr ? before->phase : "";
  if (was == status.phase || status.phase.empty()) return;
  plan.happenings.push_back(
      {.warning = is_completed(status.phase) && status.phase != kSuccessful,
       .reason = "AnalysisRun" + status.phase,
       .message = fmt::format("AnalysisRun '{}' transitioned from {} -> {}{}", status.name, was,
                              status.phase, status.message.empty() ? "" : ": " + status.message),
       .of_run = true});
}

}  // namespace

void decide_analysis(const Identity& who, const Experiment& experiment, const Observed& observed,
                     const ExperimentAnalysisTemplateRef& analysis, Plan& plan) {
  const RunStatus* before = run_status_of(experiment.status, analysis.name);
  RunStatus status = before != nullptr ? *before : RunStatus{.name = analysis.name};
  if (!is_completed(status.phase)) {
    const auto failure = observed.analysis_failures.find(analysis.name);
    if (failure != observed.analysis_failures.end())
      fail_with(status, failure->second);
    else if (status.analysis_run.empty() && experiment.status.available_at)
      begin_run(who, experiment, observed, analysis, status, plan);
    else if (!status.analysis_run.empty())
      follow_run(experiment, observed, status, plan);
  }
  announce(before, status, plan);
  if (before != nullptr || !status.phase.empty())
    plan.status.analysis_runs.push_back(std::move(status));
}

void decide_removed_analyses(const Experiment& experiment, const Observed& observed, Plan& plan) {
  for (const RunStatus& recorded : experiment.status.analysis_runs) {
    const auto run = observed.runs.find(recorded.analysis_run);
    if (run == observed.runs.end() || is_completed(run->second.phase) || run->second.terminate)
      continue;
    if (std::ranges::find(experiment.spec.analyses, recorded.name,
                          &ExperimentAnalysisTemplateRef::name) == experiment.spec.analyses.end())
      plan.actions.emplace_back(
          TerminateRun{.analysis = recorded.name, .run = recorded.analysis_run});
  }
}

std::vector<ExperimentAnalysisTemplateRef> to_verify(const Experiment& experiment) {
  if (experiment.status.available_at || is_terminating(experiment.spec, experiment.status))
    return {};
  return experiment.spec.analyses;
}

std::string verification_failed(const ExperimentAnalysisTemplateRef& analysis, const Error& why) {
  return fmt::format("{}AnalysisTemplate verification failed for analysis '{}': {}",
                     analysis.cluster_scope.value_or(false) ? "Cluster" : "", analysis.name,
                     why.message);
}

std::string creation_failed(const std::string& analysis, const Error& why) {
  return fmt::format("Failed to create AnalysisRun for analysis '{}': {}", analysis, why.message);
}

}  // namespace slipway::experiment
