#include "analysis/history.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/scratch_testing.h"

namespace slipway::analysis {
namespace {

using std::chrono::seconds;

Time at(int second) { return Time(seconds(1'700'000'000 + second)); }

json::Value samples(std::initializer_list<std::pair<int, double>> points) {
  json::Array list;
  for (const auto& [second, value] : points)
    list.push_back(json::Array{1'700'000'000 + second, value});
  return json::Object{{"control", json::Array()}, {"experiment", std::move(list)}};
}

api::argo::Metric previous_metric(std::string name) {
  api::argo::CompareMetric compare{.control = {.recorded = api::argo::Recorded{{json::Array()}}},
                                   .experiment = {.source = api::argo::SourceMetric{.query = "q"}}};
  return {.name = std::move(name), .provider = {.compare = std::move(compare)}};
}

api::argo::AnalysisRun run_at(int second, std::string phase = "Successful") {
  api::argo::AnalysisRun run;
  run.spec.metrics = {previous_metric("m"), {.name = "threshold"}};
  run.status = api::argo::AnalysisRunStatus{.phase = std::move(phase), .started_at = at(second)};
  run.status->metric_results = {
      {.name = "m",
       .measurements = {{.samples = {samples({{60, 1}, {120, 2}})}},
                        {.samples = {samples({{120, 2}, {180, 3}, {180, 4}})}}}}};
  return run;
}

TEST(History, KeepsTheExperimentsPointsOfASuccessfulRun) {
  History history;
  add(history, "app", "stage-1", run_at(0));
  const auto found = find_previous(history, "app", "stage-1", "m");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run->started, at(0));
  EXPECT_EQ(found->metric->query, "q");
  const std::vector<RecordedPoint> want = {
      {1'700'000'060, 1}, {1'700'000'120, 2}, {1'700'000'180, 3}, {1'700'000'180, 4}};
  EXPECT_EQ(found->metric->points, want);
}

TEST(History, KnowsWhenAMetricRanThatDidNotLookBack) {
  History history;
  add(history, "app", "stage-1", run_at(5));
  const auto found = find_previous(history, "app", "stage-1", "threshold");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run->started, at(5));
  EXPECT_TRUE(found->metric->points.empty());
}

TEST(History, TakesNoRunThatDidNotSucceed) {
  History history;
  for (const char* phase : {"Failed", "Error", "Inconclusive", "Running", ""})
    add(history, "app", "s", run_at(0, phase));
  api::argo::AnalysisRun never = run_at(0);
  never.status.reset();
  add(history, "app", "s", never);
  EXPECT_TRUE(history.runs.empty());
}

TEST(History, IsKeyedByApplicationStageAndMetric) {
  History history;
  add(history, "app", "s", run_at(0));
  EXPECT_FALSE(find_previous(history, "other", "s", "m"));
  EXPECT_FALSE(find_previous(history, "app", "t", "m"));
  EXPECT_FALSE(find_previous(history, "app", "s", "n"));
}

TEST(History, FindsTheNewestAndKeepsFew) {
  History history;
  for (const int second : {10, 40, 20, 30, 5}) add(history, "app", "s", run_at(second));
  add(history, "app", "t", run_at(1));
  EXPECT_EQ(find_previous(history, "app", "s", "m")->run->started, at(40));
  EXPECT_EQ(history.runs.size(), kKeptRuns + 1);
}

TEST(History, GoesBackToARunThatHadTheMetric) {
  History history;
  add(history, "app", "s", run_at(10));
  api::argo::AnalysisRun without = run_at(20);
  without.spec.metrics.erase(without.spec.metrics.begin());
  add(history, "app", "s", without);
  EXPECT_EQ(find_previous(history, "app", "s", "m")->run->started, at(10));
}

TEST(History, IsReadAsItWasWritten) {
  History history;
  add(history, "app", "s", run_at(10));
  const std::string text = format_history(history);
  const auto again = parse_history(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(format_history(*again), text);
  EXPECT_EQ(again->runs.at(0).started, at(10));
}

TEST(History, SaysWhatIsNoHistory) {
  const std::pair<const char*, const char*> cases[] = {
      {"x", "is no history"},
      {"{}", "version: is no history of version 1"},
      {R"({"version":1})", "runs: runs are a list"},
      {R"({"version":1,"runs":[{"started":"soon"}]})", "runs[0].started"},
      {R"({"version":1,"runs":[{"started":"2026-01-02T03:04:05Z"}]})", "metrics are a list"},
      {R"({"version":1,"runs":[{"started":"2026-01-02T03:04:05Z","metrics":[{}]}]})", "has a name"},
      {R"({"version":1,"runs":[{"started":"2026-01-02T03:04:05Z","metrics":[)"
       R"({"name":"a","points":[[1]]}]}]})",
       "a point is [unix seconds, value]"},
  };
  for (const auto& [text, want] : cases) {
    const auto history = parse_history(text);
    ASSERT_FALSE(history) << text;
    EXPECT_NE(history.error().text().find(want), std::string::npos) << history.error().text();
  }
}

TEST(History, AFileIsForItsOwnerAloneAndMayBeMissing) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("history.json");
  EXPECT_TRUE(read_history(path)->runs.empty());
  History history;
  add(history, "app", "s", run_at(10));
  ASSERT_TRUE(write_history(path, history));
  EXPECT_EQ(file::status(path)->mode, 0600u);
  EXPECT_EQ(read_history(path)->runs.size(), 1u);
  ASSERT_TRUE(file::write(path, "half", 0600));
  EXPECT_NE(read_history(path).error().message.find(path), std::string::npos);
}

}  // namespace
}  // namespace slipway::analysis
