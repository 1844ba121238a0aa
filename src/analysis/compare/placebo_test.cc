#include "analysis/compare/placebo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/compare/look_testing.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::Measurement;
using api::argo::Metric;

// What is compared with six hours ago, by a record of so many days without a release.
Comparison after(double days, const Source& source) {
  Metric metric = comparing("m", 3);
  auto& control = metric.provider.compare->control;
  metric.provider.compare->method = "stratified-rank";
  control.ago = {"6h"};
  json::Array points;
  const auto minutes = static_cast<int>(days * 24 * 60);
  for (int i = minutes; i > 0; --i)
    points.push_back(json::Array{unix_seconds(kStart - i * 1min), source(kStart - i * 1min)});
  control.recorded = api::argo::Recorded{{std::move(points)}};
  return Comparison(metric);
}

Source daily(double height) {
  return [height](Time at) {
    const double day = unix_seconds(at) / 86'400 * 2 * std::numbers::pi;
    return 100 + height * std::sin(day + 1) + noise(at, 1);
  };
}

Measurement last_of(Comparison comparison, const Source& control, const Source& experiment) {
  Measurement last;
  for (int i = 0; i < 3 && !is_completed(comparison.run.status->phase); ++i)
    last = comparison.tick(control, experiment);
  return last;
}

// Six hours apart a day differs from itself every time; without a record nothing tells.
TEST(Placebos, KeepTheTimeOfDayFromFailingARelease) {
  const Source rises = daily(40);
  const Measurement plain = last_of(after(2, rises), rises, rises);
  EXPECT_EQ(plain.phase, kFailed) << plain.message;
  EXPECT_NE(plain.message.find("; not calibrated: the record spans 48 h, a week is needed"),
            std::string::npos)
      << plain.message;
  // A record of little over a week has no room for placebos without the season.
  const Measurement held = last_of(after(7.1, rises), rises, rises);
  EXPECT_EQ(held.phase, kInconclusive) << held.message;
  EXPECT_TRUE(held.message.starts_with("a difference that may be the time of day")) << held.message;
  const Measurement calm = last_of(after(8, rises), rises, rises);
  EXPECT_EQ(calm.phase, kSuccessful) << calm.message;
}

TEST(Placebos, LetAFailureStandThatNoneOfThemReaches) {
  const Source calm = daily(0);
  const Measurement failed = last_of(after(8, calm), calm, [&](Time at) { return calm(at) + 20; });
  EXPECT_EQ(failed.phase, kFailed) << failed.message;
  EXPECT_NE(failed.message.find("without a release hardly one reached"), std::string::npos)
      << failed.message;
  EXPECT_EQ(last_of(after(8, calm), calm, calm).phase, kSuccessful);
}

TEST(Placebos, LimitIsWhatIsToBeExceededForTheRate) {
  judge::Calibration calibration;
  for (int i = 1; i <= 199; ++i) calibration.peaks.push_back(i);
  for (double alpha : {0.05, 0.01, 0.005}) {
    const double limit = placebo_limit(calibration, alpha);
    EXPECT_LE(judge::placebo_p(calibration, limit + 0.5), alpha);
    EXPECT_GT(judge::placebo_p(calibration, limit), alpha);
  }
  EXPECT_EQ(placebo_limit(calibration, 0.0001), 199);
}

}  // namespace
}  // namespace slipway::analysis
