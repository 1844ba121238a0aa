#include "judge/season.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace slipway::judge {
namespace {

constexpr double kDay = 24 * 3600;

double by_day(double time) { return 100 + 30 * std::sin(2 * std::numbers::pi * time / kDay); }

Series days(double count) {
  Series series;
  for (double time = 0; time < count * kDay; time += 300) {
    series.times.push_back(time);
    series.values.push_back(by_day(time));
  }
  return series;
}

TEST(Usual, LiesOnStraightLinesAndGoesOnAtItsEnds) {
  const Usual usual{.from = 100, .step = 10, .values = {1, 3, 2}};
  EXPECT_EQ(usual.at(90), 1);
  EXPECT_EQ(usual.at(100), 1);
  EXPECT_EQ(usual.at(105), 2);
  EXPECT_EQ(usual.at(115), 2.5);
  EXPECT_EQ(usual.at(500), 2);
  EXPECT_TRUE(std::isnan(Usual{}.at(1)));
}

TEST(SeasonOf, IsASmallTableOfWhatBothTimesUsuallyAre) {
  const double experiment = 15 * kDay, control = experiment - kDay / 4;
  const auto season = season_of(days(15), control, experiment, 3600);
  ASSERT_TRUE(season);
  EXPECT_TRUE(season->baseline.ratios);
  EXPECT_NEAR(season->baseline.middle, 100, 1);
  EXPECT_EQ(season->control.values.size(), 5U);  // a quarter of an hour each
  for (double at = 0; at <= 3600; at += 300) {
    EXPECT_NEAR(season->control.at(control + at), by_day(control + at), 0.5);
    EXPECT_NEAR(season->experiment.at(experiment + at), by_day(experiment + at), 0.5);
  }
  EXPECT_LE(season_of(days(15), control, experiment, 3 * kDay)->control.values.size(), kMaxUsual);
}

TEST(SeasonOf, NeedsAWeekAndNoGaps) {
  EXPECT_FALSE(season_of(days(6.9), 6 * kDay, 6.9 * kDay, 3600));
  // A week before the control there is nothing yet.
  EXPECT_FALSE(season_of(days(8), 6 * kDay, 8 * kDay, 3600));
  EXPECT_TRUE(season_of(days(8), 7.5 * kDay, 8 * kDay, 3600));
  EXPECT_FALSE(season_of(days(8), 7.5 * kDay, 8 * kDay, 8 * kDay));
}

TEST(WithoutLevel, LeavesWhatNeighboursDoNotShare) {
  Series series = days(2);
  for (std::size_t i = 0; i < series.values.size(); i += 2) series.values[i] += 2;
  const Series left = without_level(series);
  ASSERT_EQ(left.times, series.times);
  for (std::size_t i = 6; i + 6 < left.values.size(); ++i)
    EXPECT_NEAR(std::abs(left.values[i]), 1, 0.2) << i;
}

TEST(WithoutUsual, KeepsRelativeDifferencesOrLeavesOutWhatHasNoUsual) {
  const Usual usual{.from = 0, .step = 10, .values = {50, std::nan("")}};
  const Series twice{.times = {0, 5}, .values = {100, 100}};
  const Series ratio = without_usual(twice, usual, {.ratios = true, .middle = 80});
  EXPECT_EQ(ratio.values, std::vector<double>({160}));
  EXPECT_EQ(without_usual(twice, usual, {}).values, std::vector<double>({50}));
}

}  // namespace
}  // namespace slipway::judge
