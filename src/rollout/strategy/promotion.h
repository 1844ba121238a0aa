#pragma once

#include "rollout/draft.h"

// When the latest set becomes the stable one. Pure.
namespace slipway::rollout {

// Why it may now, as events say it; empty: not yet. Reads draft.status for blue-green selectors.
std::string promotion_reason(const Draft& draft);
// Makes it so.
void promote(Draft& draft, const std::string& reason);
// Whether what is left of the steps and pauses is skipped: for a full promotion, and for a way back
// within the window, which may be aborted.
bool skips_the_rest(Draft& draft);
// Back to the first step, as if nothing had happened: for another Pod template or other steps.
void reset(Draft& draft);

}  // namespace slipway::rollout
