#pragma once

#include "runtime/services/endpoint_slices.h"

namespace slipway::runtime {

inline constexpr std::string_view kMirrorManager = "endpointslicemirroring-controller.k8s.io";
// Endpoints of one list of ports; more are left out.
inline constexpr std::size_t kMaxMirrored = 1000;

// The slices of a Service without selector, whose Endpoints somebody writes: they say the same, a
// slice for each list of ports and family of addresses. `endpoints`: null when there are none.
// Those that ask not to be mirrored, that a lock for leaders is kept in, or that are left from when
// the Service had a selector, are as good as none. `existing`: those of ours for the Service.
SlicePlan decide_mirror(const json::Object& service, const ServiceView& view,
                        const json::Object* endpoints, const std::vector<json::Object>& existing);

}  // namespace slipway::runtime
