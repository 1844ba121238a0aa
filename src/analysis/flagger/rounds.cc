#include "analysis/flagger/rounds.h"

#include <algorithm>

namespace slipway::analysis::flagger {

namespace {

constexpr std::int64_t kWhole = 100;
constexpr std::int64_t kKubernetesIterations = 10;

std::int64_t highest_weight(const CanaryAnalysis& analysis) {
  if (!analysis.step_weights.empty()) return std::min(kWhole, analysis.step_weights.back());
  return analysis.max_weight > 0 ? std::min(kWhole, analysis.max_weight) : kWhole;
}

// By how much the weight rises from `weight`; nothing, or less, is a Canary that never moves.
std::int64_t next_step(const CanaryAnalysis& analysis, std::int64_t weight) {
  const auto& steps = analysis.step_weights;
  if (analysis.step_weight > 0 || steps.empty()) return analysis.step_weight;
  const std::int64_t room = kWhole - weight;
  if (room == 0) return 1;
  if (weight == 0) return std::min(room, steps.front());
  const auto at = std::ranges::find(steps, weight);
  return at != steps.end() && at + 1 != steps.end()
             ? std::min(room, std::max<std::int64_t>(*(at + 1), 0) - weight)
             : room;
}

// Steps until the highest weight; 0 when it is never reached.
std::int64_t weight_steps(const CanaryAnalysis& analysis) {
  std::int64_t steps = 0;
  for (std::int64_t weight = 0; weight == 0 || weight < highest_weight(analysis); ++steps) {
    const std::int64_t step = next_step(analysis, weight);
    if (step <= 0 || steps >= kWhole) return 0;
    weight = std::min(kWhole, weight + step);
  }
  return steps;
}

// Without a mesh there are no weights, only iterations.
std::int64_t iterations_of(const CanaryAnalysis& analysis, std::string_view provider) {
  if (analysis.iterations > 0) return std::min(analysis.iterations, kMaxRounds);
  return provider == "kubernetes" ? kKubernetesIterations : 0;
}

bool has_match(const CanaryAnalysis& analysis) {
  return analysis.match.is_array() && !analysis.match.get_array().empty();
}

}  // namespace

std::int64_t rounds_of(const CanaryAnalysis& analysis, std::string_view provider) {
  if (const std::int64_t iterations = iterations_of(analysis, provider); iterations > 0) {
    const bool blue_green = !has_match(analysis) || provider == "kubernetes";
    return iterations + (blue_green ? 1 : 0);
  }
  return std::max<std::int64_t>(1, weight_steps(analysis)) + (analysis.mirror ? 1 : 0);
}

bool advances(const CanaryAnalysis& analysis, std::string_view provider) {
  return iterations_of(analysis, provider) > 0 || weight_steps(analysis) > 0;
}

Duration interval_of(const CanaryAnalysis& analysis) {
  constexpr Duration kDefault = std::chrono::minutes(1), kLeast = std::chrono::seconds(10);
  auto interval = analysis.interval.value();
  return interval && *interval > Duration::zero() ? std::max(*interval, kLeast) : kDefault;
}

std::int64_t threshold_of(const CanaryAnalysis& analysis) {
  return std::clamp<std::int64_t>(analysis.threshold, 1, kMaxRounds);
}

}  // namespace slipway::analysis::flagger
