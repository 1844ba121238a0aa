#pragma once

#include "rollout/draft.h"

// Sets that are neither the latest nor the stable one, on their way down. Pure. Each returns
// whether it scales any.
namespace slipway::rollout {

// What is unhealthy first, then the newest revision first, as far as availability allows.
bool decide_old_sets_basic(Draft& draft);
// The stable set of before stays up for the delay; one that an update left halfway goes at once.
bool decide_old_sets_routed(Draft& draft);
bool decide_old_sets_blue_green(Draft& draft);

void annotate_deadline(Draft& draft, const ReplicaSet& set, Time deadline);

}  // namespace slipway::rollout
