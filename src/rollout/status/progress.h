#pragma once

#include "rollout/draft.h"

// The Progressing condition, and how long an update may go without progress. Pure.
namespace slipway::rollout {

// Of an update that is not aborted. Also says when to look again for lack of progress.
void decide_progress(Draft& draft, bool became_unhealthy);

}  // namespace slipway::rollout
