#include "judge/sequential/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "judge/normal.h"
#include "judge/sequential/distribution.h"
#include "judge/sequential/evalue.h"
#include "judge/sequential/looks_p.h"
#include "judge/sequential/mixture.h"

namespace slipway::judge {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLateShare = 0.25;

bool asks_up(const Plan& plan) { return plan.direction != Direction::kDecrease; }
bool asks_down(const Plan& plan) { return plan.direction != Direction::kIncrease; }

double z_of(const Sums& sums, double tau) {
  return sums.v > 0 ? sums.s / std::sqrt(sums.v * tau) : 0;
}

// Chance of sums as extreme, in the directions asked for, as if this were the only look and the
// only direction.
double nominal_p(const Plan& plan, const Reading& reading) {
  double p = 1;
  if (asks_up(plan)) {
    p = std::min(p, reading.p_up.value_or(normal_upper(z_of(reading.sums.up, plan.tau))));
  }
  if (asks_down(plan)) {
    p = std::min(p, reading.p_down.value_or(normal_upper(z_of(reading.sums.down, plan.tau))));
  }
  return p;
}

// Positive when the experiment is larger.
void describe_sums(const Plan& plan, const Past& sums, Look& look) {
  const double up = z_of(sums.up, plan.tau);
  const double down = z_of(sums.down, plan.tau);
  const bool shows_up = asks_up(plan) && (!asks_down(plan) || up >= down);
  look.s = shows_up ? sums.up.s : -sums.down.s;
  look.v = plan.monitoring == Monitoring::kAnytime
               ? (shows_up ? sums.up.v_bound : sums.down.v_bound)
               : (shows_up ? sums.up.v : sums.down.v);
  look.z = look.v > 0 ? look.s / std::sqrt(look.v * plan.tau) : 0;
}

bool on_schedule(const Plan& plan, int look) {
  const int stride = (plan.planned_looks + kMaxTested - 1) / kMaxTested;
  return look % stride == 0 || look == plan.planned_looks;
}

bool tests_planned(const Plan& plan, State& state, const Reading& reading, Boundaries& boundaries,
                   Look& look) {
  look.boundary = kNone;
  if (!on_schedule(plan, state.look)) return false;
  const double now = information(reading.sums);
  if (now - boundaries.variance() <= Boundaries::kLeastStep * now) return false;
  const double share = looks_share(plan);
  const double direction = alpha_of_direction(plan, share);
  const double sides = plan.alpha * share / direction;
  const double t = static_cast<double>(state.look) / plan.planned_looks;
  const double by = spent_by(plan.spending, direction, t, plan.gamma);
  const double boundary = boundaries.next(now, by - state.spent / sides);
  look.boundary = boundary;
  if (!std::isfinite(boundary)) return false;
  state.past.back().boundary = boundary;
  state.spent = by * sides;
  const double p = nominal_p(plan, reading);
  if (plan.describe) {
    state.p = std::min(state.p, looks_p(plan, state, -normal_quantile(p)) / share);
  }
  return p <= normal_upper(boundary);
}

bool tests_anytime(const Plan& plan, double share, const Look& look) {
  return share > 0 && look.log_m >= std::log(1 / (plan.alpha * share));
}

bool tests_alone(const Plan& plan, State& state, const Reading& reading, Look& look) {
  const double alpha = alpha_of_direction(plan, 1);
  const double p = nominal_p(plan, reading);
  look.boundary = -normal_quantile(alpha);
  state.past.back().boundary = look.boundary;
  state.spent = std::min(1.0, state.spent + plan.alpha);
  state.p = std::min(1.0, p * plan.alpha / alpha);
  return p <= alpha;
}

bool tests(const Plan& plan, State& state, const Reading& reading, Boundaries& boundaries,
           Look& look) {
  switch (plan.monitoring) {
    case Monitoring::kGroupSequential: {
      const double late = late_share(plan);
      const bool planned = tests_planned(plan, state, reading, boundaries, look);
      const bool later = tests_anytime(plan, late, look);
      if (late > 0) state.p = std::min(state.p, std::exp(-state.log_peak) / late);
      return planned || later;
    }
    case Monitoring::kAnytime:
      state.spent = plan.alpha;
      look.boundary = critical_z(plan, state);
      state.p = std::min(state.p, std::exp(-state.log_peak) / looks_share(plan));
      return tests_anytime(plan, looks_share(plan), look);
    case Monitoring::kNone:
      return tests_alone(plan, state, reading, look);
  }
  return false;
}

bool bands_apart(const Plan& plan, State& state, const Reading& reading) {
  if (!reading.p_bands) return false;
  const double share = bands_share(plan);
  state.p = std::min(state.p, *reading.p_bands / share);
  return *reading.p_bands <= plan.alpha * share;
}

}  // namespace

double late_share(const Plan& plan) {
  return plan.late_onset && plan.monitoring == Monitoring::kGroupSequential ? kLateShare : 0;
}

double looks_share(const Plan& plan) {
  const double ranks = plan.engine == Engine::kDistribution ? 1 - bands_share(plan) : 1;
  return ranks * (1 - late_share(plan));
}

double alpha_of_direction(const Plan& plan, double share) {
  return plan.alpha * share * (plan.direction == Direction::kEither ? 0.5 : 1);
}

bool enough(const Plan& plan, const Reading& reading) {
  return reading.points / plan.tau >= kMinEffectivePoints;
}

double critical_z(const Plan& plan, const State& state) {
  const double alpha = alpha_of_direction(plan, looks_share(plan));
  if (state.past.empty() || alpha <= 0) return kNone;
  if (plan.monitoring == Monitoring::kAnytime) {
    const Past& last = state.past.back();
    const double v = (last.up.v_bound + last.down.v_bound) / 2;
    const double tuned = tuned_variance(plan, state);
    if (v <= 0 || tuned <= 0) return kNone;
    return mixture_bound(v, mixing_variance(tuned, alpha), alpha) / std::sqrt(v);
  }
  for (std::size_t i = state.past.size(); i-- > 0;) {
    if (state.past[i].boundary > 0) return state.past[i].boundary;
  }
  return kNone;
}

Look decide_look(const Plan& plan, State& state, const Reading& reading, Boundaries& boundaries) {
  Look look = {.look = state.look, .boundary = kNone, .log_m = kNone};
  describe_sums(plan, reading.sums, look);
  const bool judged = reading.fresh && enough(plan, reading);
  // Planned looks alone do not need it: only reports do.
  const bool bets = plan.monitoring == Monitoring::kAnytime || plan.late_onset || plan.describe;
  if (looks_share(plan) > 0 && bets) {
    look.log_m = log_e_value(plan, state);
    if (judged) state.log_peak = std::max(state.log_peak, look.log_m);
  }
  if (judged && !state.failed) {
    bool fails = bands_apart(plan, state, reading);
    const bool informed = information(reading.sums) > 0;
    if (informed && looks_share(plan) > 0) fails |= tests(plan, state, reading, boundaries, look);
    state.failed = fails;
  }
  look.p = std::min(1.0, state.p);
  look.alpha_spent = state.spent + late_share(plan) * plan.alpha;
  look.verdict = state.failed ? Verdict::kFail : judged ? Verdict::kPass : Verdict::kInconclusive;
  return look;
}

}  // namespace slipway::judge
