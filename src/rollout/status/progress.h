#pragma once

#include "rollout/draft.h"

// The Progressing condition, and how long an update may go without progress. Pure.
namespace slipway::rollout {

// Of an update that is not aborted. Also says when to look again for lack of progress.
void decide_progress(Draft& draft, bool became_unhealthy);
// Whether an update has gone without progress for too long and does not say so yet.
bool is_time_up(const argo::Rollout& rollout, Time now);

}  // namespace slipway::rollout
