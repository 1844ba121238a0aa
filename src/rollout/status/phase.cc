#include "rollout/status/phase.h"

#include <fmt/format.h>

#include "rollout/status/conditions.h"

namespace slipway::rollout {

namespace {

Phase degraded(std::string_view what, const std::string& message) {
  return {"Degraded", fmt::format("{}: {}", what, message)};
}
Phase progressing(std::string message) { return {"Progressing", std::move(message)}; }

bool is_over(const std::string& phase) {
  return phase == "Successful" || phase == "Failed" || phase == "Error" || phase == "Inconclusive";
}

std::string blue_green_waits(const argo::RolloutSpec& spec, const argo::RolloutStatus& status) {
  const argo::BlueGreenStatus& now = status.blue_green;
  if (now.active_selector.empty() || now.active_selector != status.current_pod_hash)
    return "active service cutover pending";
  if (is_fully_promoted(status)) return {};
  const auto& run = now.post_promotion_analysis_run_status;
  if (spec.strategy.blue_green->post_promotion_analysis && (!run || !is_over(run->status)))
    return "waiting for analysis to complete";
  return "waiting for post-promotion verification to complete";
}

std::string canary_waits(const argo::RolloutSpec& spec, const argo::RolloutStatus& status) {
  if (!is_routed(spec) && status.replicas > status.updated_replicas)
    return "old replicas are pending termination";
  return is_fully_promoted(status) ? std::string() : "waiting for all steps to complete";
}

// A verdict before a step: time or a click ends the pause of a step, and not that of a verdict.
std::string reason_to_tell(const argo::RolloutStatus& status) {
  for (const argo::PauseCondition& pause : status.pause_conditions)
    if (pause.reason == kInconclusiveAnalysis || pause.reason == kInconclusiveExperiment)
      return pause.reason;
  return status.pause_conditions.front().reason;
}

}  // namespace

Phase phase_of(const argo::RolloutSpec& spec, const argo::RolloutStatus& status) {
  for (const argo::Condition& condition : status.conditions) {
    if (condition.type == kInvalidSpec) return degraded(kInvalidSpec, condition.message);
    if (condition.reason == kAbortedReason || condition.reason == kTimedOutReason)
      return degraded(condition.reason, condition.message);
  }
  if (spec.paused) return {"Paused", "manually paused"};
  if (!status.pause_conditions.empty()) return {"Paused", reason_to_tell(status)};
  if (spec.restart_at && status.restarted_at != spec.restart_at)
    return progressing("rollout is restarting");
  if (status.updated_replicas < replicas_of(spec))
    return progressing("more replicas need to be updated");
  if (status.available_replicas < status.updated_replicas)
    return progressing("updated replicas are still becoming available");
  const std::string waits = is_blue_green(spec) ? blue_green_waits(spec, status)
                            : is_canary(spec)   ? canary_waits(spec, status)
                                                : std::string();
  return waits.empty() ? Phase{"Healthy", ""} : progressing(waits);
}

}  // namespace slipway::rollout
