#pragma once

#include "rollout/situation.h"

namespace slipway::rollout {

// Available: ready, and for as long as minReadySeconds. Pure.
Pod read_pod(json::Value document, Count min_ready_seconds, Time now);

}  // namespace slipway::rollout
