#include "judge/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "judge/estimate_select.h"
#include "judge/mann_whitney_exact.h"
#include "judge/normal.h"

namespace slipway::judge {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 1 - 0.9 is a little less than 0.1: what is equal but for rounding counts as reached.
constexpr double kRounding = 1e-12;

double median_difference(const Differences& differences) {
  const std::size_t all = differences.size();
  const double lower = differences.kth((all + 1) / 2);
  if (all % 2 == 1) return lower;
  return lower / 2 + differences.next(lower, all / 2 + 1) / 2;
}

}  // namespace

std::size_t interval_order(std::size_t n, std::size_t m, double confidence) {
  const double tail = (1 - confidence) / 2 * (1 + kRounding);
  if (std::max(n, m) <= kMaxExact) {
    const auto lower = u_lower_tail(n, m, n * m / 2);
    return static_cast<std::size_t>(std::ranges::upper_bound(lower, tail) - lower.begin());
  }
  const double middle = static_cast<double>(n) * static_cast<double>(m) / 2;
  const double order = std::floor(middle + normal_quantile(tail) * std::sqrt(u_variance(n, m)));
  return order < 1 ? 0 : static_cast<std::size_t>(order);
}

ShiftEstimate estimate_shift(const Pooled& pooled, double confidence) {
  const Differences differences(pooled.experiment, pooled.control);
  ShiftEstimate out{.shift = median_difference(differences), .low = -kInfinity, .high = kInfinity};
  const auto order = interval_order(pooled.experiment.size(), pooled.control.size(), confidence);
  if (order == 0) return out;
  out.low = differences.kth(order);
  out.high = differences.kth(differences.size() + 1 - order);
  return out;
}

double kth_difference(std::span<const double> x, std::span<const double> y, std::size_t k) {
  return Differences(x, y).kth(k);
}

}  // namespace slipway::judge
