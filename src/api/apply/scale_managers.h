#pragma once

#include <vector>

#include "api/apply/apply.h"

// Owners of an object's replicas and owners of its Scale's are the same people under two versions,
// carried from one to the other and back as Kubernetes does.
namespace slipway::api {

// Who owns spec.replicas after a write through the scale subresource. As Kubernetes carries entries
// from an object to its Scale and back: the writer's entry has no time, and owners it took nothing
// from are carried over without theirs.
void own_replicas(const json::Object& before, const json::Object& after,
                  std::vector<ManagedEntry>& entries, const Resource& resource,
                  const Writer& writer);

// The Scale's own entries: whoever owns the replicas of the object, under the Scale's version.
std::vector<ManagedEntry> entries_of_scale(std::vector<ManagedEntry> entries,
                                           const Resource& resource);
// The way back: those who no longer own the Scale's replicas lose the object's, new owners get
// them, without a time.
void carry_back(std::vector<ManagedEntry> of_scale, std::vector<ManagedEntry>& entries,
                const Resource& resource);

// The path of .spec.replicas and the like.
ElementPath path_of_replicas(const Resource& resource);

}  // namespace slipway::api
