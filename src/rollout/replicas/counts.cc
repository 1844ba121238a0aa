#include "rollout/replicas/counts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace slipway::rollout {

namespace {

// Whether a weight falls exactly between two numbers of Pods.
bool is_tie(Count replicas, Count weight, Count max_weight) {
  return 2 * ((static_cast<std::int64_t>(replicas) * weight) % max_weight) == max_weight;
}

struct Option {
  Count canary = 0;
  Count total = 0;
  double distance(const Division& wanted) const {
    const double weight = static_cast<double>(canary) * wanted.max_weight / total;
    return std::abs(weight - wanted.weight);
  }
};

// What is certain to stay, or all that is wanted where availability does not matter.
Count contribution(const ReplicaSet* set, bool ignore_availability) {
  if (!set) return 0;
  return ignore_availability ? set->replicas : certain_of(*set);
}

struct Limits {
  Count most = 0;
  Count min_available = 0;
};

// `drained` shrinks; the other may have grown too far meanwhile. Takes what is too much from the
// other first, gives back what would cost availability, and takes the rest from the drained set.
struct Side {
  const ReplicaSet* set = nullptr;
  Count count = 0;
};
void keep_within(Side& drained, Side& other, const Limits& limits) {
  if (!other.set) return;
  const auto over = [&] { return std::max(0, drained.count + other.count - limits.most); };
  other.count -= over();
  Count available = std::min(other.set->available, other.count);
  if (drained.set) available += std::min(drained.set->available, drained.count);
  const Count lost = std::max(0, other.set->available - other.count);
  const Count missing = std::max(0, limits.min_available - available);
  other.count += std::min(lost, missing);
  drained.count -= over();
}

Count drain(const ReplicaSet* set, Count desired, Count by, Count count) {
  return set && set->replicas > desired ? std::max(desired, set->replicas - by) : count;
}

Count grow(Count from, Count desired, Count& budget) {
  if (from >= desired || budget <= 0) return from;
  const Count step = std::min(budget, desired - from);
  budget -= step;
  return from + step;
}

Count at_least_min_pods(const argo::RolloutSpec& spec, Count count) {
  const auto& least = spec.strategy.canary->min_pods_per_replica_set;
  if (count == 0 || !least || !is_routed(spec)) return count;
  return std::max(count, std::min(*least, replicas_of(spec)));
}

}  // namespace

Count share_of(Count replicas, Count weight, Count max_weight) {
  const std::int64_t parts = static_cast<std::int64_t>(replicas) * weight;
  return static_cast<Count>((parts + max_weight - 1) / max_weight);
}

Counts divide(const Division& wanted) {
  if (wanted.replicas == 0) return {};
  const Count replicas = wanted.replicas;
  const Count up = share_of(replicas, wanted.weight, wanted.max_weight);
  const Count down =
      static_cast<Count>(static_cast<std::int64_t>(replicas) * wanted.weight / wanted.max_weight);
  const bool none_allowed = wanted.weight == 0 || wanted.weight == wanted.max_weight ||
                            (replicas == 1 && wanted.max_surge == 0);
  const auto may_round_down = [&](Count total) {
    return !is_tie(total, wanted.weight, wanted.max_weight) && (down != 0 || none_allowed);
  };
  std::vector<Option> options;
  if (up < replicas || none_allowed) options.push_back({up, replicas});
  if (may_round_down(replicas)) options.push_back({down, replicas});
  if (wanted.max_surge > 0) {
    options.push_back({up, replicas + 1});
    if (may_round_down(replicas + 1)) options.push_back({down, replicas + 1});
  }
  // A tie whose larger side would be everything: 2 Pods at 75 percent, say.
  if (options.empty()) options.push_back({down, replicas});
  const auto best = std::ranges::min_element(
      options, {}, [&](const Option& option) { return option.distance(wanted); });
  return {.canary = best->canary, .stable = best->total - best->canary};
}

