#pragma once

#include "control/events.h"
#include "control/manager.h"
#include "experiment/controller.h"
#include "rollout/controller.h"

namespace slipway::cli {

// What carries Argo's Rollouts and Experiments out, for one term of a manager that has not started
// yet.
class ServedRollouts {
 public:
  ServedRollouts(control::Manager& manager, Random& random);

  // Before the manager stops: nobody waits any longer.
  void request_stop() {
    rollouts_.request_stop();
    experiments_.request_stop();
  }
  // After it has.
  Task<> stop() { return recorder_.stop(); }

 private:
  control::Recorder recorder_;
  experiment::ExperimentReconciler experiments_;
  rollout::RolloutReconciler rollouts_;
};

}  // namespace slipway::cli
