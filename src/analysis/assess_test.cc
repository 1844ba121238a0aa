#include "analysis/assess.h"

#include <gtest/gtest.h>

#include "analysis/due.h"
#include "analysis/phase.h"

namespace slipway::analysis {
namespace {

using api::IntOrString;
using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;
using api::argo::MetricResult;

const Time kNow = parse_time("2026-03-01T12:00:00Z").value();
using std::chrono::seconds;

Metric metric(std::string name, std::string interval = "60s") {
  return {.name = std::move(name), .interval = {std::move(interval)}};
}
MetricResult result(std::string name, std::string_view last, seconds ago = seconds(0)) {
  return {.name = std::move(name),
          .phase = std::string(kRunning),
          .measurements = {
              {.phase = std::string(last), .started_at = kNow - ago, .finished_at = kNow - ago}}};
}

struct MetricCase {
  std::string rule;
  Metric metric;
  MetricResult result;
  std::string_view running;      // the phase while the run goes on
  std::string_view terminating;  // and while it is being ended
  std::string limit = {};
};

MetricResult counted(std::int32_t failed, std::int32_t streak, std::int32_t count = 0) {
  auto r = result("m", kSuccessful);
  r.failed = failed, r.consecutive_success = streak, r.count = count;
  return r;
}
Metric limited(std::optional<std::int64_t> failures, std::optional<std::int64_t> successes,
               std::optional<std::int64_t> count = {}) {
  auto m = metric("m");
  if (failures) m.failure_limit = IntOrString::of(*failures);
  if (successes) m.consecutive_success_limit = IntOrString::of(*successes);
  if (count) m.count = IntOrString::of(*count);
  return m;
}
MetricResult erring(std::int32_t errors) {
  auto r = result("m", kError);
  r.consecutive_error = errors;
  return r;
}

TEST(Assess, AMetricGoesByItsLimits) {
  const MetricCase cases[] = {
      {"over the failure limit", limited(2, {}), counted(3, 0), kFailed, kFailed,
       "failed (3) > failureLimit (2)"},
      {"at the failure limit", limited(3, {}), counted(3, 0), kRunning, kSuccessful},
      {"failures do not count", limited(-1, 4), counted(30, 3), kRunning, kSuccessful},
      {"over the usual error limit", metric("m"), erring(5), kError, kError,
       "consecutiveErrors (5) > consecutiveErrorLimit (4)"},
      {"at the usual error limit", metric("m"), erring(4), kRunning, kSuccessful},
      {"neither streak nor failures", limited(4, 4), counted(3, 3), kRunning, kSuccessful},
      {"too many failures before a streak", limited(4, 4), counted(5, 3), kFailed, kFailed,
       "failed (5) > failureLimit (4)"},
      {"a streak", limited(4, 4), counted(3, 4), kSuccessful, kSuccessful},
      {"failures go before a streak", limited(4, 4), counted(5, 4), kFailed, kFailed,
       "failed (5) > failureLimit (4)"},
      {"the count without a streak", limited(4, 4, 10), counted(4, 3, 10), kInconclusive,
       kInconclusive},
      {"the count without a streak, failures off", limited(-1, 4, 10), counted(4, 3, 10), kFailed,
       kFailed},
      {"the count not reached", limited(4, 4, 10), counted(4, 3, 9), kRunning, kSuccessful},
      {"the count", limited(0, {}, 3), counted(0, 3, 3), kSuccessful, kSuccessful},
  };
  for (const auto& c : cases) {
    const auto running = assess_metric(c.metric, &c.result, false);
    EXPECT_EQ(running.phase, c.running) << c.rule;
    EXPECT_EQ(running.limit, c.limit) << c.rule;
    EXPECT_EQ(assess_metric(c.metric, &c.result, true).phase, c.terminating) << c.rule;
  }
}

TEST(Assess, AMetricNeverMeasuredIsPendingAndCountsAsGoodWhenTheRunEnds) {
  EXPECT_EQ(assess_metric(metric("m"), nullptr, false).phase, kPending);
  EXPECT_EQ(assess_metric(metric("m"), nullptr, true).phase, kSuccessful);
}

AnalysisRun run_of(std::vector<Metric> metrics) {
  AnalysisRun run;
  run.spec.metrics = std::move(metrics);
  return run;
}
Measured measured(std::size_t index, std::string_view phase, std::string message = {}) {
  return {.metric = index,
          .measurement = {.phase = std::string(phase),
                          .message = std::move(message),
                          .started_at = kNow,
                          .finished_at = kNow}};
}

TEST(Assess, OneFailedMetricEndsTheRunOnTheNextLookAndIsNamed) {
  AnalysisRun run = run_of({metric("run-forever"), metric("failed-metric")});
  auto first =
      assess(run, {}, {measured(0, kSuccessful), measured(1, kFailed, "Provider Error")}, kNow);
  EXPECT_EQ(first.status.phase, kRunning);
  EXPECT_EQ(first.status.metric_results[1].phase, kFailed);
  run.status = first.status;
  EXPECT_TRUE(is_terminating(run));
  auto second = assess(run, {}, {}, kNow);
  EXPECT_EQ(second.status.phase, kFailed);
  EXPECT_EQ(
      second.status.message,
      "Metric \"failed-metric\" assessed Failed due to failed (1) > failureLimit (0): \"Error "
      "Message: Provider Error\"");
  EXPECT_EQ(second.status.completed_at, kNow);
  EXPECT_EQ(second.status.run_summary.count, 2);
  EXPECT_EQ(second.status.run_summary.successful, 1);
  EXPECT_EQ(second.status.run_summary.failed, 1);
}

TEST(Assess, ARunGoesOnUntilWhatIsUnderWayHasBeenEnded) {
  AnalysisRun run = run_of({metric("job")});
  Measured job = measured(0, kRunning);
  job.measurement.finished_at.reset();
  run.status = assess(run, {}, {job}, kNow).status;
  run.spec.terminate = true;
  job.continues = true;
  run.status = assess(run, {}, {job}, kNow).status;
  EXPECT_EQ(run.status->phase, kRunning);
  ASSERT_EQ(decide_due(run, kNow).tasks.size(), 1u);
  EXPECT_EQ(decide_due(run, kNow).tasks[0].kind, Task::Kind::kTerminate);
  job.measurement.phase = kSuccessful;
  EXPECT_EQ(assess(run, {}, {job}, kNow).status.phase, kSuccessful);
}

TEST(Assess, ASingleFailedMetricEndsTheRunAtOnce) {
  const auto done = assess(run_of({metric("m", "")}), {}, {measured(0, kFailed)}, kNow);
  EXPECT_EQ(done.status.phase, kFailed);
  ASSERT_EQ(done.happenings.size(), 2u);
  EXPECT_EQ(done.happenings[0].reason, "MetricFailed");
  EXPECT_EQ(done.happenings[1].reason, "AnalysisRunFailed");
  EXPECT_TRUE(done.happenings[1].warning);
}

TEST(Assess, DryRunMetricsDecideNothing) {
  AnalysisRun run = run_of({metric("a", ""), metric("b", "")});
  const RunRules rules{.dry_run = {{"a", true}, {"b", true}}};
  const auto done = assess(run, rules, {measured(0, kSuccessful), measured(1, kFailed)}, kNow);
  EXPECT_EQ(done.status.phase, kSuccessful);
  EXPECT_EQ(done.status.message, "");
  ASSERT_TRUE(done.status.dry_run_summary);
  EXPECT_EQ(done.status.dry_run_summary->count, 2);
  EXPECT_EQ(done.status.dry_run_summary->successful, 1);
  EXPECT_EQ(done.status.dry_run_summary->failed, 1);
  EXPECT_EQ(done.status.metric_results[1].message,
            "Metric assessed Failed due to failed (1) > failureLimit (0)");
}

TEST(Assess, OfSeveralFailedMetricsTheFirstIsNamed) {
  const AnalysisRun run = run_of({metric("run-forever", ""), metric("failed-metric", "")});
  const std::vector<Measured> failed{measured(0, kFailed), measured(1, kFailed)};
  const auto done = assess(run, {}, failed, kNow);
  EXPECT_EQ(done.status.phase, kFailed);
  EXPECT_EQ(done.status.message,
            "Metric \"run-forever\" assessed Failed due to failed (1) > failureLimit (0)");
  const RunRules rules{.dry_run = {{"run-forever", true}, {"failed-metric", true}}};
  const auto dry = assess(run, rules, failed, kNow);
  EXPECT_EQ(dry.status.phase, kSuccessful);
  EXPECT_EQ(dry.status.message, "");
  ASSERT_TRUE(dry.status.dry_run_summary);
  EXPECT_EQ(dry.status.dry_run_summary->count, 2);
  EXPECT_EQ(dry.status.dry_run_summary->failed, 2);
}

TEST(Assess, FailedIsWorseThanErrorIsWorseThanInconclusive) {
  auto erring = metric("e", "");
  erring.consecutive_error_limit = IntOrString::of(0);
  const auto done =
      assess(run_of({metric("i", ""), erring, metric("f", "")}), {},
             {measured(0, kInconclusive), measured(1, kError), measured(2, kFailed)}, kNow);
  EXPECT_EQ(done.status.phase, kFailed);
  EXPECT_TRUE(done.status.message.starts_with("Metric \"f\" assessed Failed"))
      << done.status.message;
}

TEST(Assess, AnErrorDoesNotCountTowardsTheCount) {
  auto m = metric("m");
  m.count = IntOrString::of(2);
  AnalysisRun run = run_of({m});
  run.status = assess(run, {}, {measured(0, kError)}, kNow).status;
  run.status = assess(run, {}, {measured(0, kSuccessful)}, kNow).status;
  EXPECT_EQ(run.status->metric_results[0].count, 1);
  EXPECT_EQ(run.status->metric_results[0].error, 1);
  EXPECT_EQ(run.status->phase, kRunning);
}

TEST(Assess, KeepsTheLastTenMeasurementsOrAsManyAsTold) {
  for (const auto& [rules, kept] :
       {std::pair(RunRules{}, 10u), std::pair(RunRules{.kept = {{"m", 3}}}, 3u)}) {
    AnalysisRun run = run_of({metric("m")});
    for (int i = 0; i < 15; ++i)
      run.status = assess(run, rules, {measured(0, kSuccessful, std::to_string(i))}, kNow).status;
    ASSERT_EQ(run.status->metric_results[0].measurements.size(), kept);
    EXPECT_EQ(run.status->metric_results[0].measurements.back().message, "14");
    EXPECT_EQ(run.status->metric_results[0].count, 15);
  }
}

// Whatever a rule says, and however many metrics share the object.
TEST(Assess, KeepsSoManyPointsOfLooksAtTheMost) {
  constexpr std::size_t kPointsOfALook = 1000;
  json::Array points;
  for (std::size_t i = 0; i < kPointsOfALook; ++i) points.push_back(json::Array{i, 1});
  Measured look = measured(0, kSuccessful);
  look.measurement.samples.value = json::Object{{"experiment", points}};
  struct Case {
    int metrics;
    RunRules rules;
    std::size_t kept;
  };
  for (const Case& c : {Case{1, {}, 10}, Case{1, {.kept = {{"m0", 200}}}, 10},
                        Case{1, {.kept = {{"m0", 4}}}, 4}, Case{5, {}, 6}}) {
    std::vector<Metric> metrics;
    for (int i = 0; i < c.metrics; ++i) metrics.push_back(metric("m" + std::to_string(i), "1s"));
    AnalysisRun run = run_of(metrics);
    for (int i = 0; i < 12; ++i) {
      std::vector<Measured> looks(static_cast<std::size_t>(c.metrics), look);
      for (std::size_t k = 0; k < looks.size(); ++k) looks[k].metric = k;
      run.status = assess(run, c.rules, looks, kNow).status;
    }
    for (const auto& result : run.status->metric_results)
      EXPECT_EQ(result.measurements.size(), c.kept) << result.name;
  }
}

TEST(Due, NextMeasurementIsDueAnIntervalAfterTheLastEnded) {
  struct Case {
    std::string interval;
    std::string_view last;
    seconds ago;
    std::size_t tasks;
    std::optional<seconds> next;
  };
  for (const Case& c :
       {Case{"60s", kSuccessful, seconds(50), 0, seconds(10)},
        Case{"60s", kSuccessful, seconds(61), 1, {}},
        Case{"60s", kSuccessful, seconds(30), 0, seconds(30)},
        Case{"5m", kError, seconds(120), 1, {}}, Case{"", kError, seconds(120), 1, {}},
        Case{"5m", kError, seconds(0), 0, seconds(10)},
        Case{"", kError, seconds(0), 0, seconds(10)}}) {
    AnalysisRun run = run_of({metric("m", c.interval)});
    run.status.emplace().metric_results = {result("m", c.last, c.ago)};
    const Due due = decide_due(run, kNow);
    EXPECT_EQ(due.tasks.size(), c.tasks) << c.interval << " " << c.last << " " << c.ago.count();
    EXPECT_EQ(due.next, c.next ? std::optional(kNow + *c.next) : std::nullopt);
  }
}

TEST(Due, AMeasurementUnderWayIsResumedWhenItSaysSoAndTerminatedWithTheRun) {
  AnalysisRun run = run_of({metric("m")});
  auto running = result("m", kRunning);
  running.measurements[0].finished_at.reset();
  running.measurements[0].resume_at = kNow + seconds(5);
  run.status.emplace().metric_results = {running};
  EXPECT_TRUE(decide_due(run, kNow).tasks.empty());
  EXPECT_EQ(decide_due(run, kNow).next, kNow + seconds(5));
  ASSERT_EQ(decide_due(run, kNow + seconds(5)).tasks.size(), 1u);
  EXPECT_EQ(decide_due(run, kNow + seconds(5)).tasks[0].kind, Task::Kind::kResume);
  run.status->phase = std::string(kRunning);
  EXPECT_EQ(next_look(run, kNow), kNow + seconds(5));
  run.status->metric_results[0].measurements[0].resume_at.reset();
  EXPECT_EQ(next_look(run, kNow), std::nullopt) << "an event will tell";
  run.spec.terminate = true;
  ASSERT_EQ(decide_due(run, kNow).tasks.size(), 1u);
  EXPECT_EQ(decide_due(run, kNow).tasks[0].kind, Task::Kind::kTerminate);
}

TEST(Due, ADelayBeginsWithTheFirstLook) {
  auto m = metric("m");
  m.initial_delay = {"30s"};
  AnalysisRun run = run_of({m});
  EXPECT_TRUE(decide_due(run, kNow).tasks.empty());
  run.status = assess(run, {}, {}, kNow).status;
  EXPECT_EQ(next_look(run, kNow), kNow + seconds(30));
  EXPECT_EQ(decide_due(run, kNow + seconds(30)).tasks.size(), 1u);
}

TEST(Rules, SayWhatCannotBeRunInArgosWords) {
  const auto refused = [](AnalysisRun run) { return rules_of(run.spec).error().message; };
  EXPECT_EQ(refused(run_of({})), "no metrics specified");
  auto good = metric("m");
  good.provider.prometheus.emplace().query = "up";
  auto twice = good;
  twice.provider.web.emplace();
  EXPECT_EQ(refused(run_of({good, twice})), "metrics[1]: duplicate name 'm'");
  twice.name = "n";
  EXPECT_EQ(refused(run_of({good, twice})), "metrics[1]: multiple providers specified");
  AnalysisRun run = run_of({good});
  run.spec.dry_run = {{.metric_name = "other"}};
  EXPECT_EQ(refused(run), "dryRun[0]: Rule didn't match any metric name(s)");
}

TEST(Expiry, IsOneSecondPastTheTimeToLive) {
  AnalysisRun run = run_of({});
  run.status = {.phase = std::string(kSuccessful), .completed_at = kNow};
  EXPECT_EQ(expiry_of(run), std::nullopt);
  run.spec.ttl_strategy = {.seconds_after_completion = 86400};
  EXPECT_EQ(expiry_of(run), kNow + seconds(86401));
  run.spec.ttl_strategy->seconds_after_success = 5;
  EXPECT_EQ(expiry_of(run), kNow + seconds(6));
}

}  // namespace
}  // namespace slipway::analysis
