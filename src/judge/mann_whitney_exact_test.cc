#include "judge/mann_whitney_exact.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace slipway::judge {
namespace {

using Sizes = std::vector<std::size_t>;

// Every split of the pooled values, 2U of the first side -> how many splits.
std::map<std::size_t, double> enumerate(const Sizes& groups, std::size_t n) {
  Sizes group_of;
  for (std::size_t g = 0; g < groups.size(); ++g) group_of.insert(group_of.end(), groups[g], g);
  std::map<std::size_t, double> ways;
  for (unsigned split = 0; split < 1U << group_of.size(); ++split) {
    if (static_cast<std::size_t>(std::popcount(split)) != n) continue;
    std::size_t twice_u = 0;
    for (std::size_t i = 0; i < group_of.size(); ++i)
      for (std::size_t j = 0; j < group_of.size(); ++j)
        if ((split >> i & 1) == 1 && (split >> j & 1) == 0)
          twice_u += group_of[i] > group_of[j] ? 2 : group_of[i] == group_of[j] ? 1 : 0;
    ++ways[twice_u];
  }
  return ways;
}

double sum(const std::map<std::size_t, double>& ways, std::size_t from, std::size_t to) {
  double at = 0;
  double all = 0;
  for (const auto& [twice_u, count] : ways) {
    all += count;
    if (twice_u >= from && twice_u <= to) at += count;
  }
  return at / all;
}

TEST(ExactU, AgreesWithEnumerationForAllSizesToEight) {
  for (std::size_t n = 1; n <= 8; ++n)
    for (std::size_t m = 1; m <= 8; ++m) {
      const auto ways = enumerate(Sizes(n + m, 1), n);
      const auto tail = u_lower_tail(n, m, n * m);
      ASSERT_EQ(tail.size(), n * m + 1);
      for (std::size_t u = 0; u <= n * m; ++u) {
        const double want = sum(ways, 0, 2 * u);
        EXPECT_NEAR(tail[u], want, 1e-14) << n << " v " << m << " at " << u;
        EXPECT_NEAR(released_u_cdf(n, m, static_cast<double>(u)), want, 1e-14);
      }
    }
}

void expect_like_enumeration(const Sizes& groups, std::size_t n) {
  const std::size_t total = std::accumulate(groups.begin(), groups.end(), std::size_t{0});
  const auto ways = enumerate(groups, n);
  const TiedU distribution(groups, n);
  const std::size_t last = 2 * n * (total - n);
  for (std::size_t w = 0; w <= last; ++w) {
    const double u = static_cast<double>(w) / 2;
    EXPECT_NEAR(distribution.at_most(u), sum(ways, 0, w), 1e-15);
    EXPECT_NEAR(distribution.at_least(u), sum(ways, w, last), 1e-15);
  }
}

// Every way in which 2 to 8 values can be tied, every split of them.
TEST(ExactU, AgreesWithEnumerationForEveryPatternOfTies) {
  for (std::size_t total = 2; total <= 8; ++total)
    for (unsigned cuts = 0; cuts < 1U << (total - 1); ++cuts) {
      Sizes groups{1};
      for (std::size_t at = 0; at + 1 < total; ++at) {
        if ((cuts >> at & 1) == 1)
          groups.push_back(1);
        else
          ++groups.back();
      }
      for (std::size_t n = 1; n < total; ++n) expect_like_enumeration(groups, n);
    }
}

TEST(ExactU, AgreesWithEnumerationWithTiesUpToEightAgainstEight) {
  for (const Sizes& groups : {Sizes{4, 3, 2, 1}, {1, 9, 2}, {2, 2, 2, 2, 2, 2}, {3, 1, 4, 1, 5}})
    for (std::size_t n = 2; n <= 8; n += 2) expect_like_enumeration(groups, n);
  expect_like_enumeration({1, 2, 1, 4, 3, 5}, 8);
  expect_like_enumeration({10, 1, 1, 1, 1, 1, 1}, 8);
}

TEST(ExactU, TiedDistributionWithoutTiesIsTheUntiedOne) {
  for (std::size_t n : {8UL, 13UL, 25UL})
    for (std::size_t m : {8UL, 17UL, 25UL}) {
      const TiedU tied(Sizes(n + m, 1), n);
      const auto tail = u_lower_tail(n, m, n * m);
      for (std::size_t u = 0; u <= n * m; ++u)
        EXPECT_NEAR(tail[u] / tied.at_most(static_cast<double>(u)), 1, 1e-13);
    }
}

TEST(ExactU, FastAndReleasedAgreeUpToFiftyAgainstFifty) {
  for (const auto& [n, m] : {std::pair{50UL, 50UL}, {50UL, 3UL}, {37UL, 49UL}, {1UL, 50UL}}) {
    const auto tail = u_lower_tail(n, m, n * m);
    for (std::size_t u = 0; u < n * m; u += 1 + n * m / 40)
      EXPECT_NEAR(tail[u] / released_u_cdf(n, m, static_cast<double>(u)), 1, 1e-12) << u;
    EXPECT_NEAR(tail.back(), 1, 1e-13);
  }
}

TEST(ExactU, KnowsTheReleasedBitsThatDecide) {
  EXPECT_EQ(released_u_cdf(3, 3, 0), 0.05000000000000001);
  EXPECT_EQ(1 - released_u_cdf(3, 3, 8), 0.050000000000000044);
  EXPECT_EQ(released_u_cdf(1, 19, 0), 0.05);
  EXPECT_EQ(released_u_cdf(3, 3, -0.5), 0);
  EXPECT_EQ(released_u_cdf(3, 3, 9), 1);
}

// Klotz 1966; x = U + n^2/2.
TEST(ExactU, TiedTailsAgreeWithPublishedTables) {
  struct Case {
    std::size_t n;
    Sizes groups;
    double x, want;
  };
  for (const auto& c : {Case{5, {1, 1, 2, 1, 1, 2, 1, 1}, 12.5, .003968},
                        {5, {1, 1, 2, 1, 1, 2, 1, 1}, 19.5, .138889},
                        {8, {2, 2, 2, 2, 2, 2, 2, 2}, 48, .057187},
                        {10, {6, 5, 4, 3, 2, 1}, 52, .000014},
                        {10, {6, 5, 4, 3, 2, 1}, 87, .101132}}) {
    const auto n = static_cast<double>(c.n);
    EXPECT_NEAR(TiedU(c.groups, c.n).at_most(c.x - n * n / 2), c.want, 5e-7);
  }
}

}  // namespace
}  // namespace slipway::judge
