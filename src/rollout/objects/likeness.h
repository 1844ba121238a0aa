#pragma once

#include "rollout/situation.h"

namespace slipway::rollout {

// The newest set whose Pod template is the Rollout's, whatever its hash: what was injected into it
// (labels of its part, anti-affinity) does not count. Null: none. Pure.
const ReplicaSet* find_alike(const std::vector<ReplicaSet>& sets, const argo::Rollout& rollout);

// Whether a Pod template of a set is the one that the Rollout has.
bool has_template(const json::Value& set, const argo::Rollout& rollout);

}  // namespace slipway::rollout
