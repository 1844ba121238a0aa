#include "judge/ranks.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace slipway::judge {
namespace {

using Numbers = std::vector<double>;

TEST(Ranks, GivesTiesTheirMiddle) {
  const auto ranked = rank(Numbers{3, 1, 3, 2, 3});
  EXPECT_EQ(ranked.ranks, (Numbers{4, 1, 4, 2, 4}));
  EXPECT_EQ(ranked.groups, (std::vector<std::size_t>{1, 1, 3}));
  EXPECT_EQ(ranked.tie_sum, 24);
  EXPECT_TRUE(ranked.has_ties);
  EXPECT_FALSE(rank(Numbers{1, 2}).has_ties);
  EXPECT_TRUE(rank(Numbers{}).ranks.empty());
}

TEST(Ranks, TakesAsEqualWhatDiffersByRoundingOnly) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  struct Case {
    double a, b;
    bool equal;
  };
  for (const auto& c : {Case{0.1 + 0.2, 0.3, true},
                        {1, 1 + 1e-11, false},
                        {0, 1e-300, false},
                        {-1, 1, false},
                        {kInf, kInf, true},
                        {kInf, 1e308, false},
                        {0.0, -0.0, true},
                        {1e-9 * 0.1, 1e-10, true}})
    EXPECT_EQ(tied(c.a, c.b), c.equal) << c.a << " and " << c.b;
  EXPECT_FALSE(tied(0.1 + 0.2, 0.3, 0));
}

TEST(Ranks, CountsPairsTheExperimentWins) {
  const auto pooled = rank_pooled(Numbers{1, 2, 2, 3, 3, 3}, Numbers{3, 3, 3, 4, 4, 5});
  EXPECT_EQ(pooled.u, 31.5);
  EXPECT_EQ(pooled.groups, (std::vector<std::size_t>{1, 2, 6, 2, 1}));
  EXPECT_EQ(pooled.control, (Numbers{1, 2, 2, 3, 3, 3}));
}

TEST(Ranks, MergesTiesOfBothSides) {
  const auto pooled = rank_pooled(Numbers{0.3}, Numbers{0.1 + 0.2, 5});
  EXPECT_EQ(pooled.control[0], pooled.experiment[0]);
  EXPECT_EQ(pooled.u, 1.5);
}

// U by counting every pair, for many small samples with and without ties.
TEST(Ranks, UAgreesWithCountingEveryPair) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    Numbers x(1 + random() % 9), y(1 + random() % 9);
    for (auto* side : {&x, &y})
      for (double& value : *side) value = static_cast<double>(random() % 12) / 10;
    double u = 0;
    for (double a : x)
      for (double b : y) u += a > b ? 1 : a == b ? 0.5 : 0;
    const auto pooled = rank_pooled(y, x);
    EXPECT_EQ(pooled.u, u);
    Numbers all = x;
    all.insert(all.end(), y.begin(), y.end());
    const auto ranked = rank(all);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += ranked.ranks[i];
    const auto n = static_cast<double>(x.size());
    EXPECT_EQ(sum - n * (n + 1) / 2, u);
    EXPECT_EQ(ranked.groups, pooled.groups);
    EXPECT_EQ(ranked.tie_sum, pooled.tie_sum);
  }
}

TEST(Ranks, VarianceShrinksWithTies) {
  EXPECT_DOUBLE_EQ(u_variance(5, 5), 275.0 / 12);
  EXPECT_DOUBLE_EQ(u_variance(2, 3, 5 * 25 - 5), 0);
  EXPECT_EQ(u_variance(1, 0), 0);
}

}  // namespace
}  // namespace slipway::judge
