#include "rollout/strategy/old_sets.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "api/kinds/argo_names.h"
#include "rollout/strategy/analysis.h"
#include "rollout/strategy/services.h"

namespace slipway::rollout {

namespace {

std::vector<const ReplicaSet*> newest_first(const Sets& sets) {
  std::vector<const ReplicaSet*> old = sets.others;
  std::erase_if(old, [](const ReplicaSet* set) { return set->replicas == 0; });
  std::ranges::sort(old, std::greater(), [](const ReplicaSet* set) {
    return std::tuple(set->revision(), set->created, set->name);
  });
  return old;
}

// How large a set stays that waits for its deadline; `waiting` counts those that do.
Count size_until_deadline(Draft& draft, const ReplicaSet& set, Count& waiting) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  if (++waiting > scale_down_limit_of(spec)) return 0;
  if (!set.has_deadline()) {
    const auto delay = scale_down_delay_of(spec);
    if (delay.count() == 0) return 0;
    annotate_deadline(draft, set, draft.seen.now + delay);
    draft.look_again(draft.seen.now + delay);
    return set.replicas;
  }
  const auto deadline = set.deadline();
  if (!deadline || *deadline <= draft.seen.now) return 0;
  draft.look_again(deadline);
  return set.replicas;
}

// What is available beyond what must be.
Count spare(const Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  Count certain = 0;
  for (const ReplicaSet* set : draft.sets.all) certain += certain_of(*set);
  return certain - (replicas_of(spec) - max_unavailable_of(spec));
}

}  // namespace

void annotate_deadline(Draft& draft, const ReplicaSet& set, Time deadline) {
  ChangeSet change{.name = set.name, .uid = set.uid};
  change.annotations[std::string(argo::kScaleDownDeadline)] = format_time(deadline);
  draft.act(std::move(change));
}

bool decide_old_sets_basic(Draft& draft) {
  bool scaled = false;
  Count left = spare(draft);
  for (const ReplicaSet* set : newest_first(draft.sets)) {
    const Count healthy = std::min(set->replicas, set->available);
    const Count drop = std::clamp(left, 0, healthy);
    left -= drop;
    scaled = scale(draft, *set, healthy - drop) || scaled;
  }
  return scaled;
}

bool decide_old_sets_routed(Draft& draft) {
  bool scaled = false;
  Count waiting = 0;
  Count left = spare(draft);
  for (const ReplicaSet* set : newest_first(draft.sets)) {
    if (is_referenced(draft, *set)) continue;
    const Count healthy = std::min(set->replicas, set->available);
    const bool was_stable = is_fully_promoted(draft.before) || set->has_deadline();
    // Where nothing is to spare, what is not available is not missed.
    const Count size = left <= 0 ? healthy
                       : was_stable && !is_dynamic(draft.rollout.spec)
                           ? size_until_deadline(draft, *set, waiting)
                           : 0;
    if (size == set->replicas) continue;
    left -= std::max(0, healthy - size);
    scaled = scale(draft, *set, size) || scaled;
  }
  return scaled;
}

bool decide_old_sets_blue_green(Draft& draft) {
  if (find_pause(draft.before, kInconclusiveAnalysis)) return false;
  const argo::BlueGreenStrategy& strategy = *draft.rollout.spec.strategy.blue_green;
  const bool waits_for_verdict = strategy.post_promotion_analysis &&
                                 !strategy.scale_down_delay_seconds && draft.sets.latest &&
                                 !skips_post_promotion(draft);
  const Child* run = draft.run(RunRole::kPostPromotion);
  if (waits_for_verdict && (!run || run->phase != "Successful")) return false;
  bool scaled = false;
  Count waiting = 0;
  for (const ReplicaSet* set : newest_first(draft.sets)) {
    if (is_referenced(draft, *set)) continue;
    scaled = scale(draft, *set, size_until_deadline(draft, *set, waiting)) || scaled;
  }
  return scaled;
}

}  // namespace slipway::rollout
