#include "judge/mann_whitney.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace slipway::judge {
namespace {

using Numbers = std::vector<double>;
constexpr auto kLess = Direction::kDecrease;
constexpr auto kBoth = Direction::kEither;
constexpr auto kGreater = Direction::kIncrease;

Numbers times(Numbers values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

Answer ask(const Numbers& control, const Numbers& experiment, Direction direction,
           bool legacy = false) {
  auto answer =
      judge_mann_whitney(control, experiment, {.direction = direction, .legacy_two_sided = legacy});
  EXPECT_TRUE(answer);
  return *answer;
}

TEST(MannWhitney, GivesTheReleasedNumbers) {
  struct Case {
    Numbers experiment, control;
    double u, less, both, greater;
  };
  const Numbers s1{2, 1, 3, 5};
  const std::vector<Case> cases = {
      {s1, {12, 11, 13, 15}, 0, .014285714285714289, .028571428571428577, 1},
      {{12, 11, 13, 15}, s1, 16, 1, .028571428571428577, .014285714285714289},
      {s1, {0, 4, 6, 7}, 5, .24285714285714288, .48571428571428577, .8285714285714285},
      {s1, s1, 8, .6285714285714286, 1, .6285714285714286},
      {s1, {2, 2, 2, 2}, 10, .8571428571428571, .7142857142857143, .3571428571428571},
      {{3, 3, 3, 4, 4, 5}, {1, 2, 2, 3, 3, 3}, 31.5, 1, .043290043290043288, .021645021645021689},
      {{.8, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46},
       {1.15, .88, .90, .74, 1.21},
       35,
       .89676989676989671,
       .2544122544122544,
       .12720612720612723},
      {{4, 5, 6}, {1, 2, 3}, 9, 1, .10000000000000002, .050000000000000044},
      // with ties, `greater` counts the half step below U too
      {{.21, .22, .20, .25, .24, .23, .26, .22, .27, .21, .25},
       {.20, .19, .21, .20, .18, .22, .19, .20, .21, .19, .20},
       111,
       .99993054,
       .00041677,
       .00022539}};
  for (const auto& c : cases) {
    for (const auto& [direction, want] :
         {std::pair{kLess, c.less}, {kBoth, c.both}, {kGreater, c.greater}}) {
      const auto answer = ask(c.control, c.experiment, direction);
      EXPECT_NEAR(*answer.p / want, 1, 3e-5) << to_string(direction) << " U " << c.u;
      EXPECT_EQ(*answer.statistic, c.u);
      EXPECT_EQ(answer.verdict, want <= 0.05 ? Verdict::kFail : Verdict::kPass);
    }
  }
}

TEST(MannWhitney, IsNormalForLargeSamples) {
  Numbers l1(500), l2(600);
  for (std::size_t i = 0; i < l1.size(); ++i) l1[i] = 2 * static_cast<double>(i);
  for (std::size_t i = 0; i < l2.size(); ++i) l2[i] = 2 * static_cast<double>(i) - 41;
  EXPECT_NEAR(*ask(l2, l1, kLess).p, .0024667680407086112, 1e-15);
  EXPECT_NEAR(*ask(l2, l1, kBoth).p, .0049335360814172224, 1e-15);
  EXPECT_NEAR(*ask(l2, l1, kGreater).p, .9975346930458906, 1e-14);
  std::copy_n(l1.begin(), 30, l2.begin());
  EXPECT_NEAR(*ask(l2, l1, kBoth).p, .0038703814239617884, 1e-15);
  EXPECT_EQ(*ask(l1, l1, kBoth).p, 1);
}

TEST(MannWhitney, CorrectsTheTwoSidedPOfTiesUnlessAskedNotTo) {
  struct Case {
    Numbers experiment, control;
    double released, right;
  };
  for (const auto& c : {Case{{0, 0, 0, 1, 2}, Numbers(6, 0), 0, 4.0 / 11},
                        {{0, 0, 1, 2}, Numbers(6, 0), 0, 4.0 / 15},
                        {{0, 1, 2, 3}, Numbers(6, 0), 0, 1.0 / 15},
                        {{2, 1, 3, 5}, Numbers(5, 1), 0, 2.0 / 21},
                        {{0, 0, 0, 1}, Numbers(5, 0), 10.0 / 9, 8.0 / 9}}) {
    EXPECT_NEAR(*ask(c.control, c.experiment, kBoth, true).p, c.released, 1e-14);
    EXPECT_NEAR(*ask(c.control, c.experiment, kBoth, false).p, c.right, 1e-14);
    // sides swapped, the right one stays
    EXPECT_NEAR(*ask(c.experiment, c.control, kBoth, false).p, c.right, 1e-14);
  }
}

// Two distinct values only: go-moremath's lower tail is wrong below the least U, one-sided too.
TEST(MannWhitney, GivesTheReleasedMistakesOnlyWhenAsked) {
  const Numbers zeros(5, 0);
  EXPECT_NEAR(*ask({0, 0, 0, 1}, zeros, kGreater, true).p, 5.0 / 9, 1e-14);
  EXPECT_NEAR(*ask({0, 0, 0, 1}, zeros, kGreater, false).p, 1, 1e-14);
  EXPECT_NEAR(*ask({0, 0, 0, 1}, zeros, kLess, true).p, 4.0 / 9, 1e-14);
}

TEST(MannWhitney, LetsTheReleasedRoundingDecideAtAlpha) {
  Numbers nineteen(19);
  for (std::size_t i = 0; i < nineteen.size(); ++i) nineteen[i] = static_cast<double>(i);
  EXPECT_EQ(ask({4, 5, 6}, {1, 2, 3}, kLess).verdict, Verdict::kPass);
  EXPECT_EQ(ask({1, 2, 3}, {4, 5, 6}, kGreater).verdict, Verdict::kPass);
  EXPECT_EQ(ask(nineteen, {-1}, kLess).verdict, Verdict::kFail);
  EXPECT_EQ(ask(nineteen, {20}, kGreater).verdict, Verdict::kPass);
}

TEST(MannWhitney, SaysWhenThereIsNothingToCompare) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    Numbers control, experiment;
    Verdict verdict;
    std::string reason;
  };
  for (const auto& c : {Case{{}, {}, Verdict::kInconclusive, "no data on either side"},
                        {{}, {1}, Verdict::kInconclusive, "no data for the control"},
                        {{1}, {kNaN}, Verdict::kInconclusive, "no data for the experiment"},
                        {{2, 2}, {2, 2, 2}, Verdict::kPass, "all values are equal"}}) {
    const auto answer = ask(c.control, c.experiment, kBoth);
    EXPECT_EQ(answer.verdict, c.verdict) << c.reason;
    EXPECT_EQ(answer.reason, c.reason);
  }
  const auto answer = ask({1, kNaN, 2, 3, 4}, {5, 6, 7, 8}, kBoth);
  EXPECT_EQ(answer.verdict, Verdict::kFail);
  EXPECT_EQ(answer.control_points, 4);
  EXPECT_NE(answer.reason.find("1 missing"), std::string::npos) << answer.reason;
}

