#include "rollout/replicas/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "rollout/replicas/counts.h"

namespace slipway::rollout {

namespace {

const std::vector<argo::CanaryStep>& steps_of(const argo::RolloutSpec& spec) {
  static const std::vector<argo::CanaryStep> kNone;
  return spec.strategy.canary ? spec.strategy.canary->steps : kNone;
}

// The nearest of the steps from `from` back to the first that has what is asked for.
template <class Member>
const argo::CanaryStep* nearest(const argo::RolloutSpec& spec, Count from, Member member) {
  const auto& steps = steps_of(spec);
  for (Count i = std::min(from, step_count_of(spec) - 1); i >= 0; --i)
    if (steps[static_cast<std::size_t>(i)].*member) return &steps[static_cast<std::size_t>(i)];
  return nullptr;
}

Count weight_on_abort(const argo::Rollout& rollout, const Sets& sets) {
  const Count replicas = replicas_of(rollout.spec);
  Count canaries = replicas - sets.stable->available;
  const AbortDelay delay = abort_delay_of(rollout.spec);
  const bool keeps_canary_for_a_while = delay.is_set && delay.delay;
  if (!keeps_canary_for_a_while) canaries = std::max(canaries, sets.latest->available);
  const auto& steps = steps_of(rollout.spec);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (step->set_weight &&
        share_of(replicas, *step->set_weight, max_weight_of(rollout.spec)) < canaries)
      return *step->set_weight;
  return 0;
}

const argo::SetCanaryScale* scale_step(const argo::Rollout& rollout) {
  if (!is_routed(rollout.spec)) return nullptr;
  // Whoever keeps the canary after an abort for ever keeps it at its scale.
  if (rollout.status.abort && abort_delay_of(rollout.spec).delay) return nullptr;
  const StepPosition position = position_of(rollout);
  if (!position.step) return nullptr;
  const auto* found = nearest(rollout.spec, *position.index, &argo::CanaryStep::set_canary_scale);
  if (!found || found->set_canary_scale->match_traffic_weight) return nullptr;
  return &*found->set_canary_scale;
}

std::string scale_text(const argo::SetCanaryScale& scale) {
  if (scale.weight) return fmt::format("setCanaryScale{{weight: {}}}", *scale.weight);
  if (scale.match_traffic_weight) return "setCanaryScale{matchTrafficWeight: true}";
  if (scale.replicas) return fmt::format("setCanaryScale{{replicas: {}}}", *scale.replicas);
  return "invalid";
}

}  // namespace

Count step_count_of(const argo::RolloutSpec& spec) {
  return static_cast<Count>(steps_of(spec).size());
}

StepPosition position_of(const argo::Rollout& rollout) {
  const auto& steps = steps_of(rollout.spec);
  if (steps.empty()) return {};
  const Count index = std::max(0, rollout.status.current_step_index.value_or(0));
  if (index >= step_count_of(rollout.spec)) return {.index = index};
  return {.step = &steps[static_cast<std::size_t>(index)], .index = index};
}

const argo::RolloutExperimentStep* nearest_experiment(const argo::Rollout& rollout) {
  const StepPosition position = position_of(rollout);
  if (!position.step) return nullptr;
  const auto* found = nearest(rollout.spec, *position.index, &argo::CanaryStep::experiment);
  return found ? &*found->experiment : nullptr;
}

bool is_before_background(const argo::Rollout& rollout) {
  if (!is_canary(rollout.spec) || !rollout.spec.strategy.canary->analysis) return false;
  const auto& starts = rollout.spec.strategy.canary->analysis->starting_step;
  const StepPosition position = position_of(rollout);
  return starts && position.index && *position.index < *starts;
}

bool is_indefinite(const argo::CanaryStep& step) {
  return step.experiment || step.analysis || step.pause;
}

Count current_weight(const argo::Rollout& rollout) {
  if (rollout.status.abort) return 0;
  const StepPosition position = position_of(rollout);
  if (!position.step) return max_weight_of(rollout.spec);
  const auto* found = nearest(rollout.spec, *position.index, &argo::CanaryStep::set_weight);
  return found ? *found->set_weight : 0;
}

Count previous_weight(const argo::Rollout& rollout) {
  const StepPosition position = position_of(rollout);
  if (!position.index) return 0;
  const auto* found = nearest(rollout.spec, *position.index - 1, &argo::CanaryStep::set_weight);
  return found ? *found->set_weight : 0;
}

Count desired_weight(const argo::Rollout& rollout, const Sets& sets) {
  if (rollout.status.abort && is_dynamic(rollout.spec) && sets.latest && sets.stable)
    return weight_on_abort(rollout, sets);
  return current_weight(rollout);
}

CanaryScale canary_scale(const argo::Rollout& rollout, const Sets& sets) {
  const argo::RolloutStatus& status = rollout.status;
  if (status.promote_full || status.stable_rs.empty() ||
      status.current_pod_hash == status.stable_rs)
    return {.weight = max_weight_of(rollout.spec)};
  if (const auto* step = scale_step(rollout)) {
    if (step->replicas) return {.replicas = step->replicas};
    if (step->weight) return {.weight = *step->weight};
  }
  return {.weight = desired_weight(rollout, sets)};
}

std::string step_text(const argo::CanaryStep& step) {
  if (step.set_weight) return fmt::format("setWeight: {}", *step.set_weight);
  if (step.pause) {
    if (!step.pause->duration) return "pause";
    const api::IntOrString& duration = *step.pause->duration;
    return "pause: " + (duration.is_text ? duration.text : std::to_string(duration.number));
  }
  if (step.experiment) return "experiment";
  if (step.analysis) return "analysis";
  if (step.set_canary_scale) return scale_text(*step.set_canary_scale);
  if (step.plugin) return "plugin: " + step.plugin->name;
  if (step.set_header_route) return "setHeaderRoute: " + step.set_header_route->name;
  if (step.set_mirror_route) return "setMirrorRoute: " + step.set_mirror_route->name;
  return "invalid";
}

}  // namespace slipway::rollout
