#include "judge/sequential/effects.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "judge/sequential/counts.h"
#include "judge/sequential/decide.h"
#include "judge/sequential/detectable.h"
#include "judge/sequential/distribution.h"
#include "judge/sequential/engine.h"
#include "judge/sequential/shifted_ranks.h"
#include "judge/sequential/signed_rank.h"
#include "judge/sequential/stratified_rank.h"

namespace slipway::judge {
namespace {

constexpr int kMaxBisections = 60;
constexpr int kEffectBisections = 24;  // a ten-millionth of the range: far below the noise
constexpr double kMaxLogRatio = 25;
constexpr std::size_t kMaxPairDifferences = 2'000'000;

// Where a falling function reaches 0, between `low` and `high`.
double falls_to_zero(double low, double high, const std::function<double(double)>& f,
                     int bisections = kMaxBisections) {
  for (int i = 0; i < bisections && high - low > 1e-12 * (std::abs(low) + std::abs(high)); ++i) {
    const double middle = low + (high - low) / 2;
    (f(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

double order_statistic(std::vector<double>& values, double index) {
  const double last = static_cast<double>(values.size() - 1);
  const auto at = static_cast<std::ptrdiff_t>(std::clamp(index, 0.0, last));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

double median(std::vector<double>& values) {
  const double middle = (static_cast<double>(values.size()) - 1) / 2;
  return (order_statistic(values, std::floor(middle)) +
          order_statistic(values, std::ceil(middle))) /
         2;
}

double pair_score(std::span<const double> differences) {
  double wins = 0;
  for (double one : differences) wins += one > 0 ? 1 : one == 0 ? 0.5 : 0;
  return wins / static_cast<double>(differences.size());
}

Effect paired_effect(const Plan& plan, const State& state, double critical) {
  Effect effect = {.ratio = mean_ratio(state.control, state.experiment)};
  std::vector<double> differences;
  for (std::size_t i = 0; i < state.control.size(); ++i) {
    const Difference one = difference(state.experiment[i], state.control[i], 0, false);
    if (std::isfinite(one.value)) differences.push_back(one.value);
  }
  if (differences.empty()) return effect;
  effect.cles = pair_score(differences);
  const auto [low, high] = std::ranges::minmax(differences);
  ShiftedRanks ranks(differences);
  auto crossing = [&](double from, double to, double level) {
    return falls_to_zero(
        from, to, [&](double shift) { return ranks.z(shift, plan.tau) - level; },
        kEffectBisections);
  };
  effect.shift = crossing(low, high, 0);
  if (!std::isnan(critical)) {
    effect.low = crossing(low, effect.shift, critical);
    effect.high = crossing(effect.shift, high, -critical);
  }
  return effect;
}

// Differences within looks; U of a look shifted by d counts those above d, so the interval's ends
// are order statistics.
Effect unpaired_effect(const Plan& plan, const State& state, double critical) {
  Effect effect = {.ratio = mean_ratio(state.control, state.experiment)};
  std::vector<double> differences;
  double variance = 0;
  for (const KeptLook& look : kept_looks(state)) {
    const double n = static_cast<double>(look.control.size());
    const double m = static_cast<double>(look.experiment.size());
    if (differences.size() + look.control.size() * look.experiment.size() > kMaxPairDifferences) {
      break;
    }
    variance += n * m * (n + m + 1) / 12;
    for (double y : look.control) {
      for (double x : look.experiment) {
        const Difference one = difference(x, y, 0, false);
        if (!std::isnan(one.value)) differences.push_back(one.value);
      }
    }
  }
  if (differences.empty()) return effect;
  effect.cles = pair_score(differences);
  effect.shift = median(differences);
  if (!std::isnan(critical)) {
    const double half = static_cast<double>(differences.size()) / 2;
    const double reach = critical * std::sqrt(variance * plan.tau);
    effect.low = order_statistic(differences, std::floor(half - reach));
    effect.high = order_statistic(differences, std::ceil(half + reach) - 1);
  }
  return effect;
}

// Ratios that neither direction of the test refuses.
Effect counts_effect(const Plan& plan, const State& state, double critical) {
  const CountWindow sum = total(state.windows);
  Effect effect;
  if (sum.control_exposure <= 0 || sum.experiment_exposure <= 0) return effect;
  const double before = sum.control / sum.control_exposure;
  const double now = sum.experiment / sum.experiment_exposure;
  effect.ratio = before > 0 ? now / before : Effect::kUnknown;
  effect.shift = now - before;
  if (before <= 0) return effect;
  const double limit = std::log(1 / alpha_of_direction(plan, looks_share(plan)));
  auto end = [&](bool low) {
    return falls_to_zero(-kMaxLogRatio, kMaxLogRatio, [&](double ratio) {
      if (plan.monitoring == Monitoring::kAnytime) {
        const double log_m =
            log_counts_mixture(plan, state.windows, std::expm1(low ? ratio : -ratio),
                               low ? Direction::kIncrease : Direction::kDecrease);
        return low ? log_m - limit : limit - log_m;
      }
      const Sums sums = excess(state.windows, ratio);
      const double z = sums.v > 0 ? sums.s / std::sqrt(sums.v * plan.tau) : 0;
      return z - (low ? critical : -critical);
    });
  };
  if (plan.monitoring == Monitoring::kAnytime || !std::isnan(critical)) {
    effect.low = before * std::expm1(end(true));
    effect.high = before * std::expm1(end(false));
  }
  return effect;
}

double quantile_edge(const State& state, const std::vector<double>& below, double p) {
  for (std::size_t i = 0; i + 1 < state.edges.size(); ++i) {
    if (below[i] >= p * below.back()) return state.edges[i];
  }
  return p <= 0 || state.edges.size() < 2 ? Effect::kUnknown : state.edges[state.edges.size() - 2];
}

// The shift is of medians, read at edges; where a band leaves the data its end is not known.
Effect distribution_effect(const Plan& plan, const State& state) {
  Effect effect;
  if (state.edges.empty()) return effect;
  double advantage = 0;
  for (double one : state.experiment) advantage += one;
  effect.cles = 0.5 + advantage / static_cast<double>(state.experiment.size());
  const double c = band_constant(plan.alpha * bands_share(plan) / 2);
  auto side = [&](const std::vector<double>& below, double sign) {
    const double width = band_width(below.back() / plan.tau, state.tuned_for / plan.tau, c) * sign;
    const double p = 0.5 + width;
    return p > 0 && p < 1 ? quantile_edge(state, below, p) : Effect::kUnknown;
  };
  effect.shift = side(state.experiment_below, 0) - side(state.control_below, 0);
  effect.low = side(state.experiment_below, -1) - side(state.control_below, 1);
  effect.high = side(state.experiment_below, 1) - side(state.control_below, -1);
  return effect;
}

Effect engine_effect(const Plan& plan, const State& state) {
  const double critical = critical_z(plan, state);
  switch (plan.engine) {
    case Engine::kSignedRank:
      return paired_effect(plan, state, critical);
    case Engine::kStratifiedRank:
      return unpaired_effect(plan, state, critical);
    case Engine::kCounts:
      return counts_effect(plan, state, critical);
    case Engine::kDistribution:
      return distribution_effect(plan, state);
  }
  return {};
}

}  // namespace

Effect sequential_effect(const Plan& plan, const State& state) {
  Effect effect = engine_effect(plan, state);
  effect.mde = detectable_shift(plan, state, effect);
  return effect;
}

}  // namespace slipway::judge
