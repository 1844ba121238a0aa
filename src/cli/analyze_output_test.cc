#include "cli/analyze_output.h"

#include <gtest/gtest.h>

#include "base/yaml.h"
#include "cli/exit_code.h"

namespace slipway::cli {
namespace {

api::argo::AnalysisRun run_of(const std::string& name, const std::string& phase) {
  const auto documents =
      yaml::read("apiVersion: argoproj.io/v1alpha1\nkind: AnalysisRun\nmetadata: {name: " + name +
                 "}\nspec: {metrics: [{name: errors, successCondition: 'result[0] < 1', provider: "
                 "{}}]}\nstatus: {phase: " +
                 phase + ", metricResults: [{name: errors, phase: " + phase +
                 ", count: 1, measurements: [{phase: " + phase + ", value: '[2]'}]}]}");
  return *api::decode<api::argo::AnalysisRun>(documents->front().value);
}

TEST(AnalyzeOutput, ExitCodesSayWhatThePhaseMeans) {
  const struct {
    const char* phase;
    bool interrupted;
    int code;
    const char* shown;
  } cases[] = {
      {"Successful", false, kExitDone, "Successful"},
      {"Failed", false, kExitFailed, "Failed"},
      {"Inconclusive", false, kExitInconclusive, "Inconclusive"},
      {"Error", false, kExitCannotAsk, "Error"},
      {"Running", false, kExitInconclusive, "Inconclusive"},
      {"Successful", true, kExitInconclusive, "Inconclusive"},
      {"Running", true, kExitInconclusive, "Inconclusive"},
      {"Failed", true, kExitFailed, "Failed"},
  };
  for (const auto& c : cases) {
    const AnalysisOutcome outcome{.runs = {run_of("web", c.phase)}, .interrupted = c.interrupted};
    EXPECT_EQ(exit_code_of(outcome), c.code) << c.phase;
    EXPECT_EQ(phase_of(outcome), c.shown) << c.phase;
  }
}

TEST(AnalyzeOutput, IsWrittenAsContracted) {
  const auto out = to_json({.runs = {run_of("web", "Failed")}});
  EXPECT_EQ(out.at("phase"), "Failed");
  EXPECT_EQ(out.at("message"), "Failed: errors: 2, must hold: result[0] < 1");
  const json::Object& metric = out.at("metrics").at(0).as_object();
  EXPECT_EQ(metric.at("name"), "errors");
  EXPECT_EQ(metric.at("phase"), "Failed");
  EXPECT_EQ(metric.at("message"), "2, must hold: result[0] < 1");
  EXPECT_EQ(metric.at("measurements").at(0).at("value"), "[2]");
}

TEST(AnalyzeOutput, OfSeveralRunsIsTheWorstWithNamesApart) {
  const AnalysisOutcome outcome{.runs = {run_of("web", "Successful"), run_of("api", "Failed")}};
  const auto out = to_json(outcome);
  EXPECT_EQ(out.at("phase"), "Failed");
  EXPECT_EQ(out.at("metrics").at(0).at("name"), "web/errors");
  EXPECT_EQ(out.at("metrics").at(1).at("name"), "api/errors");
  EXPECT_EQ(verdict_of(outcome), "api: Failed: errors: 2, must hold: result[0] < 1");
  EXPECT_EQ(verdict_of({.runs = {run_of("a", "Successful"), run_of("b", "Successful")}}),
            "Successful: 2 analyses passed");
}

TEST(AnalyzeOutput, IsReadBack) {
  const AnalysisOutcome outcome{.runs = {run_of("web", "Successful"), run_of("api", "Failed")}};
  const std::string whole = json::write(to_json(outcome));
  const auto runs = read_runs(whole);
  ASSERT_TRUE(runs) << runs.error().text();
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ((*runs)[1].status->phase, "Failed");
  const auto one = read_runs(json::write(api::encode(outcome.runs[0])));
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_EQ(one->size(), 1U);
  for (const char* wrong : {"", "{}", "kind: ConfigMap", "[1]", "runs: []", "{"})
    EXPECT_FALSE(read_runs(wrong)) << wrong;
}

TEST(AnalyzeOutput, WhatWasNeverMeasuredHasNotPassed) {
  auto run = run_of("web", "Successful");
  run.status->metric_results.front().successful = 1;
  forget_unmeasured(run);
  EXPECT_EQ(run.status->phase, "Successful");
  auto& result = run.status->metric_results.front();
  result.successful = 0;
  result.error = 1;
  forget_unmeasured(run);
  EXPECT_EQ(run.status->phase, "Inconclusive");
  EXPECT_EQ(result.phase, "Inconclusive");
  EXPECT_EQ(result.message, "interrupted before it was measured");
  auto failed = run_of("web", "Failed");
  forget_unmeasured(failed);
  EXPECT_EQ(failed.status->phase, "Failed");
  auto nothing = run_of("web", "Successful");
  nothing.status->metric_results.clear();
  forget_unmeasured(nothing);
  EXPECT_EQ(nothing.status->phase, "Inconclusive");
}

}  // namespace
}  // namespace slipway::cli
