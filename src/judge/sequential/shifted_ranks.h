#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace slipway::judge {

// Sequential signed ranks of differences less a shift, as signed_scores has them, for many shifts:
// an interval's end is the shift at which their z is the boundary. Private to judge/sequential.
class ShiftedRanks {
 public:
  // The differences must outlive it, and be finite.
  explicit ShiftedRanks(std::span<const double> differences);

  // O(n log n) in the number of differences.
  double z(double shift, double tau);

 private:
  double z_of_few(double shift, double tau) const;
  void rank(double shift);

  std::span<const double> differences_;
  std::vector<std::size_t> order_;  // of the differences, ascending
  // Of each difference: how many sizes are below its own, and how many are below or equal.
  std::vector<std::size_t> below_, up_to_;
  std::vector<std::size_t> seen_;  // a Fenwick tree over places
};

}  // namespace slipway::judge
