#include "rollout/strategy/promotion.h"

#include <fmt/format.h>

#include "rollout/status/duration.h"
#include "rollout/strategy/analysis.h"
#include "rollout/strategy/old_sets.h"
#include "rollout/strategy/revisions.h"

namespace slipway::rollout {

namespace {

std::string rollback_reason(const Draft& draft) {
  if (!is_fast_rollback(draft)) return {};
  return is_rollback_in_window(draft) ? "Rollback within window" : "Fast rollback";
}

// As many of the latest set's Pods are available as the spec asks for.
bool is_up(const Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const ReplicaSet* latest = draft.sets.latest;
  const Count replicas = replicas_of(spec);
  if (!latest) return false;
  if (latest->is_observed && latest->available >= replicas) return true;
  return is_canary(spec) &&
         is_enough(spec.strategy.canary->replica_progress_threshold, latest, replicas);
}

std::string canary_reason(const Draft& draft) {
  if (draft.is_aborted() || !is_up(draft)) return {};
  if (draft.before.promote_full) return "Full promotion requested";
  if (std::string reason = rollback_reason(draft); !reason.empty()) return reason;
  if (is_inconclusive(draft)) return {};
  const StepPosition position = position_of(draft.rollout);
  const Count steps = step_count_of(draft.rollout.spec);
  if (steps == 0 || position.index == steps)
    return fmt::format("Completed all {} canary steps", steps);
  return {};
}

std::string blue_green_reason(const Draft& draft) {
  const argo::BlueGreenStatus& now = draft.status.blue_green;
  if (now.active_selector != draft.seen.hash) return {};
  if (draft.before.promote_full) return "Full promotion requested";
  if (std::string reason = rollback_reason(draft); !reason.empty()) return reason;
  if (draft.is_aborted()) return {};
  const auto& analysis = draft.rollout.spec.strategy.blue_green->post_promotion_analysis;
  if (analysis && !analysis->templates.empty()) {
    const Child* run = draft.run(RunRole::kPostPromotion);
    if (!run || !run->has_passed()) return {};
  }
  return "Completed blue-green update";
}

// Noted before anything else can happen: the next update may come at once, and then nobody would
// know that this set was stable a moment ago.
void keep_former_stable(Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const ReplicaSet* former = draft.sets.stable;
  if (!former || !is_routed(spec) || is_dynamic(spec) || former->replicas == 0) return;
  if (scale_down_limit_of(spec) == 0 || scale_down_delay_of(spec).count() == 0) return;
  annotate_deadline(draft, *former, draft.seen.now + scale_down_delay_of(spec));
}

}  // namespace

std::string promotion_reason(const Draft& draft) {
  if (!draft.sets.stable) return is_up(draft) ? "Initial deploy" : "";
  return is_canary(draft.rollout.spec) ? canary_reason(draft) : blue_green_reason(draft);
}

void promote(Draft& draft, const std::string& reason) {
  draft.pauses.clears_all = true;
  draft.pauses.lifts_abort = true;
  draft.status.promote_full = false;
  draft.status.blue_green.scale_up_preview_check_point = false;
  if (is_canary(draft.rollout.spec)) {
    const Count steps = step_count_of(draft.rollout.spec);
    draft.status.current_step_index = steps > 0 ? std::optional(steps) : std::nullopt;
  }
  if (draft.before.stable_rs == draft.seen.hash) return;
  if (is_canary(draft.rollout.spec) && draft.rollout.spec.strategy.canary->ping_pong)
    draft.status.canary.stable_ping_pong =
        draft.before.canary.stable_ping_pong == "ping" ? "pong" : "ping";
  draft.status.stable_rs = draft.seen.hash;
  keep_former_stable(draft);
  if (draft.is_retried())
    draft.status.duration = begin_duration(draft.before.duration, draft.seen.now);
  end_duration(draft.status.duration, completion_of(draft, reason), draft.seen.now);
  draft.say("RolloutCompleted", fmt::format("Rollout completed update to revision {} ({}): {}",
                                            draft.revision, draft.seen.hash, reason));
}

bool skips_the_rest(Draft& draft) {
  const bool skips =
      draft.before.promote_full || (is_rollback_in_window(draft) && !draft.is_aborted());
  if (skips) draft.pauses.clears_all = true;
  return skips;
}

void reset(Draft& draft) {
  draft.pauses.clears_all = true;
  draft.pauses.lifts_abort = true;
  if (draft.rollout.spec.restart_at && *draft.rollout.spec.restart_at <= draft.seen.now)
    draft.status.restarted_at = draft.rollout.spec.restart_at;
  draft.status.promote_full = false;
  draft.status.canary.step_plugin_statuses.clear();
  draft.status.current_step_index =
      step_count_of(draft.rollout.spec) > 0 ? std::optional<Count>(0) : std::nullopt;
  if (draft.seen.hash == draft.before.stable_rs)
    end_duration(draft.status.duration, "FastRolledBack", draft.seen.now);
  else
    draft.status.duration = begin_duration(draft.before.duration, draft.seen.now);
}

}  // namespace slipway::rollout
