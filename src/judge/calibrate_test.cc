#include "judge/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "judge/sequential/sequential.h"

namespace slipway::judge {
namespace {

constexpr double kDay = 24 * 3600;

double usual(double time) { return 100 + 30 * std::sin(2 * std::numbers::pi * time / kDay); }

Series made(double from, double to, double factor, Random& random) {
  Series series;
  for (double time = from; time < to; time += 300) {
    series.times.push_back(time);
    series.values.push_back(factor * (usual(time) + 4 * (random.unit() - 0.5)));
  }
  return series;
}

TEST(WithoutSeason, LeavesWhatIsUnusual) {
  auto random = seeded_random(5);
  const Series history = made(0, 21 * kDay, 1, *random);
  const Series now = made(22 * kDay, 22.5 * kDay, 1.5, *random);
  const auto adjusted = without_season(now, history);
  ASSERT_TRUE(adjusted);
  ASSERT_EQ(adjusted->values.size(), now.values.size());
  for (double value : adjusted->values) EXPECT_NEAR(value, 150, 8);
}

TEST(WithoutSeason, SubtractsWhereValuesHaveSigns) {
  const Series history = {.times = {0, 300, kWeekSeconds, kWeekSeconds + 300},
                          .values = {-2, -2, 4, 4}};
  const auto adjusted = without_season({.times = {2 * kWeekSeconds}, .values = {5}}, history);
  ASSERT_TRUE(adjusted);
  EXPECT_DOUBLE_EQ(adjusted->values.at(0), 4);  // the usual is 1, the middle of -2, -2, 4, 4
}

TEST(WithoutSeason, NeedsAWeek) {
  auto random = seeded_random(5);
  EXPECT_FALSE(
      without_season(made(9 * kDay, 9.1 * kDay, 1, *random), made(0, 6.9 * kDay, 1, *random)));
}

Evidence window(const Series& series, double control, double experiment, double length) {
  Evidence evidence;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    const double time = series.times[i];
    if (time >= control && time < control + length) {
      evidence.control.points.push_back(series.values[i]);
    }
    if (time >= experiment && time < experiment + length) {
      evidence.experiment.points.push_back(series.values[i]);
    }
  }
  return evidence;
}

// Yesterday against this morning, eight hours apart: the season alone makes a difference every
// time.
TEST(Calibrate, MeasuresWithTheSeasonOfTheHistory) {
  auto random = seeded_random(9);
  const Series history = made(0, 14 * kDay, 1, *random);
  const Plan plan = {.engine = Engine::kStratifiedRank, .planned_looks = 3};
  const PlaceboPlan placebos = {.offset = 8 * 3600, .look = 3600, .looks = 3};
  const auto calibration = calibrate(plan, history, placebos);
  ASSERT_TRUE(calibration) << calibration.error().text();
  EXPECT_GE(calibration->peaks.size(), kMinPlacebos);

  int plain = 0;
  int calibrated = 0;
  const int runs = 60;
  for (int run = 0; run < runs; ++run) {
    const double begin = 20 * kDay + run * 0.37 * kDay;
    const Series later = made(begin - kDay, begin + kDay, 1, *random);
    auto monitor = Monitor::start(plan);
    double peak = 0;
    for (int look = 0; look < 3; ++look) {
      const double from = begin + look * 3600;
      auto answer = monitor->look(window(later, from - 8 * 3600, from, 3600));
      ASSERT_TRUE(answer);
      peak = std::max(peak, directed(plan.direction, answer->looks[0].z));
    }
    plain += monitor->state().failed;
    calibrated += placebo_p(*calibration, peak) <= 0.05;
  }
  EXPECT_GT(plain, runs / 2);
  EXPECT_LE(calibrated, 8);
}

TEST(Calibrate, KeepsClearOfDeploymentsAndSaysWhenNothingIsLeft) {
  auto random = seeded_random(9);
  const Series history = made(0, 3 * kDay, 1, *random);
  PlaceboPlan placebos = {.offset = 8 * 3600, .look = 3600, .looks = 3};
  const Plan plan = {.engine = Engine::kStratifiedRank};
  EXPECT_TRUE(calibrate(plan, history, placebos));
  placebos.deployments = {{0, 3 * kDay}};
  const auto none = calibrate(plan, history, placebos);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUnavailable);
  placebos.offset = 0;
  EXPECT_EQ(calibrate(plan, history, placebos).error().code, ErrorCode::kInvalid);
}

// Ranks of sides that are all apart reach the same z whenever there are as many points: a placebo
// with fewer would never reach what a run does.
TEST(Calibrate, GivesTheFirstLookThePointsAtBothItsEnds) {
  Series history;
  for (int i = 0; i < 3000; ++i) {
    history.times.push_back(60 * i);
    history.values.push_back(i);
  }
  const Plan plan = {
      .engine = Engine::kStratifiedRank, .direction = Direction::kIncrease, .planned_looks = 1};
  const auto peak = [&](double lead) {
    return calibrate(plan, history, {.offset = 7200, .look = 300, .lead = lead, .looks = 1})
        ->peaks.back();
  };
  Evidence six;
  for (int i = 0; i < 6; ++i) {
    six.control.points.push_back(i);
    six.experiment.points.push_back(100 + i);
  }
  const double z = step(plan, {}, six)->answer.looks.at(0).z;
  EXPECT_LT(peak(0), z);
  EXPECT_DOUBLE_EQ(peak(60), z);
}

TEST(PlaceboP, CountsThosePeaksThatAreAsHigh) {
  const Calibration calibration = {.peaks = {1, 2, 3, 4}};
  EXPECT_DOUBLE_EQ(placebo_p(calibration, 5), 1.0 / 5);
  EXPECT_DOUBLE_EQ(placebo_p(calibration, 3), 3.0 / 5);
  EXPECT_DOUBLE_EQ(placebo_p(calibration, 0), 1);
}

}  // namespace
}  // namespace slipway::judge
