#pragma once

#include "rollout/plan.h"
#include "store/store.h"

namespace slipway::rollout {

// Brings the objects of all routers in line, one after the other; nothing is written that is so
// already. kNotFound, kInvalid: one cannot be routed, and why.
slipway::Task<Result<>> route_traffic(store::Store& store, const Situation& seen,
                                      RouteTraffic traffic);

}  // namespace slipway::rollout
