#pragma once

#include "runtime/workloads/deployments/deployment_view.h"

namespace slipway::runtime {

// A ReplicaSet to be changed: only what is named.
struct SetChange {
  std::size_t set = 0;  // its position
  std::optional<std::int64_t> replicas = {};
  std::optional<std::int32_t> min_ready_seconds = {};
  Annotations annotations = {};  // those that differ
};

// What one look at a Deployment comes to.
struct DeploymentPlan {
  std::optional<json::Object> create = {};
  std::vector<SetChange> change = {};
  std::vector<std::size_t> remove = {};  // positions of sets that history no longer needs
  json::Object status = {};
  std::string revision = {};  // to be noted on the Deployment; empty: as it is
  std::optional<Duration> again = {};
};

// `sets`: those it controls; sorted here, and positions count in that order. Rules as
// kube-controller-manager's: rolling update, recreate, resize in proportion, pause, history,
// progress deadline.
DeploymentPlan decide_deployment(const DeploymentView& deployment, std::vector<SetView>& sets,
                                 Time now);

}  // namespace slipway::runtime
