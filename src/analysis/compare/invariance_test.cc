// What a verdict must not depend on: the unit, the names of the arms, the clock, a restart.
#include <gtest/gtest.h>

#include <set>

#include "analysis/compare/look_testing.h"
#include "api/schema/codec.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::Metric;

struct Scenario {
  std::string method = {};
  std::string deviation = "EITHER";
  std::string sequential = {};
  double shift = 0;
  int salt = 0;
  int looks = 6;
};

Source source(const Scenario& scenario, bool experiment, double scale = 1, Duration moved = {}) {
  return [=](Time at) {
    const Time then = at - moved;
    const bool late = then > kStart + 15min;
    return scale * (10 + noise(then, 2 * scenario.salt + (experiment ? 1 : 0)) +
                    (experiment && late ? scenario.shift : 0));
  };
}

Metric metric_of(const Scenario& scenario) {
  Metric metric = comparing("m", scenario.sequential == "anytime" ? 0 : scenario.looks);
  auto& compare = *metric.provider.compare;
  compare.method = scenario.method;
  compare.deviation = scenario.deviation;
  compare.sequential = scenario.sequential;
  return metric;
}

using Ticked = std::vector<std::string>;  // phases, look by look

Ticked play(const Scenario& scenario, const Metric& metric, const Source& control,
            const Source& experiment, Duration moved = {}, bool restarts = false) {
  Comparison comparison(metric);
  comparison.now += moved;
  comparison.run.status->started_at = kStart + moved;
  Ticked phases;
  for (int i = 0; i < scenario.looks && !is_completed(comparison.run.status->phase); ++i) {
    phases.push_back(comparison.tick(control, experiment).phase);
    if (!restarts) continue;
    // What a store would give back: the status as text.
    const std::string text = json::write(api::encode(comparison.run));
    comparison.run = api::decode<api::argo::AnalysisRun>(json::read(text).value()).value();
  }
  phases.push_back(comparison.run.status->phase);
  return phases;
}

std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  int salt = 10;
  for (const char* method : {"", "signed-rank", "stratified-rank", "mann-whitney", "kayenta"})
    for (const char* deviation : {"EITHER", "HIGH"})
      for (const char* sequential : {"", "anytime"})
        for (double shift : {0.0, 1.5, -1.5}) {
          const bool alone = *method == 'm' || *method == 'k';
          if (alone && *sequential) continue;
          all.push_back({method, deviation, sequential, shift, ++salt});
        }
  return all;
}

std::string name_of(const Scenario& one) {
  return one.method + " " + one.deviation + " " + one.sequential + " " + std::to_string(one.shift);
}

TEST(Invariance, VerdictsDoNotDependOnTheUnit) {
  std::set<std::string> seen;
  for (const Scenario& one : scenarios()) {
    const Metric metric = metric_of(one);
    const Ticked usual = play(one, metric, source(one, false), source(one, true));
    seen.insert(usual.back());
    for (double scale : {1e-9, 1e-3, 1e9})
      EXPECT_EQ(play(one, metric, source(one, false, scale), source(one, true, scale)), usual)
          << name_of(one) << " scaled " << scale;
  }
  EXPECT_EQ(seen.size(), 3u) << "some pass, some fail, some go on";
}

TEST(Invariance, SwappedArmsGiveTheMirroredVerdict) {
  for (Scenario one : scenarios()) {
    Metric metric = metric_of(one);
    metric.provider.compare->margin = 0;
    const Ticked usual = play(one, metric, source(one, false), source(one, true));
    if (one.deviation == "HIGH") metric.provider.compare->deviation = "LOW";
    EXPECT_EQ(play(one, metric, source(one, true), source(one, false)), usual) << name_of(one);
  }
}

TEST(Invariance, VerdictsDoNotDependOnTheClock) {
  for (const Scenario& one : scenarios()) {
    const Metric metric = metric_of(one);
    const Ticked usual = play(one, metric, source(one, false), source(one, true));
    for (Duration moved : {Duration(1s), Duration(13h + 17s)})
      EXPECT_EQ(play(one, metric, source(one, false, 1, moved), source(one, true, 1, moved), moved),
                usual)
          << name_of(one);
  }
}

TEST(Invariance, ARestartAfterEveryLookChangesNothing) {
  for (const Scenario& one : scenarios()) {
    const Metric metric = metric_of(one);
    EXPECT_EQ(play(one, metric, source(one, false), source(one, true), {}, true),
              play(one, metric, source(one, false), source(one, true)))
        << name_of(one);
  }
}

TEST(Bounds, AStatusOfThirtyLooksIsSmall) {
  Scenario one{.looks = 30};
  Comparison comparison(metric_of(one));
  for (int i = 0; i < 30; ++i) comparison.tick(source(one, false), source(one, true));
  EXPECT_EQ(comparison.result().measurements.size(), 30u);
  EXPECT_LT(json::write(api::encode(comparison.run)).size(), 100'000u);
}

TEST(Bounds, ALookTakesSoManyPointsAndNoMore) {
  Metric metric = comparing("m", 6, "24h");
  metric.provider.compare->step = {"1s"};
  const auto range = look_range(metric, nullptr, kStart, kStart + 24h);
  EXPECT_EQ((range.to - range.from) / range.step + 1, static_cast<std::int64_t>(kMaxSamples));
  Comparison comparison(metric);
  const auto value = [](Time at) { return noise(at, 1); };
  const metrics::Range all{.from = kStart, .to = kStart + 2h, .step = 1s};
  comparison.now = kStart + 2h;
  const auto got =
      comparison.judge({.control = answer(all, value), .experiment = answer(all, value)});
  EXPECT_EQ(json::at(got.samples.value, {"control"})->get_array().size(), kMaxSamples);
}

TEST(Bounds, AComparisonWithoutEndLooksEverLessOften) {
  Metric metric = comparing("m", 0);
  metric.provider.compare->step = {"5m"};
  Comparison comparison(metric);
  Scenario one;
  std::size_t judged = 0;
  for (int i = 0; i < 500; ++i)
    judged += comparison.tick(source(one, false), source(one, true)).samples.empty() ? 0 : 1;
  EXPECT_EQ(comparison.run.status->phase, kRunning);
  EXPECT_GT(judged, 256u);
  EXPECT_LT(judged, 400u);
  EXPECT_LT(json::write(comparison.result().state.value).size(), 100'000u);
}

}  // namespace
}  // namespace slipway::analysis
