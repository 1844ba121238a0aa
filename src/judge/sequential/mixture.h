#pragma once

#include <span>

#include "judge/sequential/plan.h"
#include "judge/sequential/state.h"

// E-values that stay valid at any look: a bet against "nothing differs" that may be read whenever
// one likes, and is won against chance 1/M at most.
namespace slipway::judge {

// The mixing variance that makes the bound tightest at variance `tuned_for`, for a one-sided test
// at `alpha`.
double mixing_variance(double tuned_for, double alpha);

// log M of a one-sided normal mixture for a statistic whose variance bound is `v`; `rho` is the
// mixing variance. Large when `s` is large and positive.
double log_mixture_above(double s, double v, double rho);

// The same for both sides: the average of the two.
double log_mixture_either(double s, double v, double rho);

// log((a + b) / 2) of two logs.
double log_mean(double a, double b);

// log of the mean of e-values given as logs.
double log_mean(std::span<const double> logs);

// log of 1/2 M(all looks) + 1/2 mean over `looks` starts of M(from that start), where `restarts`
// holds the log e-values of the starts taken so far and those to come count 1.
double log_with_restarts(double whole, std::span<const double> restarts, int looks);

// The least s with log_mixture_above(s, v, rho) >= log(1 / alpha).
double mixture_bound(double v, double rho, double alpha);

}  // namespace slipway::judge
