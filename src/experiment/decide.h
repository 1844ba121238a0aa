#pragma once

#include "experiment/plan.h"
#include "experiment/seen.h"

namespace slipway::experiment {

// What to do now for an Experiment, and what its status is. Pure.
//
// What is done rests on the status as it is kept; the status that comes out rests on what was seen
// as well. So a look that is cut off between any two of its actions is simply done again. After
// actions, call it again with what came of them: the status of a plan without actions is the one to
// keep.
Plan decide_experiment(const Identity& who, const Experiment& experiment, const Observed& observed,
                       Time now);

// Why its spec cannot be carried out, in Argo's words; empty when it can.
std::string why_invalid(const Identity& who, const Experiment& experiment);
// The status of one that cannot: nothing but the condition differs.
ExperimentStatus invalid_status(const ExperimentStatus& before, const std::string& why, Time now);

}  // namespace slipway::experiment
