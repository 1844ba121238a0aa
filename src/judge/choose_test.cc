#include "judge/choose.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipway::judge {
namespace {

using namespace std::chrono_literals;

const Series kNow = {.times = {60, 120, 180, 240, 300}, .values = {1, 2, 3, 4, 5}};
const Series kSame = {.times = {60.5, 120, 180, 300}, .values = {6, 7, 8, 9}};
const Series kEarlier = {.times = {-86340, -86280, -86220}, .values = {1, 2, 3}};

TEST(Choose, TakesTheEngineThatFitsTheData) {
  EXPECT_EQ(choose_engine(Material::kSeries, kNow, kSame), Engine::kSignedRank);
  EXPECT_EQ(choose_engine(Material::kSeries, kNow, kEarlier), Engine::kStratifiedRank);
  EXPECT_EQ(choose_engine(Material::kSeries, kNow, {}), Engine::kStratifiedRank);
  EXPECT_EQ(choose_engine(Material::kCounts, kNow, kSame), Engine::kCounts);
  EXPECT_EQ(choose_engine(Material::kDistribution, kNow, kEarlier), Engine::kDistribution);
}

TEST(Choose, PairsPointsOfTheSameTime) {
  const Evidence pairs = pair_up(kNow, kSame);
  EXPECT_EQ(pairs.control.points, (std::vector<double>{1, 2, 3, 5}));
  EXPECT_EQ(pairs.experiment.points, (std::vector<double>{6, 7, 8, 9}));
  EXPECT_TRUE(pair_up(kNow, kEarlier).control.points.empty());
}

TEST(Choose, AveragesPodsAtEachTime) {
  const std::vector<Series> pods = {
      {.times = {60, 120, 180}, .values = {1, 2, 3}},
      {.times = {60, 120.1}, .values = {3, NAN}},
      {.times = {120, 240}, .values = {6, 8}},
  };
  const Series mean = mean_by_time(pods);
  EXPECT_EQ(mean.times, (std::vector<double>{60, 120, 180, 240}));
  EXPECT_EQ(mean.values, (std::vector<double>{2, 4, 3, 8}));
  EXPECT_TRUE(mean_by_time({}).times.empty());
}

TEST(Choose, CountsTheLooksOfAStage) {
  EXPECT_EQ(planned_looks(30min, 5min), 6);
  EXPECT_EQ(planned_looks(33min, 5min), 6);
  EXPECT_EQ(planned_looks(1min, 5min), 1);
  EXPECT_EQ(planned_looks(30min, 0s), 1);
  EXPECT_EQ(planned_looks(24h * 365, 1s), kMaxLooks);
}

TEST(Choose, DoesNotMindWhenItIs) {
  Series later = kNow;
  Series same_later = kSame;
  for (Series* series : {&later, &same_later}) {
    for (double& time : series->times) time += 1.7e9;
  }
  EXPECT_EQ(choose_engine(Material::kSeries, later, same_later), Engine::kSignedRank);
  EXPECT_EQ(pair_up(later, same_later).experiment.points, pair_up(kNow, kSame).experiment.points);
}

}  // namespace
}  // namespace slipway::judge
