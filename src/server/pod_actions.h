#pragma once

#include "server/call.h"

// What can be asked for a Pod beside reading and writing it.
namespace slipway::server {

// POST …/pods/NAME/eviction: a deletion. No PodDisruptionBudgets are served that could forbid it.
Task<http::Response> evict_pod(const Services& services, Call call);

// POST …/pods/NAME/binding: gives the Pod its node.
Task<http::Response> bind_pod(const Services& services, Call call);

}  // namespace slipway::server
