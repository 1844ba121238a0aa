#include "analysis/report/evidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/report/plain_text.h"
#include "analysis/report/run_fixture.h"
#include "analysis/report/verdict.h"
#include "analysis/table.h"

namespace slipway::analysis::report {
namespace {

using Side = SampleSeries::Side;

TEST(Evidence, OfAComparisonHasItsLooksAndBothSides) {
  const auto all = evidence_of(run_from(kComparedRun));
  ASSERT_EQ(all.size(), 2U);
  const Evidence& latency = all[0];
  EXPECT_TRUE(latency.compares);
  EXPECT_EQ(latency.method, "stratified-rank");
  EXPECT_EQ(latency.taken, 2);
  EXPECT_EQ(latency.planned, 6);
  EXPECT_EQ(latency.last, 1.5);
  ASSERT_EQ(latency.looks.size(), 2U);
  EXPECT_EQ(latency.looks[1].look, 2);
  EXPECT_EQ(latency.looks[1].z, 3.2);
  EXPECT_EQ(latency.looks[1].boundary, 2.7);
  EXPECT_TRUE(std::isnan(latency.looks[1].log_m));
  ASSERT_EQ(latency.series.size(), 2U);
  EXPECT_EQ(latency.series[0].side, Side::kControl);
  EXPECT_EQ(latency.series[1].side, Side::kExperiment);
  ASSERT_EQ(latency.series[0].points.size(), 3U) << "a point that two looks share counts once";
  EXPECT_EQ(latency.series[0].points[1].value, 1.15) << "and the newer look's value wins";
  ASSERT_EQ(latency.queries.size(), 2U);
  EXPECT_EQ(latency.queries[0].name, "control");
  EXPECT_EQ(latency.queries[0].text, "lat{v=\"a\",hash=\"1\"}") << "as resolved";
}

TEST(Evidence, OfAPlainMetricIsItsNumbersOverTime) {
  const auto all = evidence_of(run_from(kComparedRun));
  const Evidence& errors = all[1];
  EXPECT_FALSE(errors.compares);
  EXPECT_EQ(errors.condition, "result[0] < 0.05");
  EXPECT_EQ(errors.course, (std::vector<double>{0.01, 0.02}));
  ASSERT_EQ(errors.series.size(), 1U);
  EXPECT_EQ(errors.series[0].points.size(), 2U);
  ASSERT_EQ(errors.queries.size(), 1U);
  EXPECT_EQ(errors.queries[0].text, "errors") << "as the spec has it";
}

TEST(Evidence, ShowsConditionsWithTheArgumentsTheyWereJudgedBy) {
  const auto all =
      evidence_of(run_from(R"({apiVersion: argoproj.io/v1alpha1, kind: AnalysisRun, spec: {
      args: [{name: most, value: "5"}, {name: key, valueFrom: {secretKeyRef: {name: s, key: k}}}],
      metrics: [{name: a, successCondition: "result < {{args.most}}"},
                {name: b, failureCondition: "result > {{ args.most }}"},
                {name: c, successCondition: "result == '{{args.key}}' || result < {{args.most}}"},
                {name: d, successCondition: "result < {{args.other}}"}]}})"));
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].condition, "result < 5");
  EXPECT_EQ(all[1].condition, "not (result > 5)");
  EXPECT_EQ(all[2].condition, "result == '{{args.key}}' || result < {{args.most}}");
  EXPECT_EQ(all[3].condition, "result < {{args.other}}");
}

TEST(Evidence, TakesAnythingAStatusMayHold) {
  const char* statuses[] = {
      "{}",
      "{phase: Running}",
      "{metricResults: [{name: x}]}",
      "{metricResults: [{name: x, count: 3, measurements: [{phase: Error, value: 'null'}]}]}",
      "{metricResults: [{name: x, measurements: [{value: '{\"verdict\": 3, \"looks\": [1]}'}]}]}",
      "{metricResults: [{name: x, measurements: [{value: '[1, [2], \"a\", NaN]'}]}]}",
      R"({metricResults: [{name: x, measurements: [{samples: {a: [[1], 2, ["x", 1]]}}]}]})",
      "{metricResults: [{name: x, measurements: [{samples: {pairs: [{name: p, control: [1]}]}}]}]}",
  };
  for (const char* status : statuses) {
    const auto run = run_from(std::string("metadata: {name: r}\nspec: {}\nstatus: ") + status);
    EXPECT_LE(evidence_of(run).size(), 1U) << status;
    EXPECT_FALSE(run_verdict(run).empty()) << status;
  }
}

