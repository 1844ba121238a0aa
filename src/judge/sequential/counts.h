#pragma once

#include <span>

#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

// Events counted against exposure. Given that an event happened, the side it fell on is a coin
// whose bias the exposures tell, however the rate varies in time. Private to judge/sequential.
namespace slipway::judge {

// The chance that an event falls on the experiment when its rate is exp(log_ratio) times the
// control's.
double experiment_share(const CountWindow& window, double log_ratio);

// Events on the experiment's side beyond those expected at `log_ratio`, with their variance.
Sums excess(std::span<const CountWindow> windows, double log_ratio);

// Chance of at least `events` of `all` on a side whose share is `share`; `tau` deflates both.
double binomial_p(double events, double all, double share, double tau);

// log e-value of the mixture over Beta(c p, c (1 - p)), c in {1, 10, 100, 1000}, for a constant
// share; for kIncrease the prior is cut to shares above it.
double log_beta_mixture(double experiment, double control, double share, Direction direction);

CountWindow total(std::span<const CountWindow> windows);

}  // namespace slipway::judge
