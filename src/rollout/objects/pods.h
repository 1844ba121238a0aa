#pragma once

#include "rollout/situation.h"

namespace slipway::rollout {

// Available: ready, and for as long as minReadySeconds. Pure.
Pod read_pod(json::Value document, Count min_ready_seconds, Time now);

// Why it is not ready, as far as its status says; empty when it is, or is on its way out.
std::string why_not_ready(const json::Value& pod);

}  // namespace slipway::rollout
