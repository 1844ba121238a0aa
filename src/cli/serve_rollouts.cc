#include "cli/serve_rollouts.h"

#include "api/kinds/argo_names.h"

namespace slipway::cli {

using experiment::ExperimentReconciler;

ServedRollouts::ServedRollouts(control::Manager& manager, Random& random, rollout::Routers routers)
    : recorder_(manager.loop(), manager.store(), random, std::string(api::argo::kEventSource)),
      experiments_done_(manager.loop().clock()),
      rollouts_done_(manager.loop().clock()),
      experiments_(manager, recorder_),
      rollouts_(manager, recorder_, routers),
      counted_experiments_(manager, ExperimentReconciler::kKind, experiments_, experiments_done_),
      counted_rollouts_(manager, rollout::kRollouts, rollouts_, rollouts_done_),
      metrics_({.manager = manager,
                .rollouts_done = rollouts_done_,
                .experiments_done = experiments_done_,
                .update_times = rollouts_.update_times()}) {
  recorder_.on_record([this](const json::Object& about, control::EventKind kind,
                             const std::string& reason) {
    if (json::string_at(about, {"kind"}) == "Rollout")
      rollouts_done_.count_event(
          {std::string(api::namespace_of(about)), std::string(api::name_of(about))}, kind, reason);
  });
  manager.add(ExperimentReconciler::options(), counted_experiments_);
  manager.add(rollouts_.options(), counted_rollouts_);
}

}  // namespace slipway::cli
