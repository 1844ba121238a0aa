#include "rollout/strategy/canary.h"

#include <fmt/format.h>

#include "rollout/strategy/analysis.h"
#include "rollout/strategy/experiments.h"
#include "rollout/strategy/metadata.h"
#include "rollout/strategy/promotion.h"
#include "rollout/strategy/restart.h"
#include "rollout/strategy/revisions.h"
#include "rollout/strategy/services.h"
#include "rollout/strategy/sets.h"
#include "rollout/strategy/traffic.h"

namespace slipway::rollout {

namespace {

void begin_anew(Draft& draft) {
  reset(draft);
  const Count steps = step_count_of(draft.rollout.spec);
  if (!draft.sets.latest || steps == 0) return;
  if (draft.before.stable_rs == draft.sets.latest->hash) {
    draft.say("SkipSteps", "Rollback to stable ReplicaSets");
    draft.status.current_step_index = steps;
  } else if (is_rollback_in_window(draft) && draft.sets.latest->replicas > 0) {
    draft.say("SkipSteps", "Rollback to active ReplicaSets within RollbackWindow");
    draft.status.current_step_index = steps;
  }
}

void decide_pause_step(Draft& draft) {
  const StepPosition position = position_of(draft.rollout);
  if (draft.rollout.spec.paused || draft.before.promote_full || draft.is_aborted()) return;
  if (!position.step || !position.step->pause || !draft.sets.stable) return;
  if (!find_pause(draft.before, kCanaryPause)) {
    if (!is_resumed(draft.before)) draft.pauses.add.push_back(kCanaryPause);
    return;
  }
  if (!is_inconclusive(draft))
    draft.look_again(end_of_canary_pause(draft.rollout, *position.step->pause));
}

void finish_step(Draft& draft) {
  const StepPosition position = position_of(draft.rollout);
  draft.status.current_step_index = position.index;
  if (!position.step || !is_step_done(draft)) return;
  const Count next = *position.index + 1;
  draft.status.current_step_index = next;
  draft.status.canary.current_step_analysis_run_status.reset();
  draft.status.canary.current_experiment.clear();
  draft.pauses.remove.push_back(kCanaryPause);
  draft.say("RolloutStepCompleted",
            fmt::format("Rollout step {}/{} completed ({})", next,
                        step_count_of(draft.rollout.spec), step_text(*position.step)));
}

void finish(Draft& draft) {
  const Count steps = step_count_of(draft.rollout.spec);
  const bool skips = skips_the_rest(draft);
  if (const std::string reason = promotion_reason(draft); !reason.empty())
    return promote(draft, reason);
  // A first deployment has nothing to take steps from.
  if (skips || !draft.sets.stable) {
    draft.status.current_step_index = steps > 0 ? std::optional(steps) : std::nullopt;
    return;
  }
  if (draft.is_aborted()) {
    const bool is_stable = draft.before.stable_rs == draft.seen.hash;
    if (steps > 0) draft.status.current_step_index = is_stable ? steps : 0;
    return;
  }
  finish_step(draft);
}

// Of ping and pong, the one that takes the canary's part may still have traffic of an update that
// was given up, whatever the status says of it: that leaves before its set has no Pods.
void decide_ways(Draft& draft) {
  const bool traffic_first = draft.rollout.spec.strategy.canary->ping_pong && draft.sets.latest &&
                             certain_of(*draft.sets.latest) == 0;
  if (traffic_first) decide_traffic(draft);
  decide_canary_services(draft);
  if (!traffic_first) decide_traffic(draft);
}

}  // namespace

bool is_step_done(const Draft& draft) {
  const argo::CanaryStep* step = position_of(draft.rollout).step;
  if (!step || draft.rollout.spec.paused || is_inconclusive(draft)) return false;
  const auto& weights = draft.status.canary.weights;
  if (step->pause) return is_canary_pause_over(draft.rollout, *step->pause, draft.seen.now);
  if (step->set_canary_scale) return is_at_counts(draft.rollout, draft.sets, weights);
  if (step->set_weight)
    return is_at_counts(draft.rollout, draft.sets, weights) &&
           !(weights && weights->verified == false);
  if (step->experiment) return draft.experiment && draft.experiment->has_passed();
  if (step->analysis) {
    const Child* run = draft.run(RunRole::kStep);
    return step->analysis->templates.empty() || (run && run->has_passed());
  }
  return step->set_header_route || step->set_mirror_route;
}

void decide_canary(Draft& draft) {
  if (is_changed(draft)) return begin_anew(draft);
  if (decide_restart(draft)) return keep_status(draft);
  decide_metadata(draft);
  decide_history(draft);
  decide_ways(draft);
  decide_experiments(draft);
  if (draft.has_to_create()) return;
  decide_analysis(draft);
  if (draft.has_to_create()) return;
  // An inconclusive verdict holds everything where it is.
  const bool is_paused_now = !draft.pauses.add.empty();
  if (!is_paused_now && !decide_canary_sets(draft)) decide_pause_step(draft);
  finish(draft);
}

void decide_canary_scaling(Draft& draft) {
  keep_status(draft);
  decide_canary_sets(draft);
}

}  // namespace slipway::rollout
