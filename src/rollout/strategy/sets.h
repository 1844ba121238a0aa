#pragma once

#include "rollout/draft.h"

// How the sets of a Rollout are scaled at this look. Pure.
namespace slipway::rollout {

// The stable set, then the latest, then the others; what is scaled ends the look. True when
// something was. Nothing while a pause holds everything as it is.
bool decide_canary_sets(Draft& draft);
void decide_blue_green_sets(Draft& draft);
// How many Pods the latest set of a blue-green Rollout has before it is promoted.
Count preview_size(const Draft& draft);

// Old sets beyond the limit, without Pods, go for good, and with them their runs and experiments.
void decide_history(Draft& draft);

}  // namespace slipway::rollout
