#include "judge/kayenta/clean.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipway::judge::kayenta {
namespace {

using Numbers = std::vector<double>;

TEST(KayentaClean, DropsOrReplacesMissingPoints) {
  const Numbers points{1, NAN, 3};
  EXPECT_EQ(cleaned(points, {}), (Numbers{1, 3}));
  EXPECT_EQ(cleaned(points, {.nan_strategy = NanStrategy::kReplace}), (Numbers{1, 0, 3}));
  EXPECT_TRUE(cleaned({}, {.remove_outliers = true}).empty());
}

TEST(KayentaClean, DropsWhatLiesBeyondTheFences) {
  struct Case {
    Numbers points;
    double factor;
    Numbers kept;
  };
  for (const auto& c : {Case{{21, 23, 24, 25, 50, 29, 23, 21}, 1.5, {21, 23, 24, 25, 29, 23, 21}},
                        {{1, 1, 1, 5, -1, -1, -1, -5}, 1.5, {1, 1, 1, -1, -1, -1}},
                        {{21, 23, 24, 25, 50, 29, 23, 21}, 30, {21, 23, 24, 25, 50, 29, 23, 21}},
                        // two equal spikes protect each other: P99 is one of them
                        {{1, 1, 1, 1, 1, 1, 50, 50}, 1.5, {1, 1, 1, 1, 1, 1, 50, 50}}}) {
    EXPECT_EQ(cleaned(c.points, {.remove_outliers = true, .outlier_factor = c.factor}), c.kept);
    EXPECT_EQ(cleaned(c.points, {.outlier_factor = c.factor}), c.points);
  }
}

TEST(KayentaClean, InterpolatesPercentilesAsRType7) {
  const Numbers halves{0, .5, 1, 1.5, 2, 2.5, 3, 3.5};
  EXPECT_DOUBLE_EQ(percentile(halves, 5), .175);
  EXPECT_DOUBLE_EQ(percentile(halves, 50), 1.75);
  EXPECT_DOUBLE_EQ(percentile(halves, 100), 3.5);
  EXPECT_DOUBLE_EQ(percentile(Numbers{7}, 99), 7);
}

TEST(KayentaClean, SummarisesASample) {
  const auto summary = summarise(Numbers{1, 1, 1, 10, 10, 10});
  EXPECT_DOUBLE_EQ(summary.mean, 5.5);
  EXPECT_NEAR(summary.std, 4.9295, 1e-4);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.max, 10);
  EXPECT_EQ(summary.count, 6);
  EXPECT_EQ(summarise(Numbers{4}).std, 0);
  EXPECT_EQ(summarise({}).count, 0);
}

}  // namespace
}  // namespace slipway::judge::kayenta
