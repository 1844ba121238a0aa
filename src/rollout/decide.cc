#include "rollout/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/rules/argo_rules.h"
#include "api/selector.h"
#include "rollout/draft.h"
#include "rollout/objects/fields.h"
#include "rollout/routers/router.h"
#include "rollout/status/conditions.h"
#include "rollout/status/duration.h"
#include "rollout/status/phase.h"
#include "rollout/strategy/blue_green.h"
#include "rollout/strategy/canary.h"
#include "rollout/strategy/revisions.h"
#include "rollout/strategy/workload.h"

namespace slipway::rollout {

namespace {

std::string selector_text(const json::Value& selector) {
  const auto read = api::read_label_selector(selector);
  return read ? api::to_string(*read) : std::string();
}

std::string selector_of(const argo::Rollout& rollout) {
  return rollout.spec.selector ? selector_text(rollout.spec.selector->value) : std::string();
}

void count_replicas(Draft& draft) {
  const Sets& sets = draft.sets;
  argo::RolloutStatus& status = draft.status;
  status.replicas = current_in(sets.all);
  status.updated_replicas = sets.latest ? sets.latest->current : 0;
  status.ready_replicas = ready_in(sets.all);
  status.available_replicas = available_in(sets.all);
  status.hpa_replicas = status.replicas;
  status.selector = selector_of(draft.rollout);
  const ReplicaSet* active = find_by_hash(sets.all, status.blue_green.active_selector);
  if (!is_blue_green(draft.rollout.spec) || !active) return;
  status.hpa_replicas = active->current;
  status.ready_replicas = active->ready;
  status.available_replicas = active->available;
  if (const auto* selector = json::at(active->document, {"spec", "selector"}))
    status.selector = selector_text(*selector);
}

void tell_pauses(Draft& draft) {
  const bool was = !draft.before.pause_conditions.empty();
  const bool is = !draft.status.pause_conditions.empty();
  for (const argo::PauseCondition& pause : draft.status.pause_conditions)
    if (!find_pause(draft.before, pause.reason))
      draft.say("RolloutPaused", "Rollout is paused (" + pause.reason + ")");
  if (was && !is && !draft.status.abort) draft.say("RolloutResumed", "Rollout is resumed");
}

void keep_duration(Draft& draft) {
  auto& duration = draft.status.duration;
  const bool retries = !draft.pauses.waits && draft.is_retried() && !draft.status.abort &&
                       !is_fully_promoted(draft.status);
  const bool is_first = !duration && !is_fully_promoted(draft.before);
  if (is_first || retries) duration = begin_duration(draft.before.duration, draft.seen.now);
  if (draft.status.abort) end_duration(duration, "Aborted", draft.seen.now);
  count_manual_pause(duration, is_held_by_person(draft.rollout, draft.status), draft.seen.now);
}

// What both strategies have in common, in the order in which each part needs the one before.
void conclude(Draft& draft) {
  argo::RolloutStatus& status = draft.status;
  status.current_pod_hash = draft.seen.hash;
  if (is_canary(draft.rollout.spec)) status.current_step_hash = draft.seen.steps_hash;
  status.promote_full = draft.before.promote_full && !is_changed(draft) &&
                        status.stable_rs != status.current_pod_hash;
  count_replicas(draft);
  status.observed_generation = std::to_string(api::generation_of(draft.seen.document.get_object()));
  status.workload_observed_generation = draft.seen.workload_generation;
  decide_deadline_abort(draft);
  apply_pauses(draft.before, draft.pauses, draft.seen.now, status);
  if (status.abort) status.promote_full = false;
  keep_duration(draft);
  decide_conditions(draft);
  const Phase phase = phase_of(draft.rollout.spec, status);
  status.phase = phase.phase;
  status.message = phase.message;
  tell_pauses(draft);
}

Plan refuse(Draft& draft, const std::string& problem) {
  draft.status = draft.before;
  argo::RolloutStatus& status = draft.status;
  const argo::Condition* now = find_condition(status, kInvalidSpec);
  if (!now || now->message != problem) {
    remove_condition(status, kInvalidSpec);
    set_condition(status, {kInvalidSpec, "True", kInvalidSpec, problem}, draft.seen.now);
    draft.say(std::string(kInvalidSpec), problem, true);
  }
  status.observed_generation = std::to_string(api::generation_of(draft.seen.document.get_object()));
  const Phase phase = phase_of(draft.rollout.spec, status);
  status.phase = phase.phase;
  status.message = phase.message;
  draft.plan.status = status;
  draft.look_again(draft.seen.now + kLookAgainWhenInvalid);
  return std::move(draft.plan);
}

// An experiment that never ended would hold the update up for ever.
std::string endless_experiment(const argo::RolloutSpec& spec) {
  if (!is_canary(spec)) return {};
  const auto& steps = spec.strategy.canary->steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].experiment || steps[i].experiment->duration.empty()) continue;
    if (const auto duration = steps[i].experiment->duration.value(); !duration)
      return fmt::format("spec.strategy.canary.steps[{}].experiment.duration: {}", i,
                         duration.error().message);
  }
  return {};
}

}  // namespace

std::string problem_of(const Situation& seen) {
  api::Findings findings;
  argo::Rollout written = seen.rollout;
  if (written.spec.workload_ref) written.spec.template_ = {};  // it is the workload's
  api::argo::validate_rollout(written, findings);
  if (!findings.empty()) {
    const Cause& first = findings.causes.front();
    return first.field.empty() ? first.message
                               : "The Rollout \"" + seen.name() + "\" is invalid: " + first.field +
                                     ": " + first.message;
  }
  if (const auto unsupported = unsupported_in(seen.rollout.spec, seen.routers))
    return unsupported->field + ": " + unsupported->message;
  if (std::string endless = endless_experiment(seen.rollout.spec); !endless.empty()) return endless;
  return seen.problem;
}

Plan decide(const Situation& seen) {
  Draft draft(seen);
  if (const std::string problem = problem_of(seen); !problem.empty()) return refuse(draft, problem);
  if (!seen.rollout.spec.replicas) draft.act(ChangeRollout{.replicas = kReplicas});
  for (const auto& [service, version] : seen.abandoned)
    draft.act(ReleaseService{.name = service, .version = version});
  decide_revision(draft);
  if (draft.has_to_create()) return std::move(draft.plan);
  // There is no update to abort, or nothing to go back to.
  if (draft.before.abort && (is_fully_promoted(draft.before) || !draft.sets.stable))
    draft.pauses.lifts_abort = true;
  const bool is_new = is_changed(draft);
  // A halted canary keeps its sizes, so it would be scaling for ever.
  const bool is_held = is_canary(seen.rollout.spec) && !halt_reason(seen.rollout).empty();
  const bool scales_only = !is_new && !is_held && is_scaling(draft);
  if (is_canary(seen.rollout.spec))
    scales_only ? decide_canary_scaling(draft) : decide_canary(draft);
  else
    scales_only ? decide_blue_green_scaling(draft) : decide_blue_green(draft);
  if (draft.has_to_create()) return std::move(draft.plan);
  decide_workload(draft);
  conclude(draft);
  draft.plan.status = draft.status;
  return std::move(draft.plan);
}

}  // namespace slipway::rollout
