#pragma once

#include "rollout/replicas/steps.h"

// How many Pods each set of a Rollout shall have. Pure.
namespace slipway::rollout {

struct Counts {
  Count canary = 0;
  Count stable = 0;
  bool operator==(const Counts&) const = default;
};

// The division of Pods nearest to a weight. Never none on a side that shall have traffic, where
// there is more than one Pod; with surge, one Pod more may come nearer.
struct Division {
  Count replicas = 0;
  Count weight = 0;
  Count max_weight = kMaxWeight;
  Count max_surge = 0;
};
Counts divide(const Division& division);

// ceil(replicas · weight / max).
Count share_of(Count replicas, Count weight, Count max_weight);

// The next step of a canary without router toward its division: within surge and unavailability,
// the stable set before the canary when growing, others before both when shrinking.
Counts basic_counts(const argo::Rollout& rollout, const Sets& sets);
// Of a canary behind a router: as large as the traffic needs. `weights` as they are now, or null.
Counts routed_counts(const argo::Rollout& rollout, const Sets& sets,
                     const std::optional<argo::TrafficWeights>& weights);
// Whichever applies.
Counts canary_counts(const argo::Rollout& rollout, const Sets& sets,
                     const std::optional<argo::TrafficWeights>& weights);

// Enough of `desired` are available: all, or what replicaProgressThreshold says.
bool is_enough(const std::optional<argo::ReplicaProgressThreshold>& threshold,
               const ReplicaSet* set, Count desired);
// Everything a step wants of the sets is so.
bool is_at_counts(const argo::Rollout& rollout, const Sets& sets,
                  const std::optional<argo::TrafficWeights>& weights);

// Of the new set of a blue-green Rollout: the preview's count until the checkpoint is passed.
Count preview_count(const argo::Rollout& rollout, const Sets& sets);

}  // namespace slipway::rollout
