#pragma once

#include <cstddef>
#include <span>

#include "judge/ranks.h"

// By how much the experiment lies above the control: the Hodges–Lehmann estimate and its
// distribution-free confidence interval, both order statistics of all n*m differences.
namespace slipway::judge {

struct ShiftEstimate {
  double shift = 0;  // the median of the differences
  double low = 0;    // -Inf and +Inf when there are too few points for the confidence asked
  double high = 0;
};

// Neither side is empty. Exact up to kMaxExact points a side, else the normal approximation of the
// order; with ties it covers at least what was asked. O(N log N), and memory for N.
ShiftEstimate estimate_shift(const Pooled& pooled, double confidence);

// The order of the interval's ends: low is the C-th least difference, high the C-th largest, C the
// largest with P(U < C) <= (1 - confidence) / 2. 0: there is none.
std::size_t interval_order(std::size_t n, std::size_t m, double confidence);

// The k-th least of all differences x - y, from 1; both sides ascending.
double kth_difference(std::span<const double> x, std::span<const double> y, std::size_t k);

}  // namespace slipway::judge
