#pragma once

#include "rollout/draft.h"

// The blue-green strategy, in its order. Pure.
namespace slipway::rollout {

void decide_blue_green(Draft& draft);
// Only the sizes of the sets, after a change of spec.replicas.
void decide_blue_green_scaling(Draft& draft);

}  // namespace slipway::rollout
