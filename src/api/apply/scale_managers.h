#pragma once

#include <vector>

#include "api/apply/apply.h"

namespace slipway::api {

// Who owns spec.replicas after a write through the scale subresource. As Kubernetes carries entries
// from an object to its Scale and back: the writer's entry has no time, and owners it took nothing
// from are carried over without theirs.
void own_replicas(const json::Object& before, const json::Object& after,
                  std::vector<ManagedEntry>& entries, const Resource& resource,
                  const Writer& writer);

// The path of .spec.replicas and the like.
ElementPath path_of_replicas(const Resource& resource);

}  // namespace slipway::api
