#pragma once

#include "base/json.h"

namespace slipway::cli {

// Takes the selector out of a Service's manifest where a Rollout holds it: the one that is served
// differs from the one written only by the hash of a version. To apply it would be a conflict with
// the Rollout, or, forced, send requests to all versions until the Rollout sets it again.
//
// Whoever writes another selector means it; that stays, and the conflict with it. Pure.
void leave_selector_to_rollout(json::Value& manifest, const json::Value& served);

}  // namespace slipway::cli
