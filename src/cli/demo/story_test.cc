#include "cli/demo/story.h"

#include <gtest/gtest.h>

#include <cmath>

#include "api/schema/codec.h"
#include "cli/output.h"

namespace slipway::cli {
namespace {

api::argo::Rollout rollout_of(std::string_view status) {
  const auto document =
      json::read(fmt::format(R"({{"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout",
          "metadata":{{"name":"web","generation":3}},
          "spec":{{"strategy":{{"canary":{{}}}}}},"status":{}}})",
                             status));
  auto rollout = api::decode<api::argo::Rollout>(document.value());
  EXPECT_TRUE(rollout) << rollout.error().text();
  return std::move(*rollout);
}

TEST(DemoEnding, IsWhatTheStatusSaysOfTheNewestSpec) {
  struct Case {
    std::string_view status;
    Ending ending;
  };
  const Case cases[] = {
      {R"({"observedGeneration":"2","phase":"Healthy","stableRS":"a","currentPodHash":"a"})",
       Ending::kUnderWay},
      {R"({"observedGeneration":"3","phase":"Healthy","stableRS":"a","currentPodHash":"a"})",
       Ending::kPromoted},
      {R"({"observedGeneration":"3","phase":"Progressing","stableRS":"a","currentPodHash":"b"})",
       Ending::kUnderWay},
      {R"({"observedGeneration":"3","phase":"Degraded","abort":true,
           "abortedAt":"2026-01-01T00:00:00Z",
           "canary":{"weights":{"canary":{"weight":0},"stable":{"weight":100}}}})",
       Ending::kAborted},
      {R"({"observedGeneration":"3","phase":"Degraded","abort":true,
           "abortedAt":"2026-01-01T00:00:00Z",
           "canary":{"weights":{"canary":{"weight":0},"stable":{"weight":40},
             "additional":[{"weight":60}]}}})",
       Ending::kUnderWay},
      {R"({"observedGeneration":"3","phase":"Paused","controllerPause":true,"pauseConditions":
           [{"reason":"InconclusiveExperiment","startTime":"2026-01-01T00:00:00Z"}]})",
       Ending::kStopped},
      {R"({"observedGeneration":"3","phase":"Paused","controllerPause":true,"pauseConditions":
           [{"reason":"CanaryPauseStep","startTime":"2026-01-01T00:00:00Z"}]})",
       Ending::kUnderWay},
      {R"({"observedGeneration":"3","phase":"Degraded"})", Ending::kStopped}};
  for (const Case& one : cases)
    EXPECT_EQ(ending_of(rollout_of(one.status)), one.ending) << one.status;
}

TEST(DemoFigures, AddUpTheSamplesOfAllLooks) {
  const auto document = json::read(R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisRun",
    "metadata":{"name":"r"},
    "spec":{"metrics":[{"name":"errors","count":5,"provider":{"compare":{"method":"counts",
      "control":{"prometheus":{"query":"a"},"exposure":"b"},
      "experiment":{"prometheus":{"query":"c"},"exposure":"d"}}}}]},
    "status":{"phase":"Failed","metricResults":[{"name":"errors","phase":"Failed","count":2,
      "measurements":[
        {"phase":"Successful","value":"{\"verdict\":\"pass\",\"p\":0.5,\"effect\":{\"ratio\":1.4,\"shift\":0.1}}","samples":
          {"control":[[10,2]],"controlExposure":[[10,200]],
           "experiment":[[10,3]],"experimentExposure":[[10,210]]}},
        {"phase":"Failed",
         "value":"{\"verdict\":\"fail\",\"p\":0.0001,\"effect\":{\"ratio\":20,\"low\":0.1,\"high\":0.4}}","samples":
          {"control":[[20,1]],"controlExposure":[[20,190]],
           "experiment":[[20,60]],"experimentExposure":[[20,200]]}}]}]}})");
  const auto run = api::decode<api::argo::AnalysisRun>(document.value());
  ASSERT_TRUE(run) << run.error().text();
  const Figures figures = figures_of(*run);
  EXPECT_EQ(figures.baseline_errors, 3);
  EXPECT_EQ(figures.baseline_requests, 390);
  EXPECT_EQ(figures.canary_errors, 63);
  EXPECT_EQ(figures.canary_requests, 410);
  EXPECT_EQ(figures.p, 0.0001);
  EXPECT_EQ(figures.ratio, 20);
  EXPECT_DOUBLE_EQ(figures.low, 14);
  EXPECT_DOUBLE_EQ(figures.high, 53);
  EXPECT_EQ(figures.looks, 2);
  EXPECT_EQ(figures.planned, 5);
  EXPECT_EQ(figures_line(figures),
            "look 2 of 5: 3 of 390 requests failed at the baseline, 63 of 410 at the canary "
            "(p 0.0001)");
}

Told told(std::string version, Ending ending) {
  return {.version = std::move(version),
          .wanted = Ending::kPromoted,
          .ending = ending,
          .message = "why",
          .figures = Figures{.baseline_errors = 2,
                             .baseline_requests = 200,
                             .canary_errors = 40,
                             .canary_requests = 200,
                             .p = 1e-9,
                             .ratio = 20,
                             .low = 5.25,
                             .high = 61,
                             .looks = 1,
                             .planned = 5},
          .took = std::chrono::milliseconds(31400),
          .load = {.versions = {{"v1", {.answers = 90}}, {"v3", {.answers = 10, .errors = 2}}},
                   .lost = 1}};
}

TEST(DemoTable, HasTheNumbersAVerdictRestsOn) {
  const auto rows = story_table({told("v3", Ending::kAborted)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1],
            (std::vector<std::string>{"v3", "aborted", "1.0 % → 20.0 %", "×20 (×5.2 to ×61)",
                                      "1e-09", "200 + 200", "1/5", "31 s", "1 of 101"}));
}

TEST(DemoTable, ShowsNothingThatWasNotMeasured) {
  const auto rows = story_table({{.version = "v2"}});
  EXPECT_EQ(rows[1], (std::vector<std::string>{"v2", "not decided", "-", "-", "-", "-", "-", "0 s",
                                               "0 of 0"}));
  EXPECT_EQ(rows[0].size(), rows[1].size());
}

TEST(DemoTable, SaysWhatHappenedInstead) {
  EXPECT_EQ(what_went_wrong({told("v2", Ending::kPromoted)}), "");
  EXPECT_EQ(what_went_wrong({told("v2", Ending::kPromoted), told("v3", Ending::kStopped)}),
            "v3 was to be promoted but was stopped: why");
}

TEST(DemoLoad, CountsBetweenTwoMoments) {
  const LoadCounts before{.versions = {{"v1", {.answers = 10, .errors = 1}}}, .lost = 2};
  const LoadCounts now{
      .versions = {{"v1", {.answers = 10, .errors = 1}}, {"v2", {.answers = 5, .errors = 2}}},
      .lost = 3};
  const LoadCounts counts = since(before, now);
  EXPECT_EQ(counts.versions.size(), 1u);
  EXPECT_EQ(counts.answers(), 5u);
  EXPECT_EQ(counts.lost, 1u);
  EXPECT_EQ(traffic_line(counts, std::chrono::seconds(2)),
            "2 requests a second, v2 100 % (2 failed), 1 lost");
}

}  // namespace
}  // namespace slipway::cli