Counts basic_counts(const argo::Rollout& rollout, const Sets& sets) {
  const argo::RolloutSpec& spec = rollout.spec;
  const Count replicas = replicas_of(spec);
  const bool separate = sets.has_separate_stable();
  const ReplicaSet* stable = separate ? sets.stable : nullptr;
  const ReplicaSet* canary = sets.latest;
  Counts desired{.canary = replicas};
  if (separate)
    desired = divide({.replicas = replicas,
                      .weight = canary_scale(rollout, sets).weight,
                      .max_weight = max_weight_of(spec),
                      .max_surge = max_surge_of(spec)});

  const Limits limits{.most = replicas + max_surge_of(spec),
                      .min_available = replicas - max_unavailable_of(spec)};
  Counts counts{.canary = canary ? canary->replicas : 0, .stable = stable ? stable->replicas : 0};
  Count budget = limits.most - wanted_in(sets.others) - counts.canary - counts.stable;
  if (stable) counts.stable = grow(counts.stable, desired.stable, budget);
  if (canary) counts.canary = grow(counts.canary, desired.canary, budget);
  if (wanted_in(sets.others) > 0) return counts;

  const bool increasing = !canary || desired.canary >= canary->replicas;
  const Count certain = contribution(canary, !increasing) + contribution(stable, increasing);
  if (certain <= limits.min_available) return counts;
  const Count by = certain - limits.min_available;
  Side canary_side{canary, counts.canary};
  Side stable_side{stable, counts.stable};
  if (!increasing) {
    canary_side.count = drain(canary, desired.canary, by, counts.canary);
    keep_within(canary_side, stable_side, limits);
  } else if (separate) {
    stable_side.count = drain(stable, desired.stable, by, counts.stable);
    keep_within(stable_side, canary_side, limits);
  }
  return {.canary = canary_side.count, .stable = stable_side.count};
}

Counts routed_counts(const argo::Rollout& rollout, const Sets& sets,
                     const std::optional<argo::TrafficWeights>& weights) {
  const argo::RolloutSpec& spec = rollout.spec;
  const Count replicas = replicas_of(spec);
  const Count most = max_weight_of(spec);
  const CanaryScale scale = canary_scale(rollout, sets);
  Counts counts{.canary = scale.replicas
                              ? *scale.replicas
                              : at_least_min_pods(spec, share_of(replicas, scale.weight, most)),
                .stable = replicas};
  if (!is_dynamic(spec)) return counts;
  counts.stable = share_of(replicas, most - scale.weight, most);
  if (weights) {
    counts.stable = std::max(counts.stable, share_of(replicas, weights->stable.weight, most));
    if (rollout.status.abort)
      counts.canary = std::max(counts.canary, share_of(replicas, weights->canary.weight, most));
  }
  return {.canary = at_least_min_pods(spec, counts.canary),
          .stable = at_least_min_pods(spec, counts.stable)};
}

Counts canary_counts(const argo::Rollout& rollout, const Sets& sets,
                     const std::optional<argo::TrafficWeights>& weights) {
  return is_routed(rollout.spec) ? routed_counts(rollout, sets, weights)
                                 : basic_counts(rollout, sets);
}

bool is_enough(const std::optional<argo::ReplicaProgressThreshold>& threshold,
               const ReplicaSet* set, Count desired) {
  if (!set || !set->is_observed) return false;
  if (!threshold || threshold->value < 0)
    return set->replicas == desired && set->available == desired;
  if (threshold->type != "Percent") return set->available >= threshold->value;
  return desired == 0 || static_cast<std::int64_t>(set->available) * 100 >=
                             static_cast<std::int64_t>(threshold->value) * desired;
}

bool is_at_counts(const argo::Rollout& rollout, const Sets& sets,
                  const std::optional<argo::TrafficWeights>& weights) {
  const argo::RolloutSpec& spec = rollout.spec;
  const Counts desired = canary_counts(rollout, sets, weights);
  if (!is_enough(spec.strategy.canary->replica_progress_threshold, sets.latest, desired.canary))
    return false;
  if (!is_dynamic(spec) && (!sets.stable || sets.stable->replicas != desired.stable ||
                            sets.stable->current != desired.stable))
    return false;
  // Without a router, whatever is up has traffic.
  return is_routed(spec) || available_in(sets.others) == 0;
}

Count preview_count(const argo::Rollout& rollout, const Sets& sets) {
  const Count replicas = replicas_of(rollout.spec);
  const auto& preview = rollout.spec.strategy.blue_green->preview_replica_count;
  if (!preview) return replicas;
  const argo::RolloutStatus& status = rollout.status;
  const ReplicaSet* active = find_by_hash(sets.all, status.blue_green.active_selector);
  if (!active || active == sets.latest || status.promote_full) return replicas;
  const bool is_new_update = !sets.latest || sets.latest->hash != status.current_pod_hash;
  const bool is_paused = rollout.spec.paused || !status.pause_conditions.empty();
  const bool may_grow =
      !is_new_update && !is_paused && status.blue_green.scale_up_preview_check_point;
  return may_grow ? replicas : *preview;
}

}  // namespace slipway::rollout
