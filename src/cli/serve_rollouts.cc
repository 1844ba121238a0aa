#include "cli/serve_rollouts.h"

#include "api/kinds/argo_names.h"

namespace slipway::cli {

ServedRollouts::ServedRollouts(control::Manager& manager, Random& random)
    : recorder_(manager.loop(), manager.store(), random, std::string(api::argo::kEventSource)),
      experiments_(manager, recorder_),
      rollouts_(manager, recorder_) {
  manager.add(experiment::ExperimentReconciler::options(), experiments_);
  manager.add(rollouts_.options(), rollouts_);
}

}  // namespace slipway::cli
