#include "rollout/draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"

namespace slipway::rollout {

namespace {

const std::optional<argo::RolloutAnalysisRunStatus>& recorded(const argo::RolloutStatus& status,
                                                              RunRole role) {
  switch (role) {
    case RunRole::kBackground:
      return status.canary.current_background_analysis_run_status;
    case RunRole::kStep:
      return status.canary.current_step_analysis_run_status;
    case RunRole::kPrePromotion:
      return status.blue_green.pre_promotion_analysis_run_status;
    case RunRole::kPostPromotion:
      break;
  }
  return status.blue_green.post_promotion_analysis_run_status;
}

}  // namespace

Draft::Draft(const Situation& situation)
    : seen(situation), rollout(seen.rollout), before(rollout.status) {
  sets = sort_out(seen.sets, seen.hash, before.stable_rs);
  for (const RunRole role : kRunRoles) {
    const auto& known = recorded(before, role);
    const auto made = seen.made_runs.find(role);
    const std::string name = made != seen.made_runs.end() ? made->second
                             : known                      ? known->name
                                                          : std::string();
    if (const Child* found = find_run(seen, name)) runs[role] = found;
  }
  experiment = find_experiment(
      seen, seen.made_experiment.empty() ? before.canary.current_experiment : seen.made_experiment);
  // Everything else is worked out anew at each look.
  status.restarted_at = before.restarted_at;
  status.alb = before.alb;
  status.albs = before.albs;
  status.collision_count = before.collision_count;
  status.conditions = before.conditions;
  status.duration = before.duration;
  status.stable_rs = before.stable_rs;
  status.canary.weights = before.canary.weights;
  status.canary.stable_ping_pong = before.canary.stable_ping_pong;
  status.canary.step_plugin_statuses = before.canary.step_plugin_statuses;
}

void Draft::look_again(std::optional<Time> at) {
  if (!at) return;
  plan.again = plan.again ? std::min(*plan.again, *at) : *at;
}

void Draft::act(Action action, std::optional<Happening> says) {
  plan.chores.push_back({std::move(action), std::move(says)});
}

void Draft::say(std::string reason, std::string message, bool is_warning) {
  plan.happenings.push_back({std::move(reason), std::move(message), is_warning});
}

const Child* Draft::run(RunRole role) const {
  const auto found = runs.find(role);
  return found == runs.end() ? nullptr : found->second;
}

void keep_status(Draft& draft) {
  draft.status = draft.before;
  draft.pauses.waits = true;
}

bool scale(Draft& draft, const ReplicaSet& set, Count replicas) {
  const Count desired = replicas_of(draft.rollout.spec);
  const bool resizes = set.replicas != replicas;
  const bool notes = set.desired() != desired;
  if (!resizes && !notes) return false;
  ChangeSet change{.name = set.name, .uid = set.uid};
  if (resizes) change.replicas = replicas;
  if (notes) change.annotations[std::string(argo::kDesiredReplicas)] = std::to_string(desired);
  if (replicas == 0 && set.has_deadline() && !delays_scale_down(draft))
    change.annotations[std::string(argo::kScaleDownDeadline)] = std::nullopt;
  std::optional<Happening> says;
  if (resizes)
    says = {.reason = "ScalingReplicaSet",
            .message = fmt::format("Scaled {} ReplicaSet {} (revision {}) from {} to {}",
                                   set.replicas < replicas ? "up" : "down", set.name,
                                   set.revision(), set.replicas, replicas)};
  draft.act(std::move(change), std::move(says));
  return resizes;
}

bool is_inconclusive(const Draft& draft) {
  return find_pause(draft.before, kInconclusiveAnalysis) ||
         std::ranges::find(draft.pauses.add, kInconclusiveAnalysis) != draft.pauses.add.end();
}

bool delays_scale_down(const Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  if (!draft.is_aborted() || !draft.sets.stable) return false;
  if (is_canary(spec) && !is_routed(spec)) return false;
  const AbortDelay delay = abort_delay_of(spec);
  if (!delay.delay) return false;
  return !is_dynamic(spec) || delay.is_set;
}

}  // namespace slipway::rollout
