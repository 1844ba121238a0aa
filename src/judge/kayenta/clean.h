#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "judge/kayenta/metric.h"

// What Kayenta does to a side's points before it compares them.
namespace slipway::judge::kayenta {

// NaN dropped or made 0, then outliers beyond the fences dropped: below both P1 and Q1 - f * IQR,
// or above both P99 and Q3 + f * IQR. A point at a fence stays; with the exact solver also one that
// is there but for rounding.
std::vector<double> cleaned(std::span<const double> points, const Metric& metric);

// Percentile p in [0,100], interpolated as R's type 7. `ascending` is not empty.
double percentile(std::span<const double> ascending, double p);

// All 0 when there are no points; the deviation is that of a sample, 0 for one point.
struct Summary {
  double min = 0;
  double max = 0;
  double mean = 0;
  double std = 0;
  std::size_t count = 0;
};
Summary summarise(std::span<const double> points);

}  // namespace slipway::judge::kayenta
