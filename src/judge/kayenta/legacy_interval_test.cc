#include "judge/kayenta/legacy_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace slipway::judge::kayenta {
namespace {

using Numbers = std::vector<double>;

// Computed by Kayenta's own solver; equal to the last bit.
TEST(LegacyInterval, IsKayentasToTheBit) {
  struct Case {
    Numbers experiment, control;
    double confidence, low, high, shift;
  };
  const Numbers e1{20, 22, 21, 25, 30};
  const Numbers c1{1, 2.2, 1.1, 2.5, 3};
  const Numbers late{54.9, 54.5, 55.1, 55.6, 57.4};
  const std::vector<Case> cases = {
      {{10, 20, 30, 40}, {1, 2, 3, 4}, .95, 6, 39, 22.5},
      {e1, c1, .95, 17.800043852158087, 27.799943250944256, 20},
      {{10, 12.2, 10.1, 12.5, 23},
       e1,
       .95,
       -17.799961646216403,
       0.999947798555028,
       -10.781220198762492},
      {{2, 2, 2, 2, 3},
       {10, 20.2, 10.1, 20.5, 30},
       .95,
       -27.999942062143035,
       -7.999954026272999,
       -18.07509957130739},
      {{0, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, .95, -0.9999407757644735, 0, 0},
      {{1, 1, 1, 1, 10}, {1, 1, 1, 1, 1}, .95, 0, 8.999933372735033, 0},
      {late, {0, 0, 0, 0, 0}, .95, 54.5, 57.4, 55.10003558628131},
      {{0, 0, 0, 0, 0}, late, .95, -57.4, -54.5, -55.09996451867215},
      {{100, 100, 100, 100, 100, 100, 100, 1, 1, 1},
       Numbers(10, 1),
       .98,
       6.825022991538788e-5,
       99,
       98.99992904170193}};
  for (const auto& c : cases) {
    const auto interval = legacy_interval(c.control, c.experiment, c.confidence);
    ASSERT_TRUE(interval);
    EXPECT_EQ(interval->low, c.low);
    EXPECT_EQ(interval->high, c.high);
    EXPECT_EQ(interval->shift, c.shift);
  }
}

TEST(LegacyInterval, StandardisesTheRankSum) {
  EXPECT_DOUBLE_EQ(legacy_difference(Numbers{1, 2, 3, 4}, Numbers{10, 20, 30, 40}, 0, 0),
                   2.165063509461097);
  EXPECT_DOUBLE_EQ(legacy_difference(Numbers{1, 2, 3, 4}, Numbers{1, 2, 3, 4}, 0, 1), -1);
}

TEST(LegacyInterval, HasNoAnswerWhenAllIsTied) {
  EXPECT_FALSE(legacy_interval(Numbers{1, 1}, Numbers{5, 5}, .95));
  EXPECT_TRUE(std::isnan(legacy_difference(Numbers{1, 1}, Numbers{5, 5}, 4, 0)));
  EXPECT_FALSE(legacy_interval(Numbers{1, 1}, Numbers{5, INFINITY}, .95));
}

}  // namespace
}  // namespace slipway::judge::kayenta
