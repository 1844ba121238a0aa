#include "cli/rollout/health.h"

#include <fmt/format.h>

#include "analysis/report/plain_text.h"
#include "cli/exit_code.h"
#include "rollout/objects/fields.h"
#include "rollout/status/conditions.h"
#include "rollout/status/pause.h"

namespace slipway::cli {

namespace {

// What is no number is a hash of very old controllers; those are believed.
bool is_observed(const api::argo::Rollout& rollout) {
  const std::string& text = rollout.status.observed_generation;
  if (text.empty()) return false;
  const auto observed = rollout::parse_number(text);
  return !observed || *observed >= rollout::number_at(rollout.metadata.value, {"generation"});
}

// Who refuses the spec does not get to the workload, and controllers that know nothing of it are
// believed; a PodTemplate has no generation.
bool is_workload_observed(const api::argo::RolloutStatus& status, const json::Value& workload) {
  if (rollout::find_condition(status, rollout::kInvalidSpec) != nullptr) return true;
  const auto observed = rollout::parse_number(status.workload_observed_generation);
  return !observed || *observed >= rollout::number_at(workload, {"metadata", "generation"});
}

bool says_aborted(const api::argo::RolloutStatus& status) {
  const auto* progress = rollout::find_condition(status, rollout::kProgressing);
  return progress != nullptr && progress->reason == rollout::kAbortedReason;
}

}  // namespace

rollout::Phase health_of(const api::argo::Rollout& rollout) {
  const api::argo::RolloutStatus& status = rollout.status;
  if (!is_observed(rollout))
    return {"Progressing", "waiting for rollout spec update to be observed"};
  if (rollout::find_condition(status, rollout::kInvalidSpec) != nullptr)
    return rollout::phase_of(rollout.spec, status);
  if (rollout::is_resumed(status)) return {"Progressing", "waiting for rollout to unpause"};
  if (status.abort && !status.aborted_at)
    return {"Progressing", "waiting for rollout to be aborted"};
  if (!status.abort && says_aborted(status))
    return {"Progressing", "waiting for rollout to be retried"};
  if (!status.phase.empty()) return {status.phase, status.message};
  return rollout::phase_of(rollout.spec, status);
}

rollout::Phase health_of(const api::argo::Rollout& rollout, const json::Value& workload) {
  if (is_observed(rollout) && !is_workload_observed(rollout.status, workload))
    return {"Progressing",
            "waiting for rollout spec update to be observed for the reference workload"};
  return health_of(rollout);
}

Mark health_mark(const rollout::Phase& health) {
  if (health.phase == "Healthy") return {"✔", health.phase, Tone::kGood};
  if (health.phase == "Degraded") return {"✖", health.phase, Tone::kBad};
  if (health.phase == "Paused") return {"॥", health.phase, Tone::kWaiting};
  if (health.phase == "Progressing") return {"◌", health.phase, Tone::kWaiting};
  return {"?", health.phase, Tone::kPlain};
}

std::string health_line(const rollout::Phase& health) {
  return analysis::report::one_line(
      health.message.empty() ? health.phase : fmt::format("{} - {}", health.phase, health.message));
}

bool is_settled(const rollout::Phase& health) {
  return health.phase == "Healthy" || health.phase == "Degraded";
}

int exit_code_of_health(const rollout::Phase& health) {
  return health.phase == "Degraded" ? kExitFailed : kExitDone;
}

}  // namespace slipway::cli
