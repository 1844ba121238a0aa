#include "rollout/strategy/sets.h"

#include <algorithm>
#include <tuple>

#include "api/kinds/argo_names.h"
#include "rollout/strategy/old_sets.h"
#include "rollout/strategy/revisions.h"

namespace slipway::rollout {

namespace {

// A set that is wanted again has no deadline any more.
void lift_deadline(Draft& draft, const ReplicaSet* set) {
  if (!set || !set->has_deadline()) return;
  ChangeSet change{.name = set->name, .uid = set->uid};
  change.annotations[std::string(argo::kScaleDownDeadline)] = std::nullopt;
  draft.act(std::move(change));
}

// By its deadline a set is known to be still up, which is what makes the way back to it quick: it
// keeps that until the way is gone.
bool is_on_its_way_back(const Draft& draft) {
  return is_blue_green(draft.rollout.spec) && draft.sets.has_separate_stable() &&
         is_fast_rollback(draft);
}

void lift_deadlines(Draft& draft) {
  const auto& [latest, stable, others, all] = draft.sets;
  if (latest && is_on_its_way_back(draft))
    draft.look_again(latest->deadline());
  else if (latest && !delays_scale_down(draft))
    lift_deadline(draft, latest);
  if (stable != latest) lift_deadline(draft, stable);
}

// After an abort: up until the stable set can take all traffic, and then for the delay.
bool decide_latest_after_abort(Draft& draft) {
  const ReplicaSet& latest = *draft.sets.latest;
  if (const auto deadline = latest.deadline()) {
    if (*deadline <= draft.seen.now) return scale(draft, latest, 0);
    draft.look_again(deadline);
    return scale(draft, latest, latest.replicas);
  }
  scale(draft, latest, latest.replicas);
  if (latest.replicas > 0 && certain_of(*draft.sets.stable) >= replicas_of(draft.rollout.spec)) {
    const Time deadline = draft.seen.now + *abort_delay_of(draft.rollout.spec).delay;
    annotate_deadline(draft, latest, deadline);
    draft.look_again(deadline);
  }
  return false;
}

bool decide_latest(Draft& draft, Count replicas) {
  if (!draft.sets.latest) return false;
  // Aborted at once with the stable set: there is nothing to go back to.
  if (delays_scale_down(draft) && draft.sets.has_separate_stable())
    return decide_latest_after_abort(draft);
  return scale(draft, *draft.sets.latest, replicas);
}

}  // namespace

bool decide_canary_sets(Draft& draft) {
  if (!halt_reason(draft.rollout).empty()) return false;
  lift_deadlines(draft);
  const argo::Rollout& rollout = draft.rollout;
  // The stable set follows the weights of the last look, so that it shrinks only once the traffic
  // has gone.
  if (draft.sets.has_separate_stable() &&
      scale(draft, *draft.sets.stable,
            canary_counts(rollout, draft.sets, draft.before.canary.weights).stable))
    return true;
  if (decide_latest(draft, canary_counts(rollout, draft.sets, draft.status.canary.weights).canary))
    return true;
  return is_routed(rollout.spec) ? decide_old_sets_routed(draft) : decide_old_sets_basic(draft);
}

// On a quick way back there is nothing to preview.
Count preview_size(const Draft& draft) {
  return is_fast_rollback(draft) ? replicas_of(draft.rollout.spec)
                                 : preview_count(draft.rollout, draft.sets);
}

void decide_blue_green_sets(Draft& draft) {
  lift_deadlines(draft);
  if (draft.sets.has_separate_stable())
    scale(draft, *draft.sets.stable, replicas_of(draft.rollout.spec));
  if (draft.sets.latest) {
    decide_latest(draft, preview_size(draft));
  }
  decide_old_sets_blue_green(draft);
}

void decide_history(Draft& draft) {
  std::vector<const ReplicaSet*> old = draft.sets.others;
  std::erase_if(old, [](const ReplicaSet* set) { return set->is_deleting; });
  const auto limit =
      static_cast<std::size_t>(std::max(0, revision_history_limit_of(draft.rollout.spec)));
  if (old.size() <= limit) return;
  std::ranges::sort(old, {}, [](const ReplicaSet* set) {
    return std::tuple(set->created, set->revision(), set->name);
  });
  old.resize(old.size() - limit);
  for (const ReplicaSet* set : old) {
    if (set->replicas != 0 || set->current != 0 || !set->is_observed || set->has_deadline())
      continue;
    draft.act(RemoveSet{set->name, set->uid});
    for (const Child& run : draft.seen.runs)
      if (run.hash == set->hash && !run.is_deleting)
        draft.act(RemoveChild{ChildKind::kRun, run.name, run.uid});
    for (const Experiment& experiment : draft.seen.experiments)
      if (experiment.hash == set->hash && !experiment.is_deleting)
        draft.act(RemoveChild{ChildKind::kExperiment, experiment.name, experiment.uid});
  }
}

}  // namespace slipway::rollout
