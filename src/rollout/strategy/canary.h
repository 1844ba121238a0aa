#pragma once

#include "rollout/draft.h"

// The canary strategy, in its order. Pure.
namespace slipway::rollout {

// One look: services, traffic, experiments, analyses, sets, the current step; then the status but
// for what both strategies share. Ends early when something has to be created.
void decide_canary(Draft& draft);
// Only the sizes of the sets, after a change of spec.replicas.
void decide_canary_scaling(Draft& draft);

// What the current step waits for is there.
bool is_step_done(const Draft& draft);

}  // namespace slipway::rollout
