#include "rollout/strategy/experiments.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/argo/owner_arguments.h"
#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/schema/codec.h"
#include "rollout/objects/fields.h"
#include "rollout/strategy/analysis.h"
#include "rollout/strategy/attempt.h"

namespace slipway::rollout {

namespace {

void put_all(json::Object& map, const std::map<std::string, std::string>& texts) {
  for (const auto& [key, value] : texts) map[key] = value;
}

bool declares_port(const json::Value& pod_template) {
  const json::Value* containers = json::at(pod_template, {"spec", "containers"});
  if (!containers || !containers->is_array()) return false;
  return std::ranges::any_of(containers->get_array(), [](const json::Value& container) {
    const json::Value* ports = json::at(container, {"ports"});
    return ports && ports->is_array() && !ports->get_array().empty();
  });
}

Result<argo::TemplateSpec> template_of(const Draft& draft,
                                       const argo::RolloutExperimentTemplate& wanted) {
  const ReplicaSet* set = wanted.spec_ref == "canary"   ? draft.sets.latest
                          : wanted.spec_ref == "stable" ? draft.sets.stable
                                                        : nullptr;
  if (!set)
    return fail(ErrorCode::kInvalid, "Invalid template step SpecRef: must be canary or stable");
  argo::TemplateSpec made{.name = wanted.name,
                          .replicas = wanted.replicas,
                          .min_ready_seconds = set->min_ready_seconds};
  if (const auto* found = json::at(set->document, {"spec", "template"}))
    made.template_.value = *found;
  made.selector.emplace();
  if (wanted.selector)
    made.selector->value = wanted.selector->value;
  else if (const auto* found = json::at(set->document, {"spec", "selector"}))
    made.selector->value = *found;
  if (!wanted.metadata.labels.empty()) {
    put_all(json::object_at(made.template_.value, {"metadata", "labels"}), wanted.metadata.labels);
    put_all(json::object_at(made.selector->value, {"matchLabels"}), wanted.metadata.labels);
  }
  if (!wanted.metadata.annotations.empty())
    put_all(json::object_at(made.template_.value, {"metadata", "annotations"}),
            wanted.metadata.annotations);
  if (wanted.weight && !declares_port(made.template_.value))
    return fail(
        ErrorCode::kInvalid,
        fmt::format("template {} has a weight, and its Pods declare no containerPort that a "
                    "Service could send traffic to",
                    wanted.name));
  if (wanted.weight || wanted.service)
    made.service = wanted.service.value_or(argo::TemplateService());
  return made;
}

Result<argo::ExperimentSpec> spec_of(const Draft& draft, const argo::RolloutExperimentStep& step) {
  argo::ExperimentSpec spec{
      .duration = step.duration,
      .progress_deadline_seconds = draft.rollout.spec.progress_deadline_seconds,
      .scale_down_delay_seconds = step.scale_down_delay_seconds,
      .dry_run = step.dry_run,
      .analysis_run_metadata = step.analysis_run_metadata};
  for (const auto& wanted : step.templates) {
    auto made = template_of(draft, wanted);
    if (!made) return std::unexpected(std::move(made).error());
    spec.templates.push_back(std::move(*made));
  }
  for (const auto& analysis : step.analyses) {
    auto args = analysis::rollout_arguments(
        analysis.args, {.rollout = draft.seen.document.get_object(),
                        .stable_hash = draft.sets.stable ? draft.sets.stable->hash : "",
                        .latest_hash = draft.sets.latest->hash});
    if (!args) return std::unexpected(std::move(args).error());
    spec.analyses.push_back({.name = analysis.name,
                             .template_name = analysis.template_name,
                             .cluster_scope = analysis.cluster_scope,
                             .args = std::move(*args),
                             .required_for_completion = analysis.required_for_completion});
  }
  return spec;
}

bool needs_new(const Draft& draft) {
  if (!draft.seen.made_experiment.empty()) return false;
  if (!draft.experiment || draft.experiment->is_dropped) return true;
  return is_resumed(draft.before) && draft.experiment->phase == "Inconclusive";
}

void judge(Draft& draft) {
  const Experiment& experiment = *draft.experiment;
  if (experiment.phase == "Failed" || experiment.phase == "Error") {
    std::string message = "Experiment analysis phase is error/failed";
    if (!experiment.message.empty()) message += ": " + experiment.message;
    draft.pauses.abort(std::move(message));
    return;
  }
  // Whatever its end it stays the current one while its step does, or another would start.
  if (experiment.phase == "Inconclusive") draft.pauses.add.push_back(kInconclusiveExperiment);
  draft.status.canary.current_experiment = experiment.name;
}

void end(Draft& draft, const Experiment& experiment) {
  if (!experiment.is_terminated && !experiment.is_completed())
    draft.act(EndChild{ChildKind::kExperiment, experiment.name, experiment.uid});
}

void retire_others(Draft& draft, const Experiment* current) {
  std::vector<const Child*> others;
  for (const Experiment& experiment : draft.seen.experiments) {
    if (&experiment == current) continue;
    end(draft, experiment);
    others.push_back(&experiment);
  }
  for (const Child* expired : find_expired(std::move(others), draft))
    draft.act(RemoveChild{ChildKind::kExperiment, expired->name, expired->uid});
}

void create(Draft& draft, const argo::RolloutExperimentStep& step) {
  auto object = experiment_object(draft, step);
  if (object)
    draft.plan.create = CreateExperiment{std::move(*object)};
  else
    draft.pauses.abort("Experiment cannot be made: " + object.error().message);
}

}  // namespace

Result<json::Object> experiment_object(const Draft& draft,
                                       const argo::RolloutExperimentStep& step) {
  const std::string& hash = draft.sets.latest->hash;
  auto spec = spec_of(draft, step);
  if (!spec) return std::unexpected(std::move(spec).error());
  json::Object labels;
  put_all(labels, texts_at(draft.seen.document, {"metadata", "labels"}));
  labels[argo::kHashLabel] = hash;
  json::Object object{{"apiVersion", argo::kApiVersion}, {"kind", "Experiment"}};
  const std::string previous = draft.experiment ? draft.experiment->name : std::string();
  object["metadata"] =
      json::Object{{"name", fmt::format("{}-{}-{}-{}", draft.seen.name(), hash, draft.revision,
                                        *position_of(draft.rollout).index)},
                   {"namespace", draft.seen.ns()},
                   {"labels", std::move(labels)},
                   {"annotations", json::Object{{argo::kRevision, std::to_string(draft.revision)},
                                                {argo::kAttempt, attempt_of(draft, previous)}}}};
  api::add_owner(object, api::controller_reference(draft.seen.document.get_object()));
  object["spec"] = api::encode(*spec);
  return object;
}

void decide_experiments(Draft& draft) {
  if (draft.is_aborted() || draft.before.promote_full) return retire_others(draft, nullptr);
  if (find_pause(draft.before, kInconclusiveAnalysis)) {
    if (draft.experiment) draft.status.canary.current_experiment = draft.experiment->name;
    return;
  }
  const StepPosition position = position_of(draft.rollout);
  const bool is_step = position.step && position.step->experiment && draft.sets.stable &&
                       !is_fully_promoted(draft.before);
  if (!is_step) return retire_others(draft, nullptr);
  if (needs_new(draft)) return create(draft, *position.step->experiment);
  if (draft.experiment) judge(draft);
  retire_others(draft, draft.experiment);
}

}  // namespace slipway::rollout
