#pragma once

#include <vector>

#include "runtime/services/service_view.h"

// Which EndpointSlices a Service should have, decided without writing them.
namespace slipway::runtime {

inline const api::Gvr kEndpointSlices{"discovery.k8s.io", "v1", "endpointslices"};
inline constexpr std::string_view kServiceNameLabel = "kubernetes.io/service-name";
inline constexpr std::string_view kManagedByLabel = "endpointslice.kubernetes.io/managed-by";
inline constexpr std::string_view kSliceManager = "endpointslice-controller.k8s.io";
inline constexpr std::size_t kMaxEndpointsPerSlice = 100;

struct SlicePlan {
  std::vector<json::Object> create = {};
  std::vector<json::Object> update = {};  // whole, with the resourceVersion they replace
  std::vector<json::Object> remove = {};
  bool empty() const { return create.empty() && update.empty() && remove.empty(); }
};

// `existing`: those of ours for the Service. An endpoint stays in its slice while it lives, so that
// one Pod's change rewrites one slice; the name of a new one follows from what it is for, so that
// making it twice is refused. A Service without Pods has one slice without endpoints.
SlicePlan decide_slices(const json::Object& service, const ServiceView& view,
                        const std::vector<const PodView*>& pods,
                        const std::vector<json::Object>& existing);

// The name of a slice of the Service, by what it is for.
std::string slice_name(const ServiceView& service, const std::string& purpose, std::size_t ordinal);

// Whether the Pod is listed at all: it has an address, an IPv4 one as all of ours, and is not over.
bool is_endpoint(const PodView& pod);

}  // namespace slipway::runtime
