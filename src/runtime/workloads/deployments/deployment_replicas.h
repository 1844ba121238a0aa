#pragma once

#include <vector>

#include "runtime/workloads/deployments/deployment_view.h"

// The arithmetic of rolling updates: how many Pods each ReplicaSet is to have next.
namespace slipway::runtime {

// Those asked for, of all sets together.
std::int64_t total_replicas(const std::vector<SetView>& sets);

// Of the new set: as many as fit below replicas + surge. `mine`: what it has now.
std::int64_t new_set_replicas(const DeploymentView& deployment, std::int64_t total,
                              std::int64_t mine);

// One size per set of `sets`, the new one at `current`: old sets shrink by what is unhealthy in
// them and then as far as availability allows, the oldest first.
std::vector<std::int64_t> shrink_old_sets(const DeploymentView& deployment,
                                          const std::vector<SetView>& sets, std::size_t current);

// The Deployment was resized, or is paused: one size per set. Several sets share the change in
// proportion to their sizes. `current` is sets.size() when there is no new set yet.
std::vector<std::int64_t> resize_sets(const DeploymentView& deployment,
                                      const std::vector<SetView>& sets, std::size_t current);

}  // namespace slipway::runtime