TEST(MannWhitney, RefusesAnAlphaThatIsNone) {
  for (double alpha : {0.0, 1.0, -1.0, std::nan("")}) {
    const auto answer = judge_mann_whitney(Numbers{1}, Numbers{2}, {.alpha = alpha});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().where, "options.alpha");
  }
}

// Verdict and p are the same in any unit; with the sides swapped the two-sided p is the same, too.
TEST(MannWhitney, DependsNeitherOnScaleNorOnWhichSideIsFirst) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    const bool ties = round % 2 == 0;
    Numbers x(1 + random() % 60), y(1 + random() % 60);
    for (auto* side : {&x, &y})
      for (double& value : *side)
        value = static_cast<double>(random() % (ties ? 9 : 1'000'000'007)) / 7 - (ties ? 0.5 : 0);
    for (auto direction : {kLess, kBoth, kGreater}) {
      const auto answer = ask(y, x, direction);
      for (double factor : {1e-9, 1e-3, 3.0, 1e9}) {
        const auto scaled = ask(times(y, factor), times(x, factor), direction);
        EXPECT_EQ(scaled.verdict, answer.verdict);
        EXPECT_EQ(*scaled.p, *answer.p);
        EXPECT_NEAR(scaled.effect.shift, answer.effect.shift * factor,
                    1e-9 * factor * (1 + std::abs(answer.effect.shift)));
      }
      const auto swapped = ask(x, y, mirrored(direction));
      if (direction == kBoth || !ties) {
        EXPECT_NEAR(*swapped.p, *answer.p, 1e-12);
        EXPECT_EQ(swapped.verdict, answer.verdict);
      }
      EXPECT_NEAR(swapped.effect.shift, -answer.effect.shift, 1e-9);
      EXPECT_NEAR(swapped.effect.cles, 1 - answer.effect.cles, 1e-12);
    }
  }
}

}  // namespace
}  // namespace slipway::judge
