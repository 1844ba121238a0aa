#pragma once

#include "control/events.h"
#include "control/manager.h"
#include "experiment/controller.h"

namespace slipway::cli {

// What carries Argo's Experiments (and whatever makes them) out, for one term of a manager that has
// not started yet.
class ServedRollouts {
 public:
  ServedRollouts(control::Manager& manager, Random& random);

  // Before the manager stops: nobody waits any longer.
  void request_stop() { experiments_.request_stop(); }
  // After it has.
  Task<> stop() { return recorder_.stop(); }

 private:
  control::Recorder recorder_;
  experiment::ExperimentReconciler experiments_;
};

}  // namespace slipway::cli
