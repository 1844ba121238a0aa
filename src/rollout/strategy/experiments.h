#pragma once

#include "rollout/draft.h"

// Experiment steps: what they make, and what becomes of it. Pure.
namespace slipway::rollout {

// Adds a creation to the plan (then nothing after it counts), ends experiments that are no longer
// needed, pauses or aborts as the current one ended.
void decide_experiments(Draft& draft);

// The Experiment of the current step. kInvalid: a template refers to neither canary nor stable, or
// an argument leads nowhere.
Result<json::Object> experiment_object(const Draft& draft, const argo::RolloutExperimentStep& step);

}  // namespace slipway::rollout
