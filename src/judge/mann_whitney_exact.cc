#include "judge/mann_whitney_exact.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace slipway::judge {

namespace {

double choose(std::size_t n, std::size_t k) {
  double out = 1;
  for (std::size_t i = 1; i <= k; ++i)
    out = out * static_cast<double>(n - k + i) / static_cast<double>(i);
  return std::round(out);
}

// Elements of one step that are read before any of them is written: with a distance of at least
// this many they are independent and the compiler uses vector instructions.
constexpr std::size_t kLanes = 8;

// a *= 1 - q^distance, up to q^last.
void times_one_less(std::span<double> a, std::size_t distance, std::size_t last) {
  std::size_t k = last + 1;
  while (distance >= kLanes && k >= distance + kLanes) {
    k -= kLanes;
    double lanes[kLanes];
    for (std::size_t at = 0; at < kLanes; ++at) lanes[at] = a[k + at] - a[k + at - distance];
    for (std::size_t at = 0; at < kLanes; ++at) a[k + at] = lanes[at];
  }
  while (k > distance) {
    --k;
    a[k] -= a[k - distance];
  }
}

// a /= 1 - q^distance, up to q^last.
void divided_by_one_less(std::span<double> a, std::size_t distance, std::size_t last) {
  std::size_t k = distance;
  for (; distance >= kLanes && k + kLanes <= last + 1; k += kLanes) {
    double lanes[kLanes];
    for (std::size_t at = 0; at < kLanes; ++at) lanes[at] = a[k + at] + a[k + at - distance];
    for (std::size_t at = 0; at < kLanes; ++at) a[k + at] = lanes[at];
  }
  for (; k <= last; ++k) a[k] += a[k - distance];
}

}  // namespace

// The number of splits with U = k is the coefficient of q^k in the Gaussian binomial
// (1-q^(m+1))…(1-q^(m+n)) / ((1-q)…(1-q^n)). After each pair of factors the polynomial is a
// Gaussian binomial again: symmetric, of degree i*m, all coefficients positive.
std::vector<double> u_lower_tail(std::size_t n, std::size_t m, std::size_t last) {
  SLIPWAY_ASSERT(n > 0 && m > 0 && n <= kMaxExact && m <= kMaxExact);
  if (n > m) std::swap(n, m);
  last = std::min(last, n * m);
  const std::size_t half = std::min(last, n * m / 2);
  std::vector<double> tail(std::max(last, half) + 1);
  tail[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    const std::size_t degree = std::min(half, i * m);
    times_one_less(tail, m + i, degree);
    divided_by_one_less(tail, i, degree);
  }
  for (std::size_t k = half + 1; k <= last; ++k) tail[k] = tail[n * m - k];
  std::partial_sum(tail.begin(), tail.end(), tail.begin());
  const double all = choose(n + m, n);
  for (double& value : tail) value = std::min(1.0, value / all);
  return tail;
}

// Row by row in m, each row from the one before it in place; sums from the nearer end, ascending.
double released_u_cdf(std::size_t n1, std::size_t n2, double u) {
  if (u < 0) return 0;
  const std::size_t product = n1 * n2;
  const auto floor = static_cast<std::size_t>(std::min(u, static_cast<double>(product)));
  if (floor >= product) return 1;
  const bool upper = floor >= (product + 1) / 2;
  const std::size_t last = upper ? product - floor - 1 : floor;
  const std::size_t small = std::min(n1, n2);
  const std::size_t large = std::max(n1, n2);
  std::vector<std::vector<double>> rows(small + 1, std::vector<double>(last + 1, 0.0));
  for (std::size_t m = 0; m <= large; ++m) {
    rows[0][0] = 1;
    for (std::size_t n = 1; n <= std::min(small, m); ++n) {
      const auto& left = rows[n - 1];
      const auto& right = n < m ? rows[n] : rows[m - 1];
      const auto a = static_cast<double>(n);
      const auto b = static_cast<double>(m);
      for (std::size_t k = std::min(n * m, last) + 1; k-- > 0;)
        rows[n][k] = (a * (k < m ? 0.0 : left[k - m]) + b * right[k]) / (a + b);
    }
  }
  double sum = 0;
  for (double probability : rows[small]) sum += probability;
  return upper ? 1 - sum : sum;
}

// Group by group upwards: taking r of a group's t for the first side adds 2r for each value of the
// other side below, and r(t-r) for the ties, to 2U. C(50,25) is below 2^53, so counts are exact.
TiedU::TiedU(std::span<const std::size_t> groups, std::size_t n) {
  const std::size_t total = std::accumulate(groups.begin(), groups.end(), std::size_t{0});
  SLIPWAY_ASSERT(n <= kMaxExactWithTies && total - n <= kMaxExactWithTies);
  const std::size_t width = 2 * n * (total - n) + 1;
  std::vector<double> ways((n + 1) * width, 0.0);
  ways[0] = 1;
  std::size_t seen = 0;
  for (std::size_t t : groups) {
    std::vector<double> next(ways.size(), 0.0);
    for (std::size_t taken = 0; taken <= std::min(n, seen); ++taken) {
      const std::size_t others = seen - taken;
      if (others > total - n) continue;
      for (std::size_t r = 0; r <= std::min(t, n - taken); ++r) {
        if (others + t - r > total - n) continue;
        const std::size_t step = 2 * r * others + r * (t - r);
        const double weight = choose(t, r);
        const double* from = &ways[taken * width];
        double* to = &next[(taken + r) * width];
        for (std::size_t w = 0; w + step < width; ++w) to[w + step] += weight * from[w];
      }
    }
    ways.swap(next);
    seen += t;
  }
  ways_.assign(ways.end() - static_cast<std::ptrdiff_t>(width), ways.end());
  all_ = choose(total, n);
  if (groups.size() == 2 && n <= groups[0]) {
    least_ = static_cast<double>(n * (groups[0] - n));
    released_from_ = least_ - static_cast<double>(total);
  }
}

double TiedU::at_most(double u) const {
  if (u < 0) return 0;
  const auto last =
      static_cast<std::size_t>(std::min(std::floor(2 * u), static_cast<double>(ways_.size() - 1)));
  double sum = 0;
  for (std::size_t w = 0; w <= last; ++w) sum += ways_[w];
  return sum / all_;
}

double TiedU::released_at_most(double u) const {
  const double twice = std::floor(2 * u);
  if (u >= 0 && twice < least_ && twice > released_from_) return at_most(least_ / 2);
  return at_most(u);
}

double TiedU::at_least(double u) const {
  double sum = 0;
  for (std::size_t w = ways_.size(); w-- > 0 && static_cast<double>(w) >= 2 * u;) sum += ways_[w];
  return sum / all_;
}

}  // namespace slipway::judge
