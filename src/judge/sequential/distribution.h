#pragma once

#include "judge/sequential/plan.h"

// Bands around an empirical distribution that hold at every value and at every time at once.
// Private to judge/sequential.
namespace slipway::judge {

// The least chance with which |F_t - F| ever leaves 0.85 sqrt((log(1 + log(t/m)) + c) / t) for t >=
// m.
double band_alpha(double c);
// The c whose chance is `alpha`.
double band_constant(double alpha);

// Half the width of the band after `t` values when it began at `m`.
double band_width(double t, double m, double c);

// Fewer planned looks can hardly fail by one advantage a look: all of alpha goes to the bands.
inline constexpr int kLooksWorthRanking = 12;
// The part of alpha that the bands have; the ranks of the looks' advantages have the rest.
double bands_share(const Plan& plan);

}  // namespace slipway::judge
