#include "rollout/situation.h"

#include <algorithm>

#include "api/object.h"

namespace slipway::rollout {

std::string Situation::name() const { return std::string(api::name_of(document.get_object())); }
std::string Situation::ns() const { return std::string(api::namespace_of(document.get_object())); }

bool needs_pods(const argo::Rollout& rollout) {
  const auto& [blue_green, canary] = rollout.spec.strategy;
  const bool labels = (canary && (canary->canary_metadata || canary->stable_metadata)) ||
                      (blue_green && (blue_green->preview_metadata || blue_green->active_metadata));
  const bool restarts =
      rollout.spec.restart_at && rollout.status.restarted_at != rollout.spec.restart_at;
  return labels || restarts;
}

const Child* find_run(const Situation& seen, const std::string& name) {
  const auto found = std::ranges::find(seen.runs, name, &Child::name);
  return name.empty() || found == seen.runs.end() ? nullptr : &*found;
}

const Experiment* find_experiment(const Situation& seen, const std::string& name) {
  const auto found =
      std::ranges::find_if(seen.experiments, [&](const auto& one) { return one.name == name; });
  return name.empty() || found == seen.experiments.end() ? nullptr : &*found;
}

const Service* find_service(const Situation& seen, const std::string& name) {
  const auto found = seen.services.find(name);
  return found == seen.services.end() ? nullptr : &found->second;
}

bool is_fully_promoted(const argo::RolloutStatus& status) {
  return !status.stable_rs.empty() && status.stable_rs == status.current_pod_hash;
}

}  // namespace slipway::rollout
