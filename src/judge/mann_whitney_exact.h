#pragma once

#include <cstddef>
#include <span>
#include <vector>

// The exact distribution of U when nothing differs: every split of the pooled ranks is equally
// likely.
namespace slipway::judge {

// Sides up to which the exact distribution is used, as go-moremath has it.
inline constexpr std::size_t kMaxExact = 50;
inline constexpr std::size_t kMaxExactWithTies = 25;

// P(U <= u) for u = 0 … `last`, no ties; n, m at most kMaxExact and at least 1. Right to 1e-13
// relative. O(min(n,m) * last).
std::vector<double> u_lower_tail(std::size_t n, std::size_t m, std::size_t last);

// P(U <= u), no ties, by the very recurrence go-moremath uses, bit for bit. Slower by a factor of
// min(n,m): only for p so near to alpha that its last bit decides.
double released_u_cdf(std::size_t n, std::size_t m, double u);

// With ties, in exact counts. `groups` are the sizes of the groups of equal values,
// ascending; `n` the size of the side whose U is meant.
class TiedU {
 public:
  TiedU(std::span<const std::size_t> groups, std::size_t n);
  double at_most(double u) const;
  double at_least(double u) const;

  // What go-moremath answers for at_most. With two distinct values in all and u below the least U
  // there is, it rounds the wrong way and gives the probability of that least U, not 0.
  double released_at_most(double u) const;

 private:
  std::vector<double> ways_;  // splits in which 2U is the index
  double all_ = 0;
  double least_ = 0;          // of 2U, where released_at_most errs
  double released_from_ = 0;  // it errs above this 2U
};

}  // namespace slipway::judge
