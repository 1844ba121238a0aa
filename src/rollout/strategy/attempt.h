#pragma once

#include "rollout/draft.h"

namespace slipway::rollout {

// Names this try of the Rollout to have something of its own: the same however often one look is
// begun anew, another after a retry, a resume or another update. `previous` is the name of what the
// status records in its place.
std::string attempt_of(const Draft& draft, const std::string& previous);

}  // namespace slipway::rollout
