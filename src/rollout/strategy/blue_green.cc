#include "rollout/strategy/blue_green.h"

#include "rollout/strategy/analysis.h"
#include "rollout/strategy/metadata.h"
#include "rollout/strategy/promotion.h"
#include "rollout/strategy/restart.h"
#include "rollout/strategy/revisions.h"
#include "rollout/strategy/services.h"
#include "rollout/strategy/sets.h"

namespace slipway::rollout {

namespace {

const argo::BlueGreenStrategy& strategy_of(const Draft& draft) {
  return *draft.rollout.spec.strategy.blue_green;
}

const Service& active_service(const Draft& draft) {
  return *find_service(draft.seen, strategy_of(draft).active_service);
}

// The latest set has as many Pods as it needs for what comes next, all of them available.
bool is_ready(const Draft& draft) {
  const Count count = preview_size(draft);
  return draft.sets.latest->replicas == count && certain_of(*draft.sets.latest) == count;
}

// Nothing to wait for: promoted in full, back to a set that is still up, a first deployment, or
// done already.
bool is_fast_tracked(const Draft& draft) {
  return is_fast_rollback(draft) || draft.before.promote_full || !draft.sets.stable ||
         active_service(draft).hash() == draft.sets.latest->hash;
}

void decide_preview_service(Draft& draft) {
  const Service* preview = find_service(draft.seen, strategy_of(draft).preview_service);
  if (preview && halt_reason(draft.rollout).empty())
    switch_service(draft, *preview, draft.sets.latest->hash);
}

void decide_pause(Draft& draft) {
  if (draft.before.abort || !is_ready(draft) || !halt_reason(draft.rollout).empty()) return;
  if (is_fast_tracked(draft) || draft.before.blue_green.scale_up_preview_check_point ||
      !needs_blue_green_pause(strategy_of(draft))) {
    draft.pauses.remove.push_back(kBlueGreenPause);
    return;
  }
  if (!is_pre_promotion_done(draft)) return;
  if (!find_pause(draft.before, kBlueGreenPause)) {
    if (!draft.before.controller_pause) draft.pauses.add.push_back(kBlueGreenPause);
    return;
  }
  if (is_blue_green_pause_over(draft.rollout, draft.pauses, draft.seen.now))
    draft.pauses.remove.push_back(kBlueGreenPause);
  else
    draft.look_again(end_of_blue_green_pause(draft.rollout));
}

// The hash that the active Service selects after this look.
std::string decide_active_service(Draft& draft) {
  const Service& active = active_service(draft);
  const std::string& latest = draft.sets.latest->hash;
  std::string hash = active.hash();
  if (draft.before.abort && !draft.before.stable_rs.empty()) {
    // Whatever state the update is in, held too: the stable set has stayed up for this.
    hash = draft.before.stable_rs;
  } else if (!halt_reason(draft.rollout).empty()) {
    return hash;
  } else if (is_ready(draft) && is_saturated(draft.sets.latest, replicas_of(draft.rollout.spec)) &&
             (is_fast_tracked(draft) ||
              (is_blue_green_pause_over(draft.rollout, draft.pauses, draft.seen.now) &&
               is_pre_promotion_done(draft)))) {
    hash = latest;
  } else if (hash.empty() && draft.sets.has_separate_stable()) {
    // New in the middle of an update: that goes on from the stable set.
    hash = draft.before.stable_rs;
  }
  if (!hash.empty()) switch_service(draft, active, hash);
  return hash;
}

bool passes_checkpoint(const Draft& draft) {
  const auto& preview = strategy_of(draft).preview_replica_count;
  if (!preview) return false;
  if (draft.before.blue_green.scale_up_preview_check_point) return true;
  return is_pre_promotion_done(draft) &&
         is_blue_green_pause_over(draft.rollout, draft.pauses, draft.seen.now) &&
         certain_of(*draft.sets.latest) == *preview;
}

void finish(Draft& draft, const std::string& active) {
  skips_the_rest(draft);
  argo::BlueGreenStatus& status = draft.status.blue_green;
  const Service* preview = find_service(draft.seen, strategy_of(draft).preview_service);
  const bool halts = !halt_reason(draft.rollout).empty();
  if (preview) status.preview_selector = halts ? preview->hash() : draft.sets.latest->hash;
  status.active_selector = active;
  if (is_changed(draft)) return;
  if (const std::string reason = promotion_reason(draft); !reason.empty())
    promote(draft, reason);
  else
    status.scale_up_preview_check_point = passes_checkpoint(draft);
}

// A retry begins anew: what was said of the attempt before does not count.
void forget_verdicts(Draft& draft) {
  if (!draft.before.aborted_at || draft.before.abort) return;
  for (const RunRole role : {RunRole::kPrePromotion, RunRole::kPostPromotion})
    if (!draft.seen.made_runs.contains(role)) draft.runs.erase(role);
}

}  // namespace

void decide_blue_green(Draft& draft) {
  forget_verdicts(draft);
  decide_preview_service(draft);
  if (is_changed(draft)) {
    reset(draft);
    return finish(draft, active_service(draft).hash());
  }
  if (decide_restart(draft)) return keep_status(draft);
  decide_blue_green_sets(draft);
  decide_history(draft);
  decide_pause(draft);
  const std::string active = decide_active_service(draft);
  decide_analysis(draft);
  if (draft.has_to_create()) return;
  decide_metadata(draft);
  finish(draft, active);
}

void decide_blue_green_scaling(Draft& draft) {
  keep_status(draft);
  decide_blue_green_sets(draft);
}

}  // namespace slipway::rollout
