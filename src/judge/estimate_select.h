#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace slipway::judge {

// All differences x - y of two ascending samples, as the sorted rows of a matrix that is never
// built. Looks at the samples it was given: they must outlive it.
//
// Infinite differences are allowed, NaN are not.
class Differences {
 public:
  Differences(std::span<const double> x, std::span<const double> y);

  std::size_t size() const { return x_.size() * y_.size(); }

  // The k-th least, from 1. O(N log N) time, O(N) memory, N = |x| + |y|.
  double kth(std::size_t k) const;

  // The k-th least, given that the one before it is `previous`. O(N).
  double next(double previous, std::size_t k) const;

 private:
  struct Counts {
    std::size_t below = 0;    // differences < value
    std::size_t at_most = 0;  // differences <= value
  };
  Counts count(double value) const;

  // The k-th lies strictly between `low` and `high`.
  struct Bracket {
    double low = 0;
    double high = 0;
    std::size_t up_to_low = 0;   // differences <= low
    std::size_t below_high = 0;  // differences < high
    std::size_t inside() const { return below_high - up_to_low; }
  };
  double sampled(double quantile) const;
  static double interpolated(const Bracket& bracket, double target);
  double weighted_median(const Bracket& bracket) const;
  // True when `pivot` is the k-th; else the bracket is narrower.
  bool narrow(Bracket& bracket, double pivot, std::size_t k) const;
  std::vector<double> inside(const Bracket& bracket) const;

  std::span<const double> x_;
  std::span<const double> y_;
};

}  // namespace slipway::judge
