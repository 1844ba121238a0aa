#include "rollout/status/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "rollout/objects/fields.h"
#include "rollout/status/progress.h"

namespace slipway::rollout {

namespace {

void decide_health(Draft& draft, bool& became_unhealthy) {
  const bool is_paused = draft.rollout.spec.paused || !draft.status.pause_conditions.empty();
  if (!is_paused && is_healthy(draft.rollout, draft.status)) {
    set_condition(draft.status, {kHealthy, "True", "RolloutHealthy", "Rollout is healthy"},
                  draft.seen.now);
  } else if (find_condition(draft.before, kHealthy)) {
    became_unhealthy =
        set_condition(draft.status, {kHealthy, "False", "RolloutHealthy", "Rollout is not healthy"},
                      draft.seen.now);
  }
}

void decide_abort_condition(Draft& draft) {
  if (!draft.status.abort) return;
  std::string message = fmt::format("Rollout aborted update to revision {}", draft.revision);
  if (!draft.pauses.abort_message.empty()) message += ": " + draft.pauses.abort_message;
  if (set_condition(draft.status, {kProgressing, "False", kAbortedReason, message}, draft.seen.now))
    draft.say(std::string(kAbortedReason), message, true);
}

void decide_availability(Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const Count replicas = replicas_of(spec);
  const bool is_available =
      is_blue_green(spec)
          ? is_saturated(find_by_hash(draft.sets.all, draft.status.blue_green.active_selector),
                         replicas)
          : available_in(draft.sets.all) >= replicas;
  set_condition(draft.status,
                {kAvailable, is_available ? "True" : "False", "AvailableReason",
                 is_available ? "Rollout has minimum availability"
                              : "Rollout does not have minimum availability"},
                draft.seen.now);
}

void decide_failure(Draft& draft) {
  const argo::Condition* failure = nullptr;
  for (const ReplicaSet* set : draft.sets.all)
    if (set->failure && (!failure || set == draft.sets.latest)) failure = &*set->failure;
  if (!failure) return remove_condition(draft.status, kReplicaFailure);
  const argo::Condition* now = find_condition(draft.status, kReplicaFailure);
  if (now && now->status == failure->status && now->reason == failure->reason) return;
  remove_condition(draft.status, kReplicaFailure);
  draft.status.conditions.push_back(*failure);
}

void decide_completion(Draft& draft) {
  const bool is_completed = is_fully_promoted(draft.status);
  const bool changed = set_condition(
      draft.status,
      {kCompleted, is_completed ? "True" : "False", "RolloutCompleted", "RolloutCompleted"},
      draft.seen.now);
  if (changed && !is_completed)
    draft.say("RolloutNotCompleted",
              fmt::format("Rollout not completed, started update to revision {} ({})",
                          draft.revision, draft.status.current_pod_hash));
}

// Neither a pause nor what it was before counts as lack of progress.
void decide_pause_conditions(Draft& draft) {
  const bool is_paused = draft.rollout.spec.paused || !draft.status.pause_conditions.empty();
  const argo::Condition* progress = find_condition(draft.status, kProgressing);
  const bool says_paused = progress && progress->reason == kPausedReason;
  const bool says_aborted = progress && progress->reason == kAbortedReason;
  if (says_aborted && draft.status.abort) return;
  if (says_aborted)
    set_condition(draft.status,
                  {kProgressing, "Unknown", "RolloutRetry", "Retrying Rollout after abort"},
                  draft.seen.now);
  else if (is_paused && !says_paused && !is_fully_promoted(draft.status))
    set_condition(draft.status, {kProgressing, "Unknown", kPausedReason, "Rollout is paused"},
                  draft.seen.now);
  else if (!is_paused && says_paused)
    set_condition(draft.status, {kProgressing, "Unknown", "RolloutResumed", "Rollout is resumed"},
                  draft.seen.now);
  const argo::Condition* paused = find_condition(draft.status, kPaused);
  if (is_paused != (paused && paused->status == "True"))
    set_condition(draft.status,
                  {kPaused, is_paused ? "True" : "False", kPausedReason, "Rollout is paused"},
                  draft.seen.now);
}

}  // namespace

const argo::Condition* find_condition(const argo::RolloutStatus& status, std::string_view type) {
  const auto found = std::ranges::find(status.conditions, type, &argo::Condition::type);
  return found == status.conditions.end() ? nullptr : &*found;
}

bool set_condition(argo::RolloutStatus& status, ConditionText text, Time now) {
  const argo::Condition* before = find_condition(status, text.type);
  if (before && before->status == text.status && before->reason == text.reason) return false;
  const Time since = before && before->status == text.status ? before->last_transition_time : now;
  remove_condition(status, text.type);
  status.conditions.push_back({.type = std::string(text.type),
                               .status = std::string(text.status),
                               .last_update_time = now,
                               .last_transition_time = since,
                               .reason = std::string(text.reason),
                               .message = std::move(text.message)});
  return true;
}

void remove_condition(argo::RolloutStatus& status, std::string_view type) {
  std::erase_if(status.conditions, [&](const auto& condition) { return condition.type == type; });
}

bool is_healthy(const argo::Rollout& rollout, const argo::RolloutStatus& status) {
  const argo::RolloutSpec& spec = rollout.spec;
  const Count replicas = replicas_of(spec);
  if (status.updated_replicas != replicas || status.available_replicas != replicas) return false;
  if (is_blue_green(spec)) {
    const argo::BlueGreenStatus& now = status.blue_green;
    const bool has_preview = !spec.strategy.blue_green->preview_service.empty();
    return now.active_selector == status.current_pod_hash &&
           (!has_preview || now.preview_selector == status.current_pod_hash);
  }
  const Count steps = step_count_of(spec);
  const bool is_through = steps == 0 || status.current_step_index.value_or(steps) == steps;
  return is_through && is_fully_promoted(status) && status.replicas == replicas;
}

bool is_getting_on(const argo::Rollout& rollout, const argo::RolloutStatus& status) {
  const argo::RolloutStatus& before = rollout.status;
  const auto old = [](const argo::RolloutStatus& one) {
    return one.replicas - one.updated_replicas;
  };
  if (status.updated_replicas != before.updated_replicas || old(status) < old(before) ||
      status.ready_replicas > before.ready_replicas ||
      status.available_replicas > before.available_replicas)
    return true;
  if (is_blue_green(rollout.spec))
    return status.blue_green.active_selector != before.blue_green.active_selector ||
           status.blue_green.preview_selector != before.blue_green.preview_selector;
  const bool moves = status.current_step_index && before.current_step_index &&
                     *status.current_step_index != *before.current_step_index;
  return moves || status.stable_rs != before.stable_rs ||
         status.current_step_hash != before.current_step_hash;
}

void decide_conditions(Draft& draft) {
  remove_condition(draft.status, kInvalidSpec);
  bool became_unhealthy = false;
  decide_health(draft, became_unhealthy);
  decide_abort_condition(draft);
  if (!draft.status.abort) decide_progress(draft, became_unhealthy);
  decide_availability(draft);
  decide_failure(draft);
  decide_completion(draft);
  decide_pause_conditions(draft);
}

}  // namespace slipway::rollout
