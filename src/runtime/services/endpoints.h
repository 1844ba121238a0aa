#pragma once

#include <optional>
#include <vector>

#include "runtime/services/service_view.h"

namespace slipway::runtime {

inline const api::Gvr kEndpoints{"", "v1", "endpoints"};
inline constexpr std::string_view kEndpointsManagerLabel = "endpoints.kubernetes.io/managed-by";
// More are left out, and an annotation says so.
inline constexpr std::size_t kMaxAddresses = 1000;

// The Endpoints of a Service, the older form of its slices: only Pods that stay, ready ones apart
// from others. `existing`: null when there are none yet. Nothing when they are as they should be.
std::optional<json::Object> decide_endpoints(const json::Object& service, const ServiceView& view,
                                             const std::vector<const PodView*>& pods,
                                             const json::Object* existing);

}  // namespace slipway::runtime
