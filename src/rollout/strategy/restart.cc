#include "rollout/strategy/restart.h"

#include <algorithm>
#include <tuple>

#include "rollout/objects/pods.h"

namespace slipway::rollout {

namespace {

constexpr std::chrono::seconds kCheckAgain(30);

// The stable set's first, then the latest's, then the oldest.
std::vector<const Pod*> in_turn(const Draft& draft) {
  const auto rank = [&](const Pod* pod) {
    const bool is_stable = draft.sets.stable && pod->set_uid == draft.sets.stable->uid;
    const bool is_latest = draft.sets.latest && pod->set_uid == draft.sets.latest->uid;
    return std::tuple(is_stable ? 0 : is_latest ? 1 : 2, pod->created, pod->name);
  };
  std::vector<const Pod*> pods;
  for (const Pod& pod : draft.seen.pods) pods.push_back(&pod);
  std::ranges::sort(pods, {}, rank);
  return pods;
}

// Available Pods, but for those that their set is about to do without.
Count staying(const Draft& draft) {
  Count count = 0;
  for (const ReplicaSet* set : draft.sets.all)
    count += std::min(set->replicas, count_of(draft.seen.pods, set->uid, &Pod::is_available));
  return count;
}

// Which Pods a set on its way down does without is for its controller to say, and it may not know
// yet of those that were evicted meanwhile.
bool is_on_its_way_down(const Draft& draft, const Pod& pod) {
  const auto set = std::ranges::find(draft.sets.all, pod.set_uid, &ReplicaSet::uid);
  return set != draft.sets.all.end() &&
         (!(*set)->is_observed || (*set)->current > (*set)->replicas);
}

}  // namespace

bool decide_restart(Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  if (!spec.restart_at || draft.before.restarted_at == spec.restart_at) return false;
  if (draft.seen.now < *spec.restart_at) {
    draft.look_again(spec.restart_at);
    return false;
  }
  const Count available = staying(draft);
  const Count at_once = std::max(1, max_unavailable_of(spec));
  const Count wanted = std::max(replicas_of(spec), wanted_in(draft.sets.all));
  Count may = available - (wanted - at_once);
  Count evicted = 0;
  bool is_done = true;
  for (const Pod* pod : in_turn(draft)) {
    if (pod->created >= *spec.restart_at) continue;
    // Nothing tells when one that is going has gone; that others have taken its place does.
    if (pod->is_deleting && available >= wanted) continue;
    is_done = false;
    if (may <= 0 || pod->is_deleting || is_on_its_way_down(draft, *pod)) continue;
    draft.act(EvictPod{pod->name, pod->uid});
    --may;
    ++evicted;
  }
  if (is_done)
    draft.status.restarted_at = spec.restart_at;
  else
    draft.look_again(draft.seen.now + kCheckAgain);
  return evicted > 0;
}

}  // namespace slipway::rollout
