#pragma once

#include "runtime/services/service_controller.h"
#include "runtime/workloads/deployments/deployment_controller.h"
#include "runtime/workloads/jobs/job_controller.h"
#include "runtime/workloads/replica_set_controller.h"

namespace slipway::runtime {

// The controllers that a cluster would bring along: ReplicaSets, Deployments, Jobs, Services. For
// one term of a manager that has not started yet, on the embedded store.
class Workloads {
 public:
  Workloads(control::Manager& manager, Random& random);

  // After the manager has stopped: writes the last events.
  Task<> stop();
  PodTable& pods() { return pods_; }

 private:
  control::Recorder set_events_;
  control::Recorder deployment_events_;
  control::Recorder job_events_;
  control::Recorder service_events_;
  PodTable pods_;
  ReplicaSetReconciler sets_;
  DeploymentReconciler deployments_;
  JobReconciler jobs_;
  ServiceReconciler services_;
};

}  // namespace slipway::runtime
