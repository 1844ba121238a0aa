#include "rollout/status/duration.h"

#include <algorithm>

namespace slipway::rollout {

argo::RolloutDuration begin_duration(const std::optional<argo::RolloutDuration>& before, Time now) {
  Time begin = std::chrono::floor<std::chrono::seconds>(now);
  if (before && before->rollout_started_at)
    begin = std::max(begin, *before->rollout_started_at + std::chrono::seconds(1));
  return {.rollout_started_at = begin};
}

void end_duration(std::optional<argo::RolloutDuration>& duration, std::string_view completion,
                  Time now) {
  if (!duration || duration->finished_at) return;
  count_manual_pause(duration, false, now);
  duration->finished_at = std::max(now, duration->rollout_started_at.value_or(now));
  duration->completion_status = completion;
}

void count_manual_pause(std::optional<argo::RolloutDuration>& duration, bool is_held, Time now) {
  if (!duration || duration->finished_at) return;
  auto& since = duration->manual_pause_started_at;
  if (is_held && !since) since = now;
  if (is_held || !since) return;
  const auto held = std::chrono::duration_cast<std::chrono::seconds>(now - *since);
  duration->total_manual_pause_duration_seconds += std::max<std::int64_t>(0, held.count());
  since.reset();
}

std::string_view completion_of(const Draft& draft, const std::string& promotion_reason) {
  const auto& [latest, stable, others, all] = draft.sets;
  const bool is_back = latest && stable && latest != stable && latest->created < stable->created;
  if (promotion_reason == "Full promotion requested") return "FastPromoted";
  if (promotion_reason == "Fast rollback" || promotion_reason == "Rollback within window")
    return "FastRolledBack";
  return is_back ? "RolledBack" : "Promoted";
}

bool is_held_by_person(const argo::Rollout& rollout, const argo::RolloutStatus& status) {
  if (rollout.spec.paused) return true;
  for (const argo::PauseCondition& condition : status.pause_conditions) {
    if (condition.reason == kInconclusiveAnalysis || condition.reason == kInconclusiveExperiment)
      return true;
    if (condition.reason == kCanaryPause) {
      const StepPosition position = position_of(rollout);
      if (position.step && position.step->pause && !position.step->pause->duration) return true;
    }
    if (condition.reason == kBlueGreenPause && is_blue_green(rollout.spec) &&
        !rollout.spec.strategy.blue_green->auto_promotion_enabled.value_or(true))
      return true;
  }
  return false;
}

}  // namespace slipway::rollout
