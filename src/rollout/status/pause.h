#pragma once

#include <string>
#include <vector>

#include "rollout/situation.h"

// Pauses and aborts: what of them a look changes, and when they are over. Pure.
namespace slipway::rollout {

inline constexpr std::string_view kCanaryPause = "CanaryPauseStep";
inline constexpr std::string_view kBlueGreenPause = "BlueGreenPause";
inline constexpr std::string_view kInconclusiveAnalysis = "InconclusiveAnalysisRun";
inline constexpr std::string_view kInconclusiveExperiment = "InconclusiveExperiment";

struct PauseChange {
  std::vector<std::string_view> add = {}, remove = {};
  bool clears_all = false;
  bool aborts = false;
  bool lifts_abort = false;
  std::string abort_message = {};
  bool waits = false;  // this look is about something else: a resume or a retry stays to be heard

  void abort(std::string message);
};

// What people have written that no look has seen yet: an abort is newer than a full promotion, and
// takes it back; a full promotion of what was aborted is a retry; a retry begins with the preview
// again; the pause of another strategy is none.
void heed_people(argo::Rollout& rollout);

// As it will be, with the change.
bool is_aborted(const argo::RolloutStatus& before, const PauseChange& change);
// Writes abort, abortedAt, pauseConditions and controllerPause. What was is kept, so that nothing
// is written anew only because time went by.
void apply_pauses(const argo::RolloutStatus& before, const PauseChange& change, Time now,
                  argo::RolloutStatus& status);

const argo::PauseCondition* find_pause(const argo::RolloutStatus& status, std::string_view reason);
// A person has taken away what the controller paused for.
bool is_resumed(const argo::RolloutStatus& status);
// Why sets must stay as they are; empty: they need not.
std::string_view halt_reason(const argo::Rollout& rollout);

// The pause of the current step: resumed, or long enough.
bool is_canary_pause_over(const argo::Rollout& rollout, const argo::RolloutPause& pause, Time now);
std::optional<Time> end_of_canary_pause(const argo::Rollout& rollout,
                                        const argo::RolloutPause& pause);

// Promotion waits for a person, or for autoPromotionSeconds.
bool needs_blue_green_pause(const argo::BlueGreenStrategy& strategy);
bool is_blue_green_pause_over(const argo::Rollout& rollout, const PauseChange& change, Time now);
std::optional<Time> end_of_blue_green_pause(const argo::Rollout& rollout);

}  // namespace slipway::rollout
