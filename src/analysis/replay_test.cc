#include "analysis/replay.h"

#include <gtest/gtest.h>

#include "analysis/compare/look_testing.h"
#include "analysis/replay_measurement.h"
#include "api/schema/codec.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;

// Eight looks at most, some without data, which is asked for again.
AnalysisRun recorded(Metric metric, double shift, int salt) {
  if (!metric.check) metric.check = {.no_data = "Error"};
  Comparison comparison(std::move(metric));
  for (int i = 0; i < 8 && !is_completed(comparison.run.status->phase); ++i) {
    const bool gap = (salt + i) % 5 == 0;
    comparison.tick([&](Time at) { return gap ? std::nan("") : 10 + noise(at, salt); },
                    [&](Time at) { return 10 + shift + noise(at, salt + 100); });
  }
  return comparison.run;
}

std::string text_of(const api::argo::AnalysisRunStatus& status) {
  AnalysisRun run;
  run.status = status;
  // Where the source was asked is no part of a verdict.
  for (auto& result : run.status->metric_results) result.state = {};
  return json::write(api::encode(run));
}

TEST(Replay, UnderItsOwnSpecGivesTheStatusTheRunHad) {
  int failed = 0;
  for (const char* method : {"", "stratified-rank", "mann-whitney", "kayenta"})
    for (const char* no_data : {"", "Pass", "Fail"})
      for (double shift : {0.0, 0.5, 2.0})
        for (int salt : {1, 2, 3}) {
          Metric metric = comparing("m", 8);
          metric.provider.compare->method = method;
          metric.failure_limit = api::IntOrString::of(2);
          metric.check = {.no_data = no_data};
          const AnalysisRun run = recorded(metric, shift, salt);
          const auto again = replay(run, run.spec);
          ASSERT_TRUE(again) << again.error().text();
          EXPECT_EQ(text_of(*again), text_of(*run.status)) << method << no_data << shift << salt;
          failed += again->phase == kFailed ? 1 : 0;
        }
  EXPECT_GT(failed, 10);
}

TEST(Replay, TakesLooksWithoutANewPointForOver) {
  for (int count : {3, 7}) {
    Metric metric = comparing("m", count);
    metric.provider.compare->step = {"10m"};
    const AnalysisRun run = recorded(metric, 0, 2);
    const auto again = replay(run, run.spec);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(text_of(*again), text_of(*run.status)) << count;
  }
}

TEST(Replay, UnderAnotherSpecJudgesTheSamePointsAnew) {
  Metric metric = comparing("m", 8);
  const AnalysisRun run = recorded(metric, 2.0, 1);
  ASSERT_EQ(run.status->phase, kFailed);
  auto lenient = run.spec;
  lenient.metrics[0].provider.compare->margin = 0.5;
  const auto passed = replay(run, lenient);
  ASSERT_TRUE(passed) << passed.error().text();
  EXPECT_NE(passed->phase, kFailed);
  auto other_way = run.spec;
  other_way.metrics[0].provider.compare->deviation = "LOW";
  EXPECT_NE(replay(run, other_way)->phase, kFailed);
  auto renamed = run.spec;
  renamed.metrics[0].name = "n";
  EXPECT_EQ(replay(run, renamed).error().text(),
            "spec.metrics[0].name: \"n\" is no metric of the recorded run");
}

TEST(Replay, PointsOfSeveralSeriesAreNoMoreWitnessesThanOfOne) {
  Metric metric = comparing("m", 8);
  metric.provider.compare->method = "mann-whitney";
  AnalysisRun run = recorded(metric, 0.2, 2);
  auto accumulating = run.spec;
  accumulating.metrics[0].provider.compare->method = "stratified-rank";
  const auto once = replay(run, accumulating);
  ASSERT_TRUE(once) << once.error().text();
  for (Measurement& one : run.status->metric_results[0].measurements) {
    if (one.samples.empty()) continue;
    for (const char* side : {"control", "experiment"}) {
      json::Array& points = one.samples.value.at(side).as_array();
      const json::Array series = points;
      for (int more = 0; more < 3; ++more)
        points.insert(points.end(), series.begin(), series.end());
    }
  }
  EXPECT_EQ(text_of(*replay(run, accumulating)), text_of(*once));
}

