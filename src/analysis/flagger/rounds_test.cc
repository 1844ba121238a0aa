#include "analysis/flagger/rounds.h"

#include <gtest/gtest.h>

namespace slipway::analysis::flagger {
namespace {

TEST(Rounds, CountsTheGoodChecksUntilPromotion) {
  const json::Value match = json::Array{json::Object{{"headers", json::Object{}}}};
  const struct {
    std::string_view what;
    CanaryAnalysis analysis;
    std::string_view provider;
    std::int64_t rounds;
  } cases[] = {
      {"10 20 30 40 50", {.max_weight = 50, .step_weight = 10}, "istio", 5},
      {"30 60, over the maximum", {.max_weight = 50, .step_weight = 30}, "istio", 2},
      {"100 is the default maximum", {.step_weight = 30}, "istio", 4},
      {"listed weights", {.step_weights = {1, 5, 25, 50}}, "istio", 4},
      {"mirrored first", {.max_weight = 50, .step_weight = 25, .mirror = true}, "istio", 3},
      {"A/B", {.iterations = 10, .match = match}, "istio", 10},
      {"blue/green: once more on all traffic", {.iterations = 10}, "istio", 11},
      {"no mesh drops the match", {.iterations = 2, .match = match}, "kubernetes", 3},
      {"no mesh has ten iterations", {.step_weight = 10}, "kubernetes", 11},
      {"nothing advances", {}, "istio", 1},
      {"weights that fall", {.step_weights = {50, 20, 60}}, "istio", 1},
  };
  for (const auto& row : cases)
    EXPECT_EQ(rounds_of(row.analysis, row.provider), row.rounds) << row.what;
}

TEST(Rounds, KnowsWhatNeverAdvances) {
  EXPECT_FALSE(advances({}, "istio"));
  EXPECT_FALSE(advances({.step_weights = {50, 20, 60}}, "istio"));
  EXPECT_TRUE(advances({}, "kubernetes"));
  EXPECT_TRUE(advances({.step_weight = 1}, "istio"));
}

TEST(Rounds, TakesIntervalsAsFlaggerDoes) {
  EXPECT_EQ(interval_of({}), std::chrono::minutes(1));
  EXPECT_EQ(interval_of({.interval = {"soon"}}), std::chrono::minutes(1));
  EXPECT_EQ(interval_of({.interval = {"1s"}}), std::chrono::seconds(10));
  EXPECT_EQ(interval_of({.interval = {"15s"}}), std::chrono::seconds(15));
}

TEST(Rounds, SurvivesNoFailedCheckWithoutThreshold) {
  EXPECT_EQ(threshold_of({}), 1);
  EXPECT_EQ(threshold_of({.threshold = -3}), 1);
  EXPECT_EQ(threshold_of({.threshold = 10}), 10);
}

}  // namespace
}  // namespace slipway::analysis::flagger
