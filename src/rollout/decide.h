#pragma once

#include "rollout/plan.h"

namespace slipway::rollout {

// How long a Rollout whose spec is refused, or refers to what is not there, waits for the next
// look.
inline constexpr std::chrono::seconds kLookAgainWhenInvalid(20);

// Everything a look at a Rollout leads to. Pure: no time but seen.now, no names but those that
// follow from the situation, so that the same situation has the same plan.
Plan decide(const Situation& seen);

// What is wrong with the spec, or with what it refers to; empty: nothing.
std::string problem_of(const Situation& seen);

}  // namespace slipway::rollout
