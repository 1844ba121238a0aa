#pragma once

#include "judge/effect.h"
#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

namespace slipway::judge {

// The least shift, as a size, that the newest look would just have called a difference, with the
// noise and the points there are and the margin added: what a pass so far has not ruled out. In the
// unit of `effect.shift` (counts: events per exposure); of both directions the worse. NaN while
// there is no boundary.
double detectable_shift(const Plan& plan, const State& state, const Effect& effect);

}  // namespace slipway::judge
