#pragma once

#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

// The e-value of everything a state has seen. Private to judge/sequential.
namespace slipway::judge {

// log e-value for the plan's direction; with restarts when the plan looks for late onset.
double log_e_value(const Plan& plan, const State& state);

// The variance at which the mixture is sharpest; 0 when there is none (no data yet, counts).
double tuned_variance(const Plan& plan, const State& state);

// The variance that decides how looks hang together, the same for both directions.
double information(const Past& past);

}  // namespace slipway::judge
