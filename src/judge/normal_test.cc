#include "judge/normal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipway::judge {
namespace {

TEST(Normal, QuantileIsRs) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_EQ(normal_quantile((1 - 0.95) / 2), -1.9599639845400536);
  EXPECT_EQ(normal_quantile((1 - 0.98) / 2), -2.3263478740408408);
  EXPECT_EQ(normal_quantile(0), -INFINITY);
  EXPECT_EQ(normal_quantile(1), INFINITY);
}

TEST(Normal, QuantileUndoesTheDistribution) {
  for (double z = -37; z <= 4; z += 0.25)
    EXPECT_NEAR(normal_quantile(normal_cdf(z)), z, 1e-11) << z;
}

TEST(Normal, TailsAreExactFarOut) {
  EXPECT_NEAR(normal_upper(10) / 7.619853024160526e-24, 1, 1e-12);
  EXPECT_DOUBLE_EQ(normal_cdf(1.959963984540054), 0.975);
  EXPECT_EQ(normal_cdf(-3), normal_upper(3));
}

}  // namespace
}  // namespace slipway::judge
