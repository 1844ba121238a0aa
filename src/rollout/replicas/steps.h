#pragma once

#include <string>

#include "rollout/objects/replica_set.h"

// Where a canary is among its steps, and the weight and scale they ask for. Pure.
namespace slipway::rollout {

struct StepPosition {
  const argo::CanaryStep* step = nullptr;  // null before the first Rollout has steps, and after all
  std::optional<Count> index = {};         // none when there are no steps
};
StepPosition position_of(const argo::Rollout& rollout);
Count step_count_of(const argo::RolloutSpec& spec);

// The experiment that the current step or the nearest before it describes.
const argo::RolloutExperimentStep* nearest_experiment(const argo::Rollout& rollout);
// Analyses begin later than this step.
bool is_before_background(const argo::Rollout& rollout);
// Pauses, experiments and analyses take as long as they take: no lack of progress.
bool is_indefinite(const argo::CanaryStep& step);

// What the nearest setWeight at or before the current step says; 0 before any and when aborted, all
// after the last step.
Count current_weight(const argo::Rollout& rollout);
// What the nearest setWeight before the current step says.
Count previous_weight(const argo::Rollout& rollout);
// Like current_weight(), but an abort of a dynamic rollout goes back through the steps as the
// stable set grows.
Count desired_weight(const argo::Rollout& rollout, const Sets& sets);

// How large the canary shall be: so many Pods, or as many as the weight asks for.
struct CanaryScale {
  std::optional<Count> replicas = {};
  Count weight = 0;
};
CanaryScale canary_scale(const argo::Rollout& rollout, const Sets& sets);

// `setWeight: 20`, `pause: 10m`, …: as events name a step.
std::string step_text(const argo::CanaryStep& step);

}  // namespace slipway::rollout
