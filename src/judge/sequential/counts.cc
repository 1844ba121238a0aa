#include "judge/sequential/counts.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "judge/sequential/engine.h"

namespace slipway::judge {
namespace {

// Errors of evaluation (overflow far out) give values instead of exceptions.
using Quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>>;

// Of the sum of unequal coins no tail is heavier than that of as many equal ones with their mean
// (Hoeffding 1956), so one share stands for those of all windows.
double side_p(std::span<const CountWindow> windows, double log_ratio, double tau, bool up) {
  double experiment = 0;
  double all = 0;
  double expected = 0;
  for (const CountWindow& window : windows) {
    const double events = window.control + window.experiment;
    experiment += window.experiment;
    all += events;
    expected += events * experiment_share(window, log_ratio);
  }
  if (all <= 0) return 1;
  const double share = expected / all;
  return up ? binomial_p(experiment, all, share, tau)
            : binomial_p(all - experiment, all, 1 - share, tau);
}

}  // namespace

double experiment_share(const CountWindow& window, double log_ratio) {
  const double weighted = window.experiment_exposure * std::exp(log_ratio);
  return weighted / (weighted + window.control_exposure);
}

Sums excess(std::span<const CountWindow> windows, double log_ratio) {
  Sums sums;
  for (const CountWindow& window : windows) {
    const double share = experiment_share(window, log_ratio);
    const double all = window.control + window.experiment;
    sums.s += window.experiment - all * share;
    sums.v += all * share * (1 - share);
  }
  sums.v_bound = sums.v;
  return sums;
}

double binomial_p(double events, double all, double share, double tau) {
  if (events <= 0) return 1;
  const double others = std::max(0.0, all - events);
  const double p = boost::math::ibeta(events / tau, others / tau + 1, share, Quiet());
  return std::clamp(p, 0.0, 1.0);
}

CountWindow total(std::span<const CountWindow> windows) {
  CountWindow sum;
  for (const CountWindow& window : windows) {
    sum.control += window.control;
    sum.control_exposure += window.control_exposure;
    sum.experiment += window.experiment;
    sum.experiment_exposure += window.experiment_exposure;
  }
  return sum;
}

Reading read_counts(const Plan& plan, State& state, const Evidence& evidence) {
  const CountWindow window = {.control = evidence.control.events,
                              .control_exposure = evidence.control.exposure,
                              .experiment = evidence.experiment.events,
                              .experiment_exposure = evidence.experiment.exposure};
  Reading reading = {.fresh = window.control_exposure > 0 && window.experiment_exposure > 0,
                     .sums = last_sums(state)};
  if (reading.fresh) {
    state.windows.push_back(window);
    const double margin = std::log1p(plan.margin);
    reading.sums.up = excess(state.windows, margin);
    reading.sums.down = excess(state.windows, -margin);
    reading.sums.down.s = -reading.sums.down.s;
    reading.p_up = side_p(state.windows, margin, plan.tau, true);
    reading.p_down = side_p(state.windows, -margin, plan.tau, false);
  }
  const CountWindow sum = total(state.windows);
  state.control_points = static_cast<std::size_t>(std::llround(sum.control));
  state.experiment_points = static_cast<std::size_t>(std::llround(sum.experiment));
  // No event among much exposure is evidence; only no exposure is too little.
  reading.points = state.windows.empty() ? 0 : kMinEffectivePoints * plan.tau;
  return reading;
}

}  // namespace slipway::judge
