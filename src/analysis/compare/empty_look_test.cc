// Looks that bring nothing: no data, or no new point.
#include <gtest/gtest.h>

#include "analysis/compare/look_testing.h"
#include "judge/sequential/plan.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::Measurement;
using api::argo::Metric;

Source calm(int salt) {
  return [salt](Time at) { return 10 + noise(at, salt); };
}
Source nothing() {
  return [](Time) { return std::nan(""); };
}
json::Value value_of(const Measurement& measurement) {
  return json::read(measurement.value).value();
}

// A test that holds at any look has no shares to hand on: the looks it has are for what it judges.
TEST(Look, AfterAnyGapOfAComparisonWithoutEndIsJudged) {
  Metric metric = comparing("m", 0);
  metric.check = {.no_data = "Pass"};
  Comparison comparison(metric);
  comparison.tick(calm(1), calm(2));
  for (int i = 0; i < 3; ++i) comparison.tick(nothing(), nothing());
  json::Value& state = comparison.run.status->metric_results.at(0).state.value;
  EXPECT_FALSE(json::at(state, {"skipped"})) << json::write(state);
  state.as_object()["skipped"] = judge::kMaxLooks;  // as they were counted once
  const Measurement after = comparison.tick(calm(1), calm(2));
  EXPECT_EQ(after.phase, kSuccessful) << after.message;
  EXPECT_EQ(value_of(after).at("look").at("look"), 2);
}

// Of steps that are longer than the interval: every second look finds nothing new.
TEST(Look, WithoutANewPointIsOverAndAtTheEndInconclusiveWhenThereIsTooLittle) {
  for (const auto& [count, last] : {std::pair(3, kInconclusive), std::pair(11, kSuccessful)}) {
    Metric metric = comparing("m", count);
    metric.provider.compare->step = {"10m"};
    Comparison comparison(metric);
    Measurement got;
    for (int i = 1; i <= count; ++i) {
      ASSERT_EQ(comparison.run.status->phase, kRunning) << i;
      got = comparison.tick(calm(1), calm(2));
      if (i == 1 || i % 2 == 0) EXPECT_EQ(value_of(got).at("look").at("look"), i) << got.message;
    }
    EXPECT_TRUE(got.samples.empty());
    EXPECT_EQ(got.phase, last) << got.message;
    EXPECT_EQ(got.message, last == kInconclusive ? "2 points are too few: at least 5 are needed"
                                                 : "no new point yet: one comes every 10m0s");
    EXPECT_EQ(comparison.run.status->phase, last);
  }
}

}  // namespace
}  // namespace slipway::analysis
