#include "rollout/status/pause.h"

#include <algorithm>

namespace slipway::rollout {

void PauseChange::abort(std::string message) {
  aborts = true;
  abort_message = std::move(message);
}

void heed_people(argo::Rollout& rollout) {
  argo::RolloutStatus& status = rollout.status;
  const std::string_view other = is_canary(rollout.spec) ? kBlueGreenPause : kCanaryPause;
  const auto pauses_of_it = std::erase_if(status.pause_conditions,
                                          [&](const auto& pause) { return pause.reason == other; });
  if (pauses_of_it > 0 && status.pause_conditions.empty()) status.controller_pause = false;
  if (status.abort && !status.aborted_at) status.promote_full = false;
  if (status.promote_full) status.abort = false;
  if (!status.abort && status.aborted_at) status.blue_green.scale_up_preview_check_point = false;
}

bool is_aborted(const argo::RolloutStatus& before, const PauseChange& change) {
  return !change.lifts_abort && (change.aborts || before.abort);
}

void apply_pauses(const argo::RolloutStatus& before, const PauseChange& change, Time now,
                  argo::RolloutStatus& status) {
  status.abort = change.aborts || (!change.lifts_abort && before.abort);
  status.aborted_at = status.abort ? before.aborted_at.value_or(now) : std::optional<Time>();
  status.pause_conditions.clear();
  status.controller_pause = false;
  if (status.abort || change.clears_all) return;
  for (const argo::PauseCondition& condition : before.pause_conditions)
    if (std::ranges::find(change.remove, condition.reason) == change.remove.end())
      status.pause_conditions.push_back(condition);
  bool controller_pause = before.controller_pause;
  for (const std::string_view reason : change.add) {
    if (find_pause(before, reason) || find_pause(status, reason)) continue;
    status.pause_conditions.push_back({.reason = std::string(reason), .start_time = now});
    controller_pause = true;
  }
  status.controller_pause = !status.pause_conditions.empty() && controller_pause;
  if (!change.waits) return;
  status.controller_pause = before.controller_pause;
  status.aborted_at = before.aborted_at;
}

const argo::PauseCondition* find_pause(const argo::RolloutStatus& status, std::string_view reason) {
  const auto found =
      std::ranges::find(status.pause_conditions, reason, &argo::PauseCondition::reason);
  return found == status.pause_conditions.end() ? nullptr : &*found;
}

bool is_resumed(const argo::RolloutStatus& status) {
  return status.controller_pause && status.pause_conditions.empty();
}

std::string_view halt_reason(const argo::Rollout& rollout) {
  if (rollout.spec.paused) return "user paused";
  if (find_pause(rollout.status, kInconclusiveAnalysis)) return "inconclusive analysis";
  return {};
}

std::optional<Time> end_of_canary_pause(const argo::Rollout& rollout,
                                        const argo::RolloutPause& pause) {
  const auto* condition = find_pause(rollout.status, kCanaryPause);
  if (!condition || !pause.duration) return std::nullopt;
  return condition->start_time + std::chrono::seconds(pause.duration_seconds());
}

bool is_canary_pause_over(const argo::Rollout& rollout, const argo::RolloutPause& pause, Time now) {
  if (is_resumed(rollout.status)) return true;
  const auto end = end_of_canary_pause(rollout, pause);
  return end && now >= *end;
}

bool needs_blue_green_pause(const argo::BlueGreenStrategy& strategy) {
  return !strategy.auto_promotion_enabled.value_or(true) || strategy.auto_promotion_seconds > 0;
}

std::optional<Time> end_of_blue_green_pause(const argo::Rollout& rollout) {
  const argo::BlueGreenStrategy& strategy = *rollout.spec.strategy.blue_green;
  const auto* condition = find_pause(rollout.status, kBlueGreenPause);
  if (!condition || !strategy.auto_promotion_enabled.value_or(true) ||
      strategy.auto_promotion_seconds <= 0)
    return std::nullopt;
  return condition->start_time + std::chrono::seconds(strategy.auto_promotion_seconds);
}

bool is_blue_green_pause_over(const argo::Rollout& rollout, const PauseChange& change, Time now) {
  const argo::BlueGreenStrategy& strategy = *rollout.spec.strategy.blue_green;
  if (!change.add.empty()) return false;
  if (rollout.status.blue_green.scale_up_preview_check_point) return true;
  if (is_resumed(rollout.status)) return true;
  if (!strategy.auto_promotion_enabled.value_or(true)) return false;
  if (strategy.auto_promotion_seconds <= 0) return true;
  const auto end = end_of_blue_green_pause(rollout);
  return end && now >= *end;
}

}  // namespace slipway::rollout
