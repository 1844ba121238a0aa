#include "judge/sequential/shifted_ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/sequential/signed_rank.h"

namespace slipway::judge {
namespace {

constexpr std::size_t kFewPairs = 64;  // up to here counting is quicker than ordering

void count(std::vector<std::size_t>& tree, std::size_t place) {
  for (std::size_t i = place + 1; i < tree.size(); i += i & (~i + 1)) ++tree[i];
}

std::size_t counted_below(const std::vector<std::size_t>& tree, std::size_t place) {
  std::size_t sum = 0;
  for (std::size_t i = place; i > 0; i -= i & (~i + 1)) sum += tree[i];
  return sum;
}

double z_of(const Sums& sums, double tau) {
  return sums.v > 0 ? sums.s / std::sqrt(sums.v * tau) : 0;
}

void add_score(Sums& sums, double score) {
  sums.s += score;
  sums.v += score * score;
}

}  // namespace

ShiftedRanks::ShiftedRanks(std::span<const double> differences) : differences_(differences) {
  if (differences.size() <= kFewPairs) return;
  order_.resize(differences.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {}, [&](std::size_t i) { return differences[i]; });
  below_.resize(differences.size());
  up_to_.resize(differences.size());
}

double ShiftedRanks::z_of_few(double shift, double tau) const {
  Sums sums;
  for (std::size_t i = 0; i < differences_.size(); ++i) {
    const double one = differences_[i] - shift;
    const double size = std::abs(one);
    if (size == 0) continue;
    double twice = 0;  // the middle of its rank
    for (std::size_t k = 0; k <= i; ++k) {
      const double other = std::abs(differences_[k] - shift);
      twice += (other < size ? 1 : 0) + (other <= size ? 1 : 0);
    }
    add_score(sums, std::copysign((twice + 1) / 2 / static_cast<double>(i + 2), one));
  }
  return z_of(sums, tau);
}

// Below the shift sizes fall, above it they rise: two lists in order, merged.
void ShiftedRanks::rank(double shift) {
  const auto size_at = [&](std::size_t at) { return std::abs(differences_[order_[at]] - shift); };
  const auto middle =
      std::ranges::partition_point(order_, [&](std::size_t i) { return differences_[i] < shift; });
  auto left = static_cast<std::size_t>(middle - order_.begin());
  std::size_t right = left;
  std::vector<std::size_t>& group = seen_;  // of equal sizes
  group.clear();
  double size = 0;
  std::size_t below = 0;
  const auto close = [&] {
    for (std::size_t i : group) {
      below_[i] = below;
      up_to_[i] = below + group.size();
    }
    below += group.size();
    group.clear();
  };
  while (left > 0 || right < order_.size()) {
    const bool takes_left =
        right == order_.size() || (left > 0 && size_at(left - 1) <= size_at(right));
    const std::size_t at = takes_left ? --left : right++;
    if (const double next = size_at(at); !group.empty() && next != size) close();
    size = size_at(at);
    group.push_back(order_[at]);
  }
  close();
}

double ShiftedRanks::z(double shift, double tau) {
  if (differences_.size() <= kFewPairs) return z_of_few(shift, tau);
  rank(shift);
  seen_.assign(differences_.size() + 1, 0);
  Sums sums;
  for (std::size_t i = 0; i < differences_.size(); ++i) {
    count(seen_, below_[i]);
    const double one = differences_[i] - shift;
    if (one == 0) continue;
    const std::size_t less = counted_below(seen_, below_[i]);
    const bool alone = up_to_[i] == below_[i] + 1;
    const std::size_t equal = alone ? 1 : counted_below(seen_, up_to_[i]) - less;
    const double middle = static_cast<double>(less) + (static_cast<double>(equal) + 1) / 2;
    add_score(sums, std::copysign(middle / static_cast<double>(i + 2), one));
  }
  return z_of(sums, tau);
}

}  // namespace slipway::judge
