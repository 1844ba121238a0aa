#pragma once

#include "rollout/situation.h"

namespace slipway::rollout {

// Available: ready, and for as long as minReadySeconds. Pure.
Pod read_pod(json::Value document, Count min_ready_seconds, Time now);

// Those of a set that are so, and stay.
Count count_of(const std::vector<Pod>& pods, const std::string& set_uid, bool Pod::* is_so);

// A set's status may be a look behind its Pods: what was evicted meanwhile is not available. For
// how long the others must have been ready is the set's to say, by its own clock.
void count_available(std::vector<ReplicaSet>& sets, const std::vector<Pod>& pods);

}  // namespace slipway::rollout
