#include "experiment/decide_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/argo/owner_arguments.h"
#include "analysis/phase.h"
#include "api/kinds/argo_names.h"
#include "api/schema/codec.h"
#include "base/hash.h"
#include "experiment/objects.h"

namespace slipway::experiment {

namespace {

using namespace analysis;
using api::argo::AnalysisTemplateRef;
using api::argo::Argument;

using RunStatus = ExperimentAnalysisRunStatus;

// Another one as soon as the arguments are others, as an edited template makes them.
std::string attempt_of(Time available_at, const std::string& analysis,
                       const std::vector<Argument>& args) {
  std::string text;
  for (const Argument& arg : args) text += json::write(api::encode(arg));
  return fmt::format("{}/{}/{:016x}", format_time(available_at), analysis, fnv1a64(text));
}

std::optional<Time> time_of(const std::string& attempt) {
  const auto time = parse_time(attempt.substr(0, attempt.find('/')));
  return time ? std::optional(*time) : std::nullopt;
}

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
              .attempt = attempt_of(*experiment.status.available_at, analysis.name, *args)},
      .request = {.templates = {AnalysisTemplateRef{.template_name = analysis.template_name,
                                                    .cluster_scope = analysis.cluster_scope}},
                  .args = std::move(*args),
                  .dry_run = experiment.spec.dry_run,
                  .measurement_retention = experiment.spec.measurement_retention}};
  if (!who.instance_id.empty())
    create.run.labels.emplace(api::argo::kInstanceIdLabel, who.instance_id);
  return create;
}

constexpr const char* kAsksAnew = "a template was edited; measured anew once it is available";

void fail_with(RunStatus& status, std::string message) {
  status.phase = kError;
  status.message = std::move(message);
}

void begin_run(const Identity& who, const Experiment& experiment, const Observed& observed,
               const ExperimentAnalysisTemplateRef& analysis, RunStatus& status, Plan& plan) {
  if (const auto made = observed.made_runs.find(analysis.name); made != observed.made_runs.end()) {
    status = {.name = analysis.name, .analysis_run = made->second, .phase = std::string(kPending)};
    return;
  }
  if (is_terminating(experiment.spec, experiment.status)) return;
  auto create = wanted_run(who, experiment, observed, analysis);
  if (!create) return fail_with(status, creation_failed(analysis.name, create.error()));
  plan.actions.emplace_back(std::move(*create));
}

// Its arguments are of Pods that are about to be others.
bool asks_in_vain(const Identity& who, const Experiment& experiment, const Observed& observed,
                  const ExperimentAnalysisTemplateRef& analysis, const RunStatus& status) {
  const auto run = observed.runs.find(status.analysis_run);
  if (run == observed.runs.end() || run->second.attempt.empty() ||
      is_completed(run->second.phase) || is_terminating(experiment.spec, experiment.status) ||
      !experiment.status.available_at)
    return false;
  const auto wanted = wanted_run(who, experiment, observed, analysis);
  return !wanted || wanted->run.attempt != run->second.attempt;
}

bool are_all_running(const Plan& plan) {
  return std::ranges::all_of(plan.status.template_statuses,
                             [](const TemplateStatus& one) { return one.status == kRunning; });
}

// Unlike Argo's, the record follows the run until the Experiment has ended: one that is told to end
// while a required analysis runs would otherwise never do so.
void follow_run(const Experiment& experiment, const Observed& observed, RunStatus& status,
                Plan& plan) {
  const auto run = observed.runs.find(status.analysis_run);
  const bool over = is_completed(experiment.status.phase);
  if (run == observed.runs.end() && over) return;
  if (run == observed.runs.end())
    return fail_with(status,
                     fmt::format("analysisruns.argoproj.io \"{}\" not found", status.analysis_run));
  const RunSeen& seen = run->second;
  if (is_terminating(experiment.spec, experiment.status) && !is_completed(seen.phase) &&
      !seen.terminate)
    plan.actions.emplace_back(TerminateRun{.analysis = status.name, .run = status.analysis_run});
  if (over) return;
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

bool has_analysis(const ExperimentSpec& spec, const std::string& name) {
  return std::ranges::find(spec.analyses, name, &ExperimentAnalysisTemplateRef::name) !=
         spec.analyses.end();
}

// What analyses without a run may find made already, by us before a crash. Nothing: not known yet.
std::optional<std::set<std::string>> awaited(const Identity& who, const Experiment& experiment,
                                             const Observed& observed, const Plan& plan) {
  std::set<std::string> attempts;
  if (is_terminating(experiment.spec, experiment.status)) return attempts;
  for (const auto& analysis : experiment.spec.analyses) {
    const RunStatus* status = run_status_of(plan.status, analysis.name);
    if (status != nullptr && (!status->analysis_run.empty() || is_completed(status->phase)))
      continue;
    if (!experiment.status.available_at) return std::nullopt;
    auto wanted = wanted_run(who, experiment, observed, analysis);
    if (!wanted) return std::nullopt;
    attempts.insert(std::move(wanted->run.attempt));
  }
  return attempts;
}

}  // namespace

void decide_analysis(const Identity& who, const Experiment& experiment, const Observed& observed,
                     const ExperimentAnalysisTemplateRef& analysis, Plan& plan) {
  const RunStatus* before = run_status_of(experiment.status, analysis.name);
  RunStatus status = before != nullptr ? *before : RunStatus{.name = analysis.name};
  if (!is_completed(status.phase)) {
    const auto failure = observed.analysis_failures.find(analysis.name);
    if (failure != observed.analysis_failures.end()) {
      fail_with(status, failure->second);
    } else if (asks_in_vain(who, experiment, observed, analysis, status)) {
      status = {.name = analysis.name, .phase = std::string(kPending), .message = kAsksAnew};
    } else if (!status.analysis_run.empty()) {
      follow_run(experiment, observed, status, plan);
    } else if (experiment.status.available_at && (before == nullptr || are_all_running(plan))) {
      begin_run(who, experiment, observed, analysis, status, plan);
    }
  }
  announce(before, status, plan);
  if (before != nullptr || !status.phase.empty())
    plan.status.analysis_runs.push_back(std::move(status));
}

Time after_attempts(const Observed& observed, Time second) {
  std::set<Time> taken;
  for (const auto& [name, run] : observed.runs)
    if (const auto attempt = time_of(run.attempt)) taken.insert(*attempt);
  while (taken.contains(second)) second += std::chrono::seconds(1);
  return second;
}

void decide_strays(const Identity& who, const Experiment& experiment, const Observed& observed,
                   Plan& plan) {
  const auto attempts = awaited(who, experiment, observed, plan);
  for (const auto& [name, run] : observed.runs) {
    if (is_completed(run.phase) || run.terminate) continue;
    const auto recorded = std::ranges::find(experiment.status.analysis_runs, name,
                                            &ExperimentAnalysisRunStatus::analysis_run);
    const bool is_recorded = recorded != experiment.status.analysis_runs.end();
    const bool is_found = std::ranges::find(plan.status.analysis_runs, name,
                                            &ExperimentAnalysisRunStatus::analysis_run) !=
                          plan.status.analysis_runs.end();
    const bool is_stray = is_recorded ? !has_analysis(experiment.spec, recorded->name)
                                      : !is_found && attempts && !attempts->contains(run.attempt);
    if (is_stray)
      plan.actions.emplace_back(
          TerminateRun{.analysis = is_recorded ? recorded->name : "", .run = name});
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
