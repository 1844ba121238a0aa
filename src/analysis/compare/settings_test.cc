#include "analysis/compare/settings.h"

#include <gtest/gtest.h>

#include "analysis/compare/look_testing.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::AnalysisRunSpec;

TEST(Settings, ShareOneRateAmongTheMetricsThatNameNone) {
  AnalysisRunSpec spec;
  for (const char* name : {"a", "b", "explicit", "alone"})
    spec.metrics.push_back(comparing(name, 6));
  spec.metrics[2].provider.compare->alpha = 0.01;
  spec.metrics[3].provider.compare->method = "mann-whitney";
  spec.metrics.push_back({.name = "plain"});
  EXPECT_DOUBLE_EQ(settings_of(spec, 0, 1min)->plan.alpha, 0.025);
  EXPECT_DOUBLE_EQ(settings_of(spec, 1, 1min)->plan.alpha, 0.025);
  EXPECT_DOUBLE_EQ(settings_of(spec, 2, 1min)->plan.alpha, 0.01);
  EXPECT_DOUBLE_EQ(settings_of(spec, 3, 1min)->plan.alpha, 0.05);
}

TEST(Settings, PlanLooksByTheCountAndWithoutOneHoldAtAnyLook) {
  struct Case {
    std::int64_t count;
    const char* sequential;
    judge::Monitoring want;
    bool late;
  };
  using enum judge::Monitoring;
  for (const Case& c : {Case{6, "", kGroupSequential, false},
                        {0, "", kAnytime, true},
                        {6, "anytime", kAnytime, true},
                        {6, "none", kNone, false},
                        {5000, "", kAnytime, true}}) {
    AnalysisRunSpec spec{.metrics = {comparing("m", c.count)}};
    spec.metrics[0].provider.compare->sequential = c.sequential;
    const auto settings = settings_of(spec, 0, 1min);
    ASSERT_TRUE(settings) << settings.error().text();
    EXPECT_EQ(settings->plan.monitoring, c.want) << c.count << c.sequential;
    EXPECT_EQ(settings->plan.late_onset, c.late);
    if (c.count == 6) EXPECT_EQ(settings->plan.planned_looks, 6);
  }
  AnalysisRunSpec endless{.metrics = {comparing("m", 0)}};
  endless.metrics[0].provider.compare->sequential = "gst";
  EXPECT_EQ(settings_of(endless, 0, 1min).error().where, "compare.sequential");
}

TEST(Settings, TakeTauFromTheLongestRangeOfASide) {
  struct Case {
    const char* control;
    const char* experiment;
    Duration step;
    std::optional<double> given;
    double want;
  };
  for (const Case& c :
       {Case{"up", "up", 1min, {}, 1}, Case{"rate(x[5m])", "rate(x[1m])", 1min, {}, 5},
        Case{"rate(x[5m])", "rate(x[5m])", 5min, {}, 1},
        Case{"rate(x[5m])", "rate(x[5m])", 1min, 9, 9},
        Case{"rate(x[5m])", "rate(x[5m])", 1min, 2, 5}}) {
    AnalysisRunSpec spec{.metrics = {comparing("m", 6)}};
    auto& compare = *spec.metrics[0].provider.compare;
    compare.control.prometheus->query = c.control;
    compare.experiment.prometheus->query = c.experiment;
    compare.tau = c.given;
    EXPECT_EQ(settings_of(spec, 0, c.step)->plan.tau, c.want) << c.control;
  }
}

TEST(Settings, HaveAMarginButForCounts) {
  AnalysisRunSpec spec{.metrics = {comparing("m", 6)}};
  auto settings = settings_of(spec, 0, 1min).value();
  EXPECT_EQ(plan_for(settings, judge::Engine::kSignedRank).margin, 0.05);
  EXPECT_EQ(plan_for(settings, judge::Engine::kCounts).margin, 0);
  settings.margin = 0.2;
  EXPECT_EQ(plan_for(settings, judge::Engine::kCounts).margin, 0.2);
}

TEST(Settings, ReadTheGammaOfHwangShihDeCani) {
  AnalysisRunSpec spec{.metrics = {comparing("m", 6)}};
  auto& spending = spec.metrics[0].provider.compare->spending;
  for (const auto& [text, gamma] :
       {std::pair("hsd", -4.0), std::pair("hsd(-2.5)", -2.5), std::pair("hsd(1)", 1.0)}) {
    spending = text;
    const auto settings = settings_of(spec, 0, 1min);
    ASSERT_TRUE(settings) << settings.error().text();
    EXPECT_EQ(settings->plan.spending, judge::Spending::kHwangShihDeCani);
    EXPECT_EQ(settings->plan.gamma, gamma);
  }
  for (const char* text : {"hsd()", "hsd(x)", "hsd(1", "pocock(2)", "late"}) {
    spending = text;
    EXPECT_FALSE(settings_of(spec, 0, 1min)) << text;
  }
}

TEST(CountsPerPoint, AreSecondsForRatesAndOneForAnythingElse) {
  for (const auto& [query, want] :
       {std::pair("sum(rate(x[1m]))", 60.0), std::pair("irate (x[1m])", 60.0),
        std::pair("increase(x[1m])", 1.0), std::pair("error_rate", 1.0),
        std::pair("my_rate(x)", 1.0), std::pair("", 1.0)})
    EXPECT_EQ(counts_per_point(query, 1min), want) << query;
}

}  // namespace
}  // namespace slipway::analysis
