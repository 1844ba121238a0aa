#pragma once

#include <optional>
#include <span>

#include "judge/estimate.h"

// The interval and estimate of Kayenta, that is of R's wilcox.test in its normal approximation: the
// shifts at which the standardised rank sum crosses z, 0 and -z, each found by Brent's method to an
// absolute 1e-4. Bit for bit the same, so below about 1e-3 it is mostly noise of the solver: only
// for comparison with Kayenta itself.
namespace slipway::judge::kayenta {

// Neither side is empty, no NaN. Nothing when all values are tied at some shift that is tried,
// which is an error in Kayenta, too.
std::optional<ShiftEstimate> legacy_interval(std::span<const double> control,
                                             std::span<const double> experiment, double confidence);

// The standardised rank sum of the experiment, moved down by `shift`, less `quantile`. NaN when all
// values are tied.
double legacy_difference(std::span<const double> control, std::span<const double> experiment,
                         double shift, double quantile);

}  // namespace slipway::judge::kayenta
