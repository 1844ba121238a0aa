#pragma once

#include "judge/effect.h"
#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

namespace slipway::judge {

// How much the sides differ by what the state still holds, with the shifts that the test itself
// would not have refused: an interval that holds at all looks at once where the plan's monitoring
// does. At either end it is off with the chance of one direction. Counts: shift is of the rate.
Effect sequential_effect(const Plan& plan, const State& state);

}  // namespace slipway::judge
