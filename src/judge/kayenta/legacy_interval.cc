#include "judge/kayenta/legacy_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "judge/normal.h"

// Contracted multiply-adds would change the last bit on machines that have them.
#pragma clang fp contract(off)

namespace slipway::judge::kayenta {

namespace {

constexpr double kTolerance = 1e-4;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxSteps = 1001;

// Subtracting the same shift from ascending values keeps them ascending, rounding included: both
// sides are sorted once and merged at every shift.
class RankDifference {
 public:
  RankDifference(std::span<const double> control, std::span<const double> experiment)
      : x_(experiment.begin(), experiment.end()), y_(control.begin(), control.end()) {
    std::ranges::sort(x_);
    std::ranges::sort(y_);
  }

  double least() const { return x_.front() - y_.back(); }
  double largest() const { return x_.back() - y_.front(); }

  double at(double shift, double quantile) const {
    double rank_sum = 0;
    double ties = 0;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < x_.size() || j < y_.size()) {
      const std::size_t before = i + j;
      const std::size_t first_x = i;
      const double value = j == y_.size()   ? x_[i] - shift
                           : i == x_.size() ? y_[j]
                                            : std::min(x_[i] - shift, y_[j]);
      while (i < x_.size() && x_[i] - shift == value) ++i;
      while (j < y_.size() && y_[j] == value) ++j;
      if (i + j == before) return std::numeric_limits<double>::quiet_NaN();
      const auto size = static_cast<double>(i + j - before);
      const double middle = static_cast<double>(before) + (size + 1) / 2;
      rank_sum += static_cast<double>(i - first_x) * middle;
      ties += size * size * size - size;
    }
    return standardised(rank_sum, ties) - quantile;
  }

 private:
  double standardised(double rank_sum, double ties) const {
    const auto n = static_cast<double>(x_.size());
    const auto m = static_cast<double>(y_.size());
    const double centred = rank_sum - n * (n + 1) / 2 - n * m / 2;
    const double correction = centred > 0 ? 0.5 : centred < 0 ? -0.5 : 0.0;
    const double sigma = std::sqrt((n * m / 12) * ((n + m + 1) - ties / ((n + m) * (n + m - 1))));
    if (sigma == 0) return std::numeric_limits<double>::quiet_NaN();
    return (centred - correction) / sigma;
  }

  std::vector<double> x_;
  std::vector<double> y_;
};

struct Point {
  double at = 0;
  double value = 0;
};

// The step from `best` that interpolation proposes, or half of the bracket when it is not to be
// trusted.
double proposed_step(const Point& previous, const Point& best, const Point& opposite, double bound,
                     double last_step) {
  const double half = (opposite.at - best.at) / 2;
  if (std::abs(last_step) < bound || std::abs(previous.value) <= std::abs(best.value)) return half;
  const double width = opposite.at - best.at;
  double p = 0;
  double q = 0;
  if (previous.at == opposite.at) {
    const double t1 = best.value / previous.value;
    p = width * t1;
    q = 1 - t1;
  } else {
    const double ratio = previous.value / opposite.value;
    const double t1 = best.value / opposite.value;
    const double t2 = best.value / previous.value;
    p = t2 * (width * ratio * (ratio - t1) - (best.at - previous.at) * (t1 - 1));
    q = (ratio - 1) * (t1 - 1) * (t2 - 1);
  }
  if (p > 0)
    q = -q;
  else
    p = -p;
  const bool good =
      p < 0.75 * width * q - std::abs(bound * q) / 2 && p < std::abs(last_step * q / 2);
  return good ? p / q : half;
}

// Brent's zeroin, step for step as R has it.
template <class Function>
double root(const Function& function, double low, double high) {
  Point previous{low, function(low)};
  Point best{high, function(high)};
  if (previous.value == 0) return previous.at;
  if (best.value == 0) return best.at;
  Point opposite = previous;
  for (int step_number = 0; step_number < kMaxSteps; ++step_number) {
    const double last_step = best.at - previous.at;
    if (std::abs(opposite.value) < std::abs(best.value)) {
      previous = best;
      best = opposite;
      opposite = previous;
    }
    const double bound = 2 * kEpsilon * std::abs(best.at) + kTolerance / 2;
    if (std::abs((opposite.at - best.at) / 2) <= bound || best.value == 0) return best.at;
    double step = proposed_step(previous, best, opposite, bound, last_step);
    if (std::abs(step) < bound) step = step > 0 ? bound : -bound;
    previous = best;
    best.at += step;
    best.value = function(best.at);
    if ((best.value > 0 && opposite.value > 0) || (best.value < 0 && opposite.value < 0))
      opposite = previous;
  }
  return best.at;
}

}  // namespace

double legacy_difference(std::span<const double> control, std::span<const double> experiment,
                         double shift, double quantile) {
  return RankDifference(control, experiment).at(shift, quantile);
}

std::optional<ShiftEstimate> legacy_interval(std::span<const double> control,
                                             std::span<const double> experiment,
                                             double confidence) {
  const RankDifference difference(control, experiment);
  const double low = difference.least();
  const double high = difference.largest();
  bool all_tied = false;
  const auto crossing = [&](double quantile) {
    return [&, quantile](double shift) {
      const double value = difference.at(shift, quantile);
      all_tied = all_tied || std::isnan(value);
      return value;
    };
  };
  const auto end = [&](double quantile) {
    const auto function = crossing(quantile);
    if (function(low) <= 0) return low;
    if (function(high) >= 0) return high;
    return root(function, low, high);
  };
  const double z = -normal_quantile((1 - confidence) / 2);
  ShiftEstimate out;
  out.low = end(z);
  out.high = end(-z);
  out.shift = root(crossing(0), low, high);
  if (all_tied) return std::nullopt;
  return out;
}

}  // namespace slipway::judge::kayenta
