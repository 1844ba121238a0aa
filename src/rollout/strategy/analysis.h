#pragma once

#include "rollout/draft.h"

// Which AnalysisRuns a Rollout needs now, and what theirs mean for it. Pure.
namespace slipway::rollout {

// Adds a creation to the plan (then nothing after it counts), ends runs that are no longer needed,
// pauses or aborts as runs ended, and writes the runs into the status.
void decide_analysis(Draft& draft);

// The pre-promotion run, where there is one to be, was successful.
bool is_pre_promotion_done(const Draft& draft);
// There is nothing to analyse after promotion, or not yet.
bool skips_post_promotion(const Draft& draft);

// Of runs, or experiments, that no longer count: those to be removed. Without a hash, without a
// set of theirs, or more than the history keeps; those under way stay.
std::vector<const Child*> find_expired(std::vector<const Child*> children, const Draft& draft);

}  // namespace slipway::rollout