TEST(Replay, NeedsAllLooksOfAComparison) {
  AnalysisRun run = recorded(comparing("m", 8), 0, 1);
  auto& measurements = run.status->metric_results[0].measurements;
  measurements.erase(measurements.begin());
  EXPECT_NE(replay(run, run.spec).error().message.find("only the last 7 are kept"),
            std::string::npos);
}

AnalysisRun plain_run(std::vector<std::pair<std::string, std::string_view>> values) {
  AnalysisRun run;
  Metric metric{.name = "m", .interval = {"1m"}};
  metric.provider.prometheus.emplace().query = "up";
  metric.success_condition = "result[0] < 0.5";
  metric.failure_limit = api::IntOrString::of(1);
  run.spec.metrics.push_back(metric);
  run.status.emplace().phase = kRunning;
  run.status->started_at = kStart;
  Time at = kStart;
  for (auto& [value, phase] : values) {
    at += 1min;
    Measurement one{
        .phase = std::string(phase), .started_at = at, .finished_at = at, .value = value};
    run.status = assess(run, {}, {{.measurement = one}}, at).status;
  }
  return run;
}

TEST(Replay, JudgesPlainValuesByTheConditionsOfTheSpec) {
  const AnalysisRun run =
      plain_run({{"[0.1]", kSuccessful}, {"[0.4]", kSuccessful}, {"[0.2]", kSuccessful}});
  EXPECT_EQ(text_of(*replay(run, run.spec)), text_of(*run.status));
  auto strict = run.spec;
  strict.metrics[0].success_condition = "result[0] < 0.15";
  const auto again = replay(run, strict);
  EXPECT_EQ(again->phase, kFailed);
  EXPECT_EQ(again->metric_results[0].failed, 2);
  auto expected = run.spec;
  expected.metrics[0].check.emplace().expected = {.max = 0.3};
  EXPECT_EQ(replay(run, expected)->metric_results[0].failed, 1);
}

TEST(Replay, PutsArgumentsIn) {
  AnalysisRun run =
      plain_run({{"[0.1]", kSuccessful}, {"[0.4]", kSuccessful}, {"[0.2]", kSuccessful}});
  run.spec.metrics[0].success_condition = "result[0] < {{args.most}}";
  run.spec.args.push_back({.name = "most", .value = "0.5"});
  EXPECT_EQ(text_of(*replay(run, run.spec)), text_of(*run.status));
  auto strict = run.spec;
  strict.args[0].value = "0.15";
  EXPECT_EQ(replay(run, strict)->phase, kFailed);
  strict.args.clear();
  EXPECT_EQ(replay(run, strict).error().message, "failed to resolve {{args.most}}");
}

TEST(Replay, ReadsValuesAsProvidersWriteThem) {
  const std::vector<std::pair<std::string, std::string>> rows = {{"10", "10"},
                                                                 {"[10,11]", "[10,11]"},
                                                                 {"[]", "[]"},
                                                                 {"NaN", "\"NaN\""},
                                                                 {"+Inf", "\"+Inf\""},
                                                                 {"[10 20]", "[10,20]"},
                                                                 {"{\"a\":1}", "{\"a\":1}"},
                                                                 {"all good", "\"all good\""}};
  for (const auto& [value, want] : rows) {
    const auto got = result_of_value(value);
    ASSERT_TRUE(got) << value;
    EXPECT_EQ(json::write(*got), want);
  }
  EXPECT_FALSE(result_of_value("[{a b} x]"));
}

}  // namespace
}  // namespace slipway::analysis
