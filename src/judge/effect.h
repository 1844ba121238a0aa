#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "judge/ranks.h"

namespace slipway::judge {

// How much the experiment differs from the control. What cannot be told is NaN.
struct Effect {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  double ratio = kUnknown;  // mean of the experiment / mean of the control
  double cles = kUnknown;   // P(experiment > control) + half P(equal): 0.5 is no difference
  double shift = kUnknown;  // Hodges–Lehmann: the median of all differences experiment - control
  double low = kUnknown;    // ends of the confidence interval (or sequence) of the shift
  double high = kUnknown;
  // Sequential tests: the shift that this look could just have shown, at the noise there is.
  double mde = kUnknown;
};

double mean(std::span<const double> values);  // NaN when empty

// NaN when a side is empty or the control's mean is 0.
double mean_ratio(std::span<const double> control, std::span<const double> experiment);

// From U of the experiment; NaN when a side is empty.
double cles(double u, std::size_t control, std::size_t experiment);

// All of it, with the exact order-statistic interval at `confidence`. O(N log N). NaN throughout
// when a side is empty.
Effect effect_of(std::span<const double> control, std::span<const double> experiment,
                 double confidence = 0.95);
Effect effect_of(const Pooled& pooled, double confidence);  // of samples already ranked together

}  // namespace slipway::judge
