#include "judge/several.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace slipway::judge {
namespace {

TEST(SharedAlpha, AddsUpToTheRate) {
  const auto shares = shared_alpha(0.05, std::vector<double>{1, 3, 0, -1, 1});
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(shares[1], 0.03);
  EXPECT_EQ(shares[2], 0);
  EXPECT_EQ(shares[3], 0);
  EXPECT_EQ(shared_alpha(0.05, std::vector<double>{0, 0}), (std::vector<double>{0, 0}));
}

TEST(Holm, GivesTheShareOfAFailureToTheOthers) {
  using Row = std::pair<std::vector<double>, std::vector<bool>>;
  for (const auto& [p, want] : std::vector<Row>{
           {{0.01, 0.02, 0.5}, {true, true, false}},  // 0.02 is over 0.05 / 3 but not over 0.05 / 2
           {{0.02, 0.01, 0.5}, {true, true, false}},
           {{0.02, 0.03, 0.04}, {false, false, false}},
           {{0.01, 0.02, 0.05}, {true, true, true}},
           {{NAN, 0.01, 0.02}, {false, true, true}},
           {{NAN, 0.01, 0.03}, {false, true, false}},
           {{}, {}}}) {
    EXPECT_EQ(fail_by_holm(0.05, p), want);
  }
}

TEST(Holm, NeverFailsLessThanFixedShares) {
  const std::vector<double> weights = {1, 2, 5};
  const std::vector<double> p = {0.004, 0.02, 0.03};
  const auto shares = shared_alpha(0.05, weights);
  const auto fails = fail_by_holm(0.05, p, weights);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] <= shares[i]) EXPECT_TRUE(fails[i]) << i;
  }
}

TEST(EValues, NameThoseThatAreLargeTogether) {
  // Of four, at 0.05: one alone needs 80, two need 40 each.
  EXPECT_EQ(discover_by_e_values(0.05, std::vector<double>{std::log(41), std::log(45), 0, NAN}),
            (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(discover_by_e_values(0.05, std::vector<double>{std::log(41), 0, 0, 0}),
            (std::vector<bool>{false, false, false, false}));
}

}  // namespace
}  // namespace slipway::judge
