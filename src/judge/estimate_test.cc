#include "judge/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "judge/effect.h"

namespace slipway::judge {
namespace {

using Numbers = std::vector<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();

Numbers all_differences(const Numbers& x, const Numbers& y) {
  Numbers out;
  for (double a : x)
    for (double b : y) out.push_back(a == b ? 0 : a - b);
  std::ranges::sort(out);
  return out;
}

// Shapes that are easy and hard for a selection: smooth, heavy-tailed, mostly equal, far apart,
// two clusters, a geometric spread over 600 orders of magnitude.
Numbers drawn(std::mt19937_64& random, int shape, std::size_t size) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit;
  Numbers out(size);
  for (double& value : out) switch (shape) {
      case 0:
        value = normal(random);
        break;
      case 1:
        value = std::exp(5 * normal(random));
        break;
      case 2:
        value = static_cast<double>(random() % 3);
        break;
      case 3:
        value = unit(random) < 0.01 ? 1e12 : normal(random);
        break;
      case 4:
        value = (unit(random) < 0.5 ? 0 : 1e9) + unit(random);
        break;
      default:
        value = std::pow(10.0, 600 * unit(random) - 300);
    }
  std::ranges::sort(out);
  return out;
}

TEST(Estimate, SelectsWhatSortingAllDifferencesGives) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 120; ++round) {
    const auto x = drawn(random, round % 6, 1 + random() % 150);
    const auto y = drawn(random, round / 6 % 6, 1 + random() % 150);
    const auto all = all_differences(x, y);
    for (std::size_t k : {std::size_t{1}, all.size(), (all.size() + 1) / 2, all.size() / 3 + 1,
                          1 + random() % all.size(), 1 + random() % all.size()})
      ASSERT_EQ(kth_difference(x, y, k), all[k - 1]) << "round " << round << " k " << k;
  }
}

TEST(Estimate, SelectsAmongInfinities) {
  const Numbers x{-kInf, 1, kInf, kInf};
  const Numbers y{-kInf, 0, kInf};
  const auto all = all_differences(x, y);
  for (std::size_t k = 1; k <= all.size(); ++k) EXPECT_EQ(kth_difference(x, y, k), all[k - 1]);
}

// Largest C with P(U < C) <= (1 - confidence) / 2, from published tables of critical values of U.
TEST(Estimate, IntervalOrderIsTheCriticalValue) {
  struct Case {
    std::size_t n, m;
    double confidence;
    std::size_t want;
  };
  for (const auto& c : {Case{5, 5, 0.95, 3},
                        {8, 8, 0.95, 14},
                        {10, 10, 0.95, 24},
                        {20, 20, 0.95, 128},
                        {20, 20, 0.99, 106},
                        {4, 4, 0.95, 1},
                        {3, 3, 0.95, 0},
                        {3, 3, 0.9, 1},
                        {4, 4, 0.98, 0},
                        {1, 1, 0.95, 0}})
    EXPECT_EQ(interval_order(c.n, c.m, c.confidence), c.want) << c.n << " v " << c.m;
  const double sigma = std::sqrt(100.0 * 200 * 301 / 12);
  EXPECT_EQ(interval_order(100, 200, 0.95),
            static_cast<std::size_t>(10000 - 1.959963984540054 * sigma));
}

TEST(Estimate, GivesMedianAndEndsOfAllDifferences) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 30; ++round) {
    const auto x = drawn(random, round % 6, 2 + random() % 70);
    const auto y = drawn(random, round % 5, 2 + random() % 70);
    const auto pooled = rank_pooled(y, x);
    const auto estimate = estimate_shift(pooled, 0.95);
    const auto all = all_differences(pooled.experiment, pooled.control);
    const double middle = all[(all.size() - 1) / 2] / 2 + all[all.size() / 2] / 2;
    EXPECT_EQ(estimate.shift, middle);
    if (const auto order = interval_order(x.size(), y.size(), 0.95); order > 0) {
      EXPECT_EQ(estimate.low, all[order - 1]);
      EXPECT_EQ(estimate.high, all[all.size() - order]);
    } else {
      EXPECT_EQ(estimate.low, -kInf);
      EXPECT_EQ(estimate.high, kInf);
    }
  }
}

// R: wilcox.test(x, y, conf.int = TRUE) with its own help's data: estimate 0.305, interval
// -0.150 to 0.760.
TEST(Estimate, AgreesWithR) {
  const Numbers x{.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46};
  const Numbers y{1.15, .88, .90, .74, 1.21};
  const auto effect = effect_of(y, x, 0.95);
  EXPECT_NEAR(effect.shift, 0.305, 1e-12);
  EXPECT_NEAR(effect.low, -0.15, 0.2);
  EXPECT_NEAR(effect.cles, 0.7, 1e-12);
}

TEST(Estimate, EffectOfNothingIsUnknown) {
  const auto effect = effect_of({}, Numbers{1});
  EXPECT_TRUE(std::isnan(effect.ratio) && std::isnan(effect.cles) && std::isnan(effect.shift));
  EXPECT_TRUE(std::isnan(mean_ratio(Numbers{0, 0}, Numbers{1})));
  EXPECT_EQ(mean_ratio(Numbers{2}, Numbers{0}), 0);
}

}  // namespace
}  // namespace slipway::judge
