#pragma once

#include "cli/rollout_metrics.h"
#include "control/events.h"
#include "control/manager.h"
#include "control/tally.h"
#include "experiment/controller.h"
#include "rollout/controller.h"

namespace slipway::cli {

// What carries Argo's Rollouts and Experiments out, for one term of a manager that has not started
// yet.
class ServedRollouts {
 public:
  ServedRollouts(control::Manager& manager, Random& random, rollout::Routers routers);

  // Before the manager stops: nobody waits any longer.
  void request_stop() {
    rollouts_.request_stop();
    experiments_.request_stop();
  }
  // After it has.
  Task<> stop() { return recorder_.stop(); }

  // For /metrics.
  RolloutMetrics& metrics() { return metrics_; }

 private:
  control::Recorder recorder_;
  control::Tally experiments_done_, rollouts_done_;
  experiment::ExperimentReconciler experiments_;
  rollout::RolloutReconciler rollouts_;
  control::CountedReconciler counted_experiments_, counted_rollouts_;
  RolloutMetrics metrics_;
};

}  // namespace slipway::cli
