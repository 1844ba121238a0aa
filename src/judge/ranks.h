#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Mid-ranks and ties, the ground of every rank test in this room.
//
// Values are compared with a relative tolerance so that no verdict depends on the unit a metric is
// written in: 0.1 and 0.1 * 1e-9 * 1e9 are the same observation. Callers pass no NaN; infinities
// are equal to themselves only.
namespace slipway::judge {

// The difference, relative to the larger of two values, up to which they are equal.
inline constexpr double kTieTolerance = 1e-12;

// Points of one side that any test takes.
inline constexpr std::size_t kMaxPoints = 1'000'000;

bool tied(double a, double b, double tolerance = kTieTolerance);

// Neighbours in ascending order that are tied make one group.
struct Ranked {
  std::vector<double> ranks;        // of each value in the order given: 1 is least, a tie's middle
  std::vector<std::size_t> groups;  // sizes of the groups of equal values, ascending by value
  bool has_ties = false;            // some group holds more than one
  double tie_sum = 0;               // sum over groups of t^3 - t
};
Ranked rank(std::span<const double> values, double tolerance = kTieTolerance);

// Two samples ranked together.
struct Pooled {
  double u = 0;  // pairs in which the experiment's value is the larger, ties counting one half
  std::vector<std::size_t> groups;
  bool has_ties = false;
  double tie_sum = 0;
  // Both sides ascending, tied values made the same: their differences are exactly 0.
  std::vector<double> control;
  std::vector<double> experiment;
};
Pooled rank_pooled(std::span<const double> control, std::span<const double> experiment,
                   double tolerance = kTieTolerance);

// The variance of U when nothing differs, for sides of n and m: n m / 12 * (n+m+1 - ties/(N(N-1))).
// A `tie_sum` of 0 gives the untied variance.
double u_variance(std::size_t n, std::size_t m, double tie_sum = 0);

}  // namespace slipway::judge
