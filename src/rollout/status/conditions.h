#pragma once

#include <string_view>

#include "rollout/draft.h"

// The conditions of a Rollout's status: what tools wait for. Pure.
namespace slipway::rollout {

inline constexpr std::string_view kInvalidSpec = "InvalidSpec";
inline constexpr std::string_view kProgressing = "Progressing";
inline constexpr std::string_view kAvailable = "Available";
inline constexpr std::string_view kHealthy = "Healthy";
inline constexpr std::string_view kCompleted = "Completed";
inline constexpr std::string_view kPaused = "Paused";
inline constexpr std::string_view kReplicaFailure = "ReplicaFailure";

inline constexpr std::string_view kAbortedReason = "RolloutAborted";
inline constexpr std::string_view kTimedOutReason = "ProgressDeadlineExceeded";
inline constexpr std::string_view kPausedReason = "RolloutPaused";
inline constexpr std::string_view kNewSetReason = "NewReplicaSetCreated";
inline constexpr std::string_view kNewSetAvailableReason = "NewReplicaSetAvailable";

const argo::Condition* find_condition(const argo::RolloutStatus& status, std::string_view type);

struct ConditionText {
  std::string_view type = {}, status = {}, reason = {};
  std::string message = {};
};
// Same status and reason: nothing changes, and false. Same status: it dates from before.
bool set_condition(argo::RolloutStatus& status, ConditionText text, Time now);
void remove_condition(argo::RolloutStatus& status, std::string_view type);

// Everything wanted is there, available and has the traffic.
bool is_healthy(const argo::Rollout& rollout, const argo::RolloutStatus& status);
// The update has got further since the last look.
bool is_getting_on(const argo::Rollout& rollout, const argo::RolloutStatus& status);

// An update that makes no progress is aborted, where the spec says so. Before the pauses are
// written.
void decide_deadline_abort(Draft& draft);
// All conditions. After the pauses are written.
void decide_conditions(Draft& draft);

}  // namespace slipway::rollout
