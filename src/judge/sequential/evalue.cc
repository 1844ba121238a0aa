#include "judge/sequential/evalue.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "judge/sequential/engine.h"
#include "judge/sequential/mixture.h"

namespace slipway::judge {
namespace {

struct Tuning {
  double rho = 1;
  double root_tau = 1;
};

double log_m(const Sums& sums, const Tuning& tuning) {
  return log_mixture_above(sums.s / tuning.root_tau, sums.v_bound, tuning.rho);
}

Sums since(const Sums& now, const Sums& then) {
  return {.s = now.s - then.s, .v = now.v - then.v, .v_bound = now.v_bound - then.v_bound};
}

double log_between(const Plan& plan, const Past& then, const Past& now, const Tuning& tuning) {
  const double up = log_m(since(now.up, then.up), tuning);
  const double down = log_m(since(now.down, then.down), tuning);
  switch (plan.direction) {
    case Direction::kIncrease:
      return up;
    case Direction::kDecrease:
      return down;
    case Direction::kEither:
      return log_mean(up, down);
  }
  return 0;
}

double log_of_sums(const Plan& plan, const State& state) {
  const double tuned = tuned_variance(plan, state);
  if (tuned <= 0 || state.past.empty()) return 0;
  // Both directions of a two-sided test have half of alpha; one-sided tuning is for twice its own.
  const double alpha = plan.direction == Direction::kEither ? plan.alpha / 2 : plan.alpha;
  const Tuning tuning = {.rho = mixing_variance(tuned, alpha), .root_tau = std::sqrt(plan.tau)};
  const double whole = log_between(plan, {}, state.past.back(), tuning);
  if (!plan.late_onset) return whole;
  std::vector<double> restarts;
  const std::size_t starts =
      std::min(state.past.size(), static_cast<std::size_t>(plan.planned_looks));
  for (std::size_t start = 0; start < starts; ++start) {
    const Past then = start == 0 ? Past{} : state.past[start - 1];
    restarts.push_back(log_between(plan, then, state.past.back(), tuning));
  }
  return log_with_restarts(whole, restarts, plan.planned_looks);
}

double log_of_counts(const Plan& plan, const State& state) {
  const std::span<const CountWindow> windows = state.windows;
  const double whole = log_counts_mixture(plan, windows, plan.margin, plan.direction);
  if (!plan.late_onset) return whole;
  const auto restarts =
      log_counts_restarts(plan, windows, static_cast<std::size_t>(plan.planned_looks));
  return log_with_restarts(whole, restarts, plan.planned_looks);
}

}  // namespace

double log_e_value(const Plan& plan, const State& state) {
  return plan.engine == Engine::kCounts ? log_of_counts(plan, state) : log_of_sums(plan, state);
}

double tuned_variance(const Plan& plan, const State& state) {
  // `distribution` ranks one advantage a look, whose mean square is a third.
  return plan.engine == Engine::kDistribution ? kDefaultLooks / 3.0 : state.tuned_for;
}

double information(const Past& past) { return (past.up.v + past.down.v) / 2; }

}  // namespace slipway::judge
