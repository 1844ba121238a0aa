#pragma once

#include "judge/answer.h"
#include "judge/sequential/boundary.h"
#include "judge/sequential/engine.h"
#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

// From sums to a verdict: boundaries, e-values and p of one look. Private to judge/sequential.
namespace slipway::judge {

// The share of alpha that group-sequential looks have, and that a search for late onset has.
double looks_share(const Plan& plan);
double late_share(const Plan& plan);
// alpha of one direction, of the looks' share.
double alpha_of_direction(const Plan& plan, double share);

bool enough(const Plan& plan, const Reading& reading);

// Judges the look that `reading` was taken at, the state's newest; notes boundary, spending,
// e-value and failure in the state. `boundaries` stands at the last tested look.
Look decide_look(const Plan& plan, State& state, const Reading& reading, Boundaries& boundaries);

// The z at which the state's newest look would fail; NaN when none was tested yet.
double critical_z(const Plan& plan, const State& state);

}  // namespace slipway::judge
