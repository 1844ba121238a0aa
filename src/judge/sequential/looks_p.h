#pragma once

#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

namespace slipway::judge {

// The least false-alarm rate at which the state's newest look, tested, would have failed with `z`:
// p of a group-sequential test, valid over all looks. 1 when half a chance would not do.
double looks_p(const Plan& plan, const State& state, double z);

}  // namespace slipway::judge