TEST(Verdict, NamesWhatFailedWithItsNumbers) {
  EXPECT_EQ(run_verdict(run_from(kComparedRun)),
            "Failed: latency: experiment is higher: z 3.2 reached its boundary 2.7; experiment / "
            "control is 1.5; p 0.002; failed (1) > failureLimit (0)");
  EXPECT_EQ(
      run_verdict(run_from(
          "spec: {metrics: [{name: e, check: {expected: {max: 0.05}}}]}\n"
          "status: {phase: Failed, message: 'Metric \"e\" assessed Failed due to failed (1) > "
          "failureLimit (0)', metricResults: [{name: e, phase: Failed, measurements: [{value: "
          "'[0.12]'}]}]}")),
      "Failed: e: 0.12, must be at most 0.05; failed (1) > failureLimit (0)");
  EXPECT_EQ(run_verdict(run_from("spec: {metrics: [{name: a}, {name: b}]}\n"
                                 "status: {phase: Successful, metricResults: []}")),
            "Successful: 2 metrics passed");
  EXPECT_EQ(
      run_verdict(run_from(
          "spec: {metrics: [{name: e}]}\nstatus: {phase: Error, message: 'Metric \"e\" assessed "
          "Error due to consecutiveErrors (5) > consecutiveErrorLimit (4): \"Error Message: "
          "down\"', metricResults: [{name: e, phase: Error, message: down}]}")),
      "Error: e: down; consecutiveErrors (5) > consecutiveErrorLimit (4)");
  EXPECT_EQ(run_verdict(run_from("spec: {}\nstatus: {phase: Error, message: 'no\nmetrics'}")),
            "Error: no metrics");
}

TEST(Verdict, OfSeveralRunsIsTheWorst) {
  std::vector<api::argo::AnalysisRun> runs;
  EXPECT_EQ(worst_phase(runs), "Successful");
  for (const char* phase : {"Successful", "Inconclusive"})
    runs.push_back(run_from(std::string("spec: {}\nstatus: {phase: ") + phase + "}"));
  EXPECT_EQ(worst_phase(runs), "Inconclusive");
  runs.push_back(run_from("spec: {}\nstatus: {phase: Failed}"));
  EXPECT_EQ(worst_phase(runs), "Failed");
}

TEST(Table, HasARowAMetric) {
  EXPECT_EQ(table_of(run_from(kComparedRun)),
            (TableRows{{"METRIC", "LAST", "TREND", "LOOKS", "P OR CONDITION", "VERDICT"},
                       {"latency", "+50.0 %", "▁█", "2/6", "p 0.002", "Failed"},
                       {"error-rate", "0.02", "▁█", "2/2", "result[0] < 0.05", "Successful"}}));
}

TEST(Table, TellsErrorsApartFromLooksThatCount) {
  auto run = run_from(kComparedRun);
  run.status->metric_results[1].error = 1;
  run.status->metric_results[0].error = 3;
  const auto rows = table_of(run);
  EXPECT_EQ(rows[1][3], "2/6, 3 errors");
  EXPECT_EQ(rows[2][3], "2/2, 1 error");
}

// The verdict is what people look for: everything else makes room.
TEST(Table, FitsTheRoomThereIs) {
  auto run = run_from(kComparedRun);
  run.spec.metrics[1].name = run.status->metric_results[1].name = "share-of-requests-that-failed";
  run.spec.metrics[1].success_condition = "result[0] < 0.05 && len(result) > 0";
  const auto width = [](const TableRows& rows) {
    std::size_t total = 0;
    for (std::size_t column = 0; column < rows[0].size(); ++column) {
      std::size_t most = 0;
      for (const auto& row : rows) most = std::max(most, characters(row[column]));
      total += most + (column > 0 ? 3 : 0);
    }
    return total;
  };
  EXPECT_EQ(table_of(run)[2][4], "result[0] < 0.05 && len(result) > 0");
  for (const std::size_t columns : {100U, 80U, 70U, 62U}) {
    const auto rows = table_of(run, {.columns = columns});
    EXPECT_LE(width(rows), columns);
    EXPECT_EQ(rows[2].back(), "Successful");
  }
  EXPECT_EQ(table_of(run, {.columns = 80})[2][0], "share-of-requests-that-…") << "conditions first";
  EXPECT_EQ(table_of(run, {.columns = 40})[0],
            (std::vector<std::string>{"METRIC", "LAST", "LOOKS", "P OR CONDITION", "VERDICT"}));
}

TEST(Table, ShowsHostileNamesAsText) {
  const auto run = run_from("spec: {metrics: [{name: \"a\\e[2Jb\"}]}\nstatus: {phase: Running}");
  const auto rows = table_of(run, {.colour = true, .header = false});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].front(), "a [2Jb");
  EXPECT_EQ(rows[0].back(), "\x1b[1;36mPending\x1b[0m");
}

TEST(Table, HasAnEnd) {
  api::argo::AnalysisRun run;
  for (std::size_t i = 0; i < kMaxTableMetrics + 5; ++i)
    run.spec.metrics.push_back({.name = "m" + std::to_string(i)});
  EXPECT_EQ(table_of(run).size(), kMaxTableMetrics + 2);
  EXPECT_EQ(table_of(run).back().front(), "… and 5 more");
}

}  // namespace
}  // namespace slipway::analysis::report
