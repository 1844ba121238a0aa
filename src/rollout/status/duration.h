#pragma once

#include "rollout/draft.h"

// How long an update takes, and how it ended. Pure.
namespace slipway::rollout {

// An update's. Its begin names it, so it is a second later than the one before at least.
argo::RolloutDuration begin_duration(const std::optional<argo::RolloutDuration>& before, Time now);
// Nothing when it has ended before.
void end_duration(std::optional<argo::RolloutDuration>& duration, std::string_view completion,
                  Time now);
// Counts the time that people, not the steps, hold it up.
void count_manual_pause(std::optional<argo::RolloutDuration>& duration, bool is_held, Time now);

// Promoted FastPromoted RolledBack FastRolledBack.
std::string_view completion_of(const Draft& draft, const std::string& promotion_reason);
// A pause that only a person ends.
bool is_held_by_person(const argo::Rollout& rollout, const argo::RolloutStatus& status);

}  // namespace slipway::rollout
