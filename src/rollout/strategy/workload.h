#pragma once

#include "rollout/draft.h"

namespace slipway::rollout {

// The workload whose Pod template a Rollout took over goes down as the Rollout comes up, where
// spec.workloadRef.scaleDown says so. Pure.
void decide_workload(Draft& draft);

}  // namespace slipway::rollout
