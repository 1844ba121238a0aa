#pragma once

#include "rollout/draft.h"

// How much of the traffic the canary shall have. Pure.
namespace slipway::rollout {

// Divides the traffic for the routers of the Rollout, and writes status.canary.weights. Nothing is
// changed while the stable set lacks Pods for its share. Without routers there are no weights.
void decide_traffic(Draft& draft);

// The weight alone: see decide_traffic.
Count traffic_weight(const Draft& draft);

// `Traffic weight updated from 10 to 20`; empty when none has.
std::string weights_message(const std::optional<argo::TrafficWeights>& before,
                            const argo::TrafficWeights& after);

}  // namespace slipway::rollout
