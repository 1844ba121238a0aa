#include "judge/sequential/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/sequential/counts.h"
#include "judge/sequential/distribution.h"
#include "judge/sequential/engine.h"
#include "judge/sequential/signed_rank.h"

namespace slipway::judge {
namespace {

TEST(Mixture, HasThePublishedValues) {
  const double rho = mixing_variance(100, 0.025);
  EXPECT_NEAR(rho, 12.60056, 1e-5);
  EXPECT_NEAR(log_mixture_either(10, 100, rho), -0.6510052, 1e-6);
  const double one_sided = mixing_variance(100, 0.05);
  EXPECT_NEAR(log_mixture_above(10, 100, one_sided), -0.06502391, 1e-7);
  EXPECT_NEAR(mixture_bound(100, one_sided, 0.05), 27.66071, 1e-5);
}

TEST(Mixture, OfBothDirectionsIsTheirMean) {
  const double rho = mixing_variance(10, 0.025);
  for (double s : {-8.0, 0.0, 3.0}) {
    EXPECT_NEAR(log_mean(log_mixture_above(s, 7, rho), log_mixture_above(-s, 7, rho)),
                log_mixture_either(s, 7, rho), 1e-12);
  }
}

TEST(Mixture, OfTwentyWinsInARow) {
  const double rho = mixing_variance(10.0 / 3, 0.05);
  EXPECT_NEAR(rho, 0.526687830228351, 1e-12);
  EXPECT_NEAR(log_mixture_above(10, 5, rho), 8.564778680930512, 1e-10);
}

TEST(Mixture, CountsRestartsToComeAsOne) {
  EXPECT_NEAR(log_with_restarts(std::log(4), std::vector<double>{std::log(4)}, 4),
              std::log(0.5 * 4 + 0.5 * (4 + 1 + 1 + 1) / 4), 1e-12);
}

TEST(Mixture, OfCountsHasTheKnownValues) {
  struct Row {
    double experiment, control, share, want;
  };
  for (const Row& row : {Row{20, 10, 0.5, 0.73028}, Row{30, 10, 0.5, 3.34942},
                         Row{12, 57, 0.05, 5.0098}, Row{10, 0, 0.5, 4.57105}}) {
    EXPECT_NEAR(log_beta_mixture(row.experiment, row.control, row.share, Direction::kIncrease),
                row.want, 1e-5);
    EXPECT_NEAR(log_beta_mixture(row.control, row.experiment, 1 - row.share, Direction::kDecrease),
                row.want, 1e-5);
  }
  EXPECT_GE(log_beta_mixture(8, 0, 0.5, Direction::kIncrease), std::log(20));
  EXPECT_LT(log_beta_mixture(7, 0, 0.5, Direction::kIncrease), std::log(20));
}

TEST(Mixture, OfCountsIsSmallWhenTheOtherSideHasThem) {
  for (double events : {10.0, 1e3, 1e5, 1e7}) {
    EXPECT_LT(log_beta_mixture(0, events, 0.5, Direction::kIncrease), 0) << events;
    EXPECT_LT(log_beta_mixture(0.9 * events, events, 0.5, Direction::kIncrease), 0.1) << events;
  }
}

// Exposures that vary a little must cost a little only.
TEST(Mixture, OfCountsGoesOnWhenExposuresVary) {
  std::vector<CountWindow> even;
  std::vector<CountWindow> uneven;
  for (int i = 0; i < 10; ++i) {
    even.push_back(
        {.control = 10, .control_exposure = 1000, .experiment = 18, .experiment_exposure = 1000});
    uneven.push_back(even.back());
    uneven.back().control_exposure += i % 3;
  }
  const double same = log_counts_mixture({}, even, 0, Direction::kIncrease);
  EXPECT_GT(same, std::log(20));
  EXPECT_NEAR(log_counts_mixture({}, uneven, 0, Direction::kIncrease), same, 1.5);
}

TEST(SignFlip, CountsAllSigns) {
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector<double>{0.5, 0.5, 0.5}), 1.0 / 8);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector<double>{-0.5, 0.5, 0.5}), 4.0 / 8);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector<double>{0.3, 0, -0.1}), 2.0 / 4);
  EXPECT_DOUBLE_EQ(sign_flip_p({}), 1);
}

TEST(Bands, HaveThePublishedWidth) {
  EXPECT_NEAR(band_constant(0.05), 8.1227, 2e-3);
  EXPECT_NEAR(band_constant(0.025), 8.6226, 2e-3);
  EXPECT_NEAR(band_constant(0.01), 9.2835, 2e-3);
  EXPECT_NEAR(band_width(1000, 100, band_constant(0.05)), 0.08204769, 2e-5);
}

}  // namespace
}  // namespace slipway::judge
