#include "judge/sequential/detectable.h"

#include <algorithm>
#include <cmath>

#include "judge/sequential/counts.h"
#include "judge/sequential/decide.h"

namespace slipway::judge {
namespace {

constexpr int kMaxBisections = 60;
constexpr double kMaxLogRatio = 25;

// z of the experiment's excess over the margin, were its rate exp(log_ratio) times the control's.
double expected_z(const CountWindow& sum, double log_ratio, double log_margin, double tau) {
  CountWindow wanted = sum;
  wanted.experiment =
      sum.control / sum.control_exposure * sum.experiment_exposure * std::exp(log_ratio);
  const Sums sums = excess(std::span(&wanted, 1), log_margin);
  return sums.v > 0 ? sums.s / std::sqrt(sums.v * tau) : 0;
}

// From the control's events alone: what the experiment has does not say what could have been seen.
double detectable_rate(const Plan& plan, const State& state, bool up) {
  const CountWindow sum = total(state.windows);
  const double critical = critical_z(plan, state);
  const double sign = up ? 1 : -1;
  const double margin = sign * std::log1p(plan.margin);
  auto seen = [&](double log_ratio) {
    return sign * expected_z(sum, sign * log_ratio, margin, plan.tau) >= critical;
  };
  if (std::isnan(critical) || !seen(kMaxLogRatio)) return Effect::kUnknown;
  double low = 0;
  double high = kMaxLogRatio;
  for (int i = 0; i < kMaxBisections; ++i) {
    const double middle = (low + high) / 2;
    (seen(middle) ? high : low) = middle;
  }
  return std::abs(std::expm1(sign * high)) * sum.control / sum.control_exposure;
}

// The interval's half, seen from the estimate: a shift just so large would have put its end at 0.
double half_interval(const Effect& effect, bool up) {
  return up ? effect.shift - effect.low : effect.high - effect.shift;
}

}  // namespace

double detectable_shift(const Plan& plan, const State& state, const Effect& effect) {
  const bool counted = plan.engine == Engine::kCounts && plan.monitoring != Monitoring::kAnytime;
  double level = std::abs(mean(state.control));
  if (plan.engine == Engine::kCounts) {
    const CountWindow sum = total(state.windows);
    level = sum.control_exposure > 0 ? sum.control / sum.control_exposure : Effect::kUnknown;
  }
  if (plan.engine == Engine::kDistribution || plan.margin == 0) level = 0;
  double widest = 0;
  for (const bool up : {true, false}) {
    if (plan.direction == (up ? Direction::kDecrease : Direction::kIncrease)) continue;
    const double one = counted ? detectable_rate(plan, state, up)
                               : half_interval(effect, up) + plan.margin * level;
    // Counts cannot fall below none: then the rise alone says what could be seen.
    if (!std::isfinite(one) && counted && !up && plan.direction == Direction::kEither) continue;
    if (!std::isfinite(one)) return Effect::kUnknown;
    widest = std::max(widest, one);
  }
  return widest;
}

}  // namespace slipway::judge
