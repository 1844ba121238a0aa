#include "judge/sequential/boundary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "judge/normal.h"

namespace slipway::judge {
namespace {

TEST(Boundaries, AreThePublishedOnes) {
  struct Row {
    Spending spending;
    double alpha;
    std::vector<double> want;
  };
  const std::vector<Row> rows = {
      // Two-sided .05 in five looks, Lan and DeMets.
      {Spending::kObrienFleming, 0.025, {4.8769, 3.3570, 2.6803, 2.2898, 2.0310}},
      {Spending::kPocock, 0.025, {2.4380, 2.4268, 2.4102, 2.3966, 2.3860}},
      {Spending::kObrienFleming, 0.05, {3.7496, 2.5399, 2.0160, 1.7201}},
      {Spending::kPocock, 0.05, {2.239, 2.200, 2.165, 2.137, 2.115, 2.097}},
      {Spending::kObrienFleming, 0.05, {4.660, 3.200, 2.552, 2.180, 1.933, 1.755}},
      {Spending::kLinear, 0.05, {2.394, 2.294, 2.200, 2.118, 2.044, 1.979}},
      {Spending::kPocock, 0.05, {2.002, 1.994, 1.980}},
  };
  for (const Row& row : rows) {
    const auto got = planned_boundaries(row.spending, row.alpha, static_cast<int>(row.want.size()));
    ASSERT_EQ(got.size(), row.want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], row.want[i], 6e-4) << to_string(row.spending) << " look " << i + 1;
    }
  }
}

// gsDesign's: gsDesign(k, alpha = 0.025, sfu = sfHSD, sfupar = gamma).
TEST(Boundaries, OfHwangShihDeCaniAreThePublishedOnes) {
  const std::vector<std::pair<double, std::vector<double>>> rows = {
      {-4, {3.0107, 2.5465, 1.9992}}, {-4, {3.2527, 2.9860, 2.6917, 2.3737, 2.0253}}};
  for (const auto& [gamma, want] : rows) {
    const auto got =
        planned_boundaries(Spending::kHwangShihDeCani, 0.025, static_cast<int>(want.size()), gamma);
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], want[i], 6e-5) << "gamma " << gamma << " look " << i + 1;
    }
  }
}

TEST(Boundaries, OfHwangShihDeCaniWithGammaZeroAreLinear) {
  const auto hsd = planned_boundaries(Spending::kHwangShihDeCani, 0.05, 6, 0);
  EXPECT_EQ(hsd, planned_boundaries(Spending::kLinear, 0.05, 6));
  const auto near = planned_boundaries(Spending::kHwangShihDeCani, 0.05, 6, 1e-9);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(near[i], hsd[i], 1e-6);
}

TEST(Boundaries, HoldForThirtyLooks) {
  const auto pocock = planned_boundaries(Spending::kPocock, 0.05, 30);
  EXPECT_NEAR(pocock.front(), 2.772, 1e-3);
  EXPECT_NEAR(pocock.back(), 2.242, 1e-3);
}

TEST(Boundaries, OfOneLookIsTheFixedTest) {
  EXPECT_NEAR(planned_boundaries(Spending::kPocock, 0.05, 1)[0], 1.6448536, 1e-6);
}

// With hardly correlated looks every look stands alone: its boundary is that of its own share.
TEST(Boundaries, FollowTheVarianceThatCame) {
  Boundaries boundaries;
  boundaries.next(1, 0.01);
  EXPECT_NEAR(boundaries.next(1e6, 0.01), -normal_quantile(0.01 / 0.99), 1e-3);
}

TEST(Boundaries, GoOnFromARememberedLook) {
  Boundaries all;
  all.next(2, 0.01);
  const double second = all.next(5, 0.02);
  const double third = all.next(6, 0.01);
  Boundaries resumed;
  resumed.follow(2, -normal_quantile(0.01));
  resumed.follow(5, second);
  EXPECT_NEAR(resumed.next(6, 0.01), third, 1e-7);
}

TEST(Boundaries, HaveNoneWhereNothingIsSpent) {
  Boundaries boundaries;
  EXPECT_TRUE(std::isinf(boundaries.next(1, 0)));
  EXPECT_NEAR(boundaries.next(2, 0.05), 1.6448536, 1e-6);
}

TEST(Spending, SpendsAllAtTheEndAndNothingAtTheBeginning) {
  for (Spending spending : {Spending::kPocock, Spending::kObrienFleming, Spending::kLinear,
                            Spending::kHwangShihDeCani}) {
    EXPECT_EQ(spent_by(spending, 0.05, 0), 0);
    EXPECT_EQ(spent_by(spending, 0.05, 1), 0.05);
    EXPECT_EQ(spent_by(spending, 0.05, 1.5), 0.05);
    EXPECT_LT(spent_by(spending, 0.05, 0.5), 0.05);
  }
}

}  // namespace
}  // namespace slipway::judge
