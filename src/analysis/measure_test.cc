#include "analysis/measure.h"

#include <gtest/gtest.h>

#include <fstream>

#include "analysis/long_provider.h"
#include "analysis/measure_testing.h"
#include "analysis/phase.h"
#include "base/base64.h"
#include "base/scratch_testing.h"
#include "control/testing/store_fixture.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;
using metrics::Answer;
using std::chrono::seconds;

Metric prometheus(std::string name, std::string query, std::string address = "http://p") {
  Metric metric{.name = std::move(name), .success_condition = "result[0] < 5"};
  metric.provider.prometheus = {.address = std::move(address), .query = std::move(query)};
  return metric;
}

struct MeasureTest : control::StoreFixture {
  static inline const api::Gvr kSecrets{"", "v1", "secrets"};

  void make_secret(std::string ns, std::string name, std::string key, std::string value) {
    json::Object secret = named("Secret", name);
    secret["data"] = json::Object{{key, base64_encode(value)}};
    create(kSecrets, ns, std::move(secret));
  }

  std::vector<Measured> measure(std::vector<Metric> metrics, std::vector<Task> tasks = {},
                                std::stop_token stop = {}) {
    auto run = std::make_shared<AnalysisRun>();
    run->metadata.value = json::Object{{"name", "r"}, {"namespace", "default"}};
    run->spec.metrics = std::move(metrics);
    run->status = status;
    if (tasks.empty())
      for (std::size_t i = 0; i < run->spec.metrics.size(); ++i) tasks.push_back({.metric = i});
    Measurer measurer(*loop, *store, sources.opener(), options, long_providers);
    auto measured = run_to_end(*loop, measurer.measure(run, tasks, stop));
    stats = measurer.stats();
    return measured;
  }
  std::string measured_as(Metric metric) {
    auto all = measure({std::move(metric)});
    if (all.size() != 1) return "nothing";
    const auto& one = all.front().measurement;
    return one.phase + " " + one.value + (one.message.empty() ? "" : ": " + one.message);
  }

  FakeSources sources{*loop};
  MeasurerOptions options = {};
  LongProviders long_providers = {};
  Measurer::Stats stats = {};
  std::optional<api::argo::AnalysisRunStatus> status = {};
};

TEST_F(MeasureTest, AsksAndJudges) {
  auto all = measure({prometheus("m", "up")});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].measurement.phase, kSuccessful);
  EXPECT_EQ(all[0].measurement.value, "[1]");
  EXPECT_EQ(all[0].metadata.at("ResolvedPrometheusQuery"), "up");
  EXPECT_FALSE(all[0].continues);
  EXPECT_EQ(stats.finished.at("Successful"), 1U);
}

TEST_F(MeasureTest, TimesAreWholeSeconds) {
  sources.takes = [](const auto&) { return std::chrono::milliseconds(1700); };
  auto all = measure({prometheus("m", "up")});
  const auto& one = all.at(0).measurement;
  EXPECT_EQ(*one.finished_at - *one.started_at, seconds(1));
  EXPECT_NEAR(stats.seconds, 1.7, 1e-6);
}

TEST_F(MeasureTest, TheMetricsOfARunAreAskedSideBySide) {
  sources.takes = [](const auto&) { return seconds(3); };
  const Time before = loop->clock().now();
  auto all = measure({prometheus("a", "1"), prometheus("b", "2"), prometheus("c", "3")});
  EXPECT_EQ(loop->clock().now() - before, seconds(3));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[2].metric, 2U);
}

TEST_F(MeasureTest, AHangingSourceHoldsUpItselfAlone) {
  sources.takes = [](const auto& asked) {
    return asked.spec.address == "http://slow" ? Duration(std::chrono::hours(9)) : Duration();
  };
  Metric slow = prometheus("slow", "x", "http://slow");
  slow.provider.prometheus->timeout = 20;
  auto all = measure({slow, prometheus("quick", "x")});
  EXPECT_EQ(all.at(0).measurement.message, "no answer within 20s");
  EXPECT_EQ(all.at(0).measurement.phase, kError);
  EXPECT_EQ(all.at(1).measurement.phase, kSuccessful);
}

TEST_F(MeasureTest, OnlySoManyQuestionsToOneSourceAreOpen) {
  sources.takes = [](const auto& asked) {
    return asked.spec.address.starts_with("http://slow/") ? seconds(8) : seconds(0);
  };
  std::vector<Metric> metrics;
  for (int i = 0; i < 2 * SourceAsker::kMaxOfOneSource; ++i)
    metrics.push_back(
        prometheus("m" + std::to_string(i), "x", "http://slow/" + std::to_string(i % 7)));
  metrics.push_back(prometheus("other", "x"));
  auto all = measure(metrics);
  EXPECT_LE(sources.most_open, SourceAsker::kMaxOfOneSource + 1);
  for (const auto& one : all) EXPECT_EQ(one.measurement.phase, kSuccessful);
  EXPECT_EQ(all.back().measurement.finished_at, all.back().measurement.started_at);
}

TEST_F(MeasureTest, WhoDoesNotGetATurnInTimeIsTold) {
  sources.takes = [](const auto&) { return seconds(25); };
  std::vector<Metric> metrics;
  for (int i = 0; i < 3 * SourceAsker::kMaxOfOneSource; ++i)
    metrics.push_back(prometheus("m" + std::to_string(i), "x"));
  auto all = measure(metrics);
  EXPECT_EQ(all.front().measurement.phase, kSuccessful);
  EXPECT_EQ(all.back().measurement.message,
            "not asked within 10s: 128 earlier queries to the same source are still unanswered");
}

TEST_F(MeasureTest, WhatASourceSaysIsNotKeptWithoutEnd) {
  Metric web{.name = "w"};
  web.provider.web = {.url = "http://w"};
  sources.answer = [](const auto&) {
    return Answer{.shape = Answer::Shape::kDocument,
                  .document = json::Value(std::string(20'000'000, 'x'))};
  };
  auto all = measure({web});
  EXPECT_EQ(all.at(0).measurement.phase, kSuccessful);
  EXPECT_LE(all.at(0).measurement.value.size(), Measurer::kMaxValue);
  EXPECT_TRUE(all.at(0).measurement.value.ends_with("…"));
  sources.answer = [](const auto&) -> Result<Answer> {
    return fail(ErrorCode::kInvalid, std::string(1'000'000, 'e'));
  };
  all = measure({web});
  EXPECT_LE(all.at(0).measurement.message.size(), Measurer::kMaxMessage);
}

TEST_F(MeasureTest, ErrorsOfASourceAreItsMeasurement) {
  sources.answer = [](const auto&) -> Result<Answer> {
    return fail(ErrorCode::kTooLarge, "the answer is larger than 32 MiB");
  };
  EXPECT_EQ(measured_as(prometheus("m", "x")), "Error : the answer is larger than 32 MiB");
  Metric traffic{.name = "t"};
  traffic.provider.traffic = {.service = "web", .metric = "errors"};
  EXPECT_EQ(measured_as(traffic), "Error : the answer is larger than 32 MiB");
  EXPECT_EQ(sources.asked.back().spec.address, "default/web");  // of the run's namespace
}

TEST_F(MeasureTest, CredentialsComeFromTheSecretTheDialectNames) {
  Metric newrelic{.name = "n"};
  newrelic.provider.new_relic = {.query = "SELECT 1"};
  EXPECT_EQ(measured_as(newrelic), "Error : secrets \"newrelic\" not found");
  make_secret("default", "newrelic", "account-id", "from the run's namespace");
  (void)measured_as(newrelic);
  EXPECT_EQ(sources.asked.back().spec.credentials->at("account-id"), "from the run's namespace");
  create(kNamespaces, "", named("Namespace", "argo-rollouts"));
  make_secret("argo-rollouts", "newrelic", "account-id", "our own");
  (void)measured_as(newrelic);
  EXPECT_EQ(sources.asked.back().spec.credentials->at("account-id"), "our own");
}

TEST_F(MeasureTest, TheEnvironmentGoesBeforeDatadogsSecret) {
  Metric datadog{.name = "d"};
  datadog.provider.datadog = {.query = "avg:x"};
  make_secret("default", "datadog", "api-key", "k");
  options.environment = [](const std::string&) { return std::string("set"); };
  (void)measured_as(datadog);
  EXPECT_FALSE(sources.asked.back().spec.credentials);
  options.environment = [](const std::string& name) {
    return std::string(name == "DD_API_KEY" ? "set" : "");
  };
  (void)measured_as(datadog);
  EXPECT_TRUE(sources.asked.back().spec.credentials);
}

Metric with_secret_of(std::string ns) {
  Metric metric{.name = "s"};
  metric.provider.source = {.type = "prometheus", .address = "http://p", .query = "x"};
  metric.provider.source->secret_ref = {.name = "creds", .ns = std::move(ns)};
  return metric;
}

TEST_F(MeasureTest, AnotherNamespacesSecretIsNotReadForARun) {
  create(kNamespaces, "", named("Namespace", "other"));
  make_secret("other", "creds", "token", "t");
  EXPECT_EQ(measured_as(with_secret_of("other")),
            "Error : secret 'creds' is in namespace other; a run of namespace default may use its "
            "own namespace's only");
  EXPECT_TRUE(sources.asked.empty());
  options.may_read_other_namespaces = true;
  EXPECT_TRUE(measured_as(with_secret_of("other")).starts_with("Successful"));
}

TEST_F(MeasureTest, FilesAreReadWhereTheyMayBe) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("token");
  std::ofstream(path) << "tok\n";
  Metric metric{.name = "f"};
  metric.provider.source = {.type = "prometheus", .address = "http://p", .query = "x"};
  metric.provider.source->files = {{"token", path}};
  EXPECT_TRUE(measured_as(metric).starts_with("Error : source.files: "));
  options.may_read_files = true;
  EXPECT_TRUE(measured_as(metric).starts_with("Successful"));
  EXPECT_EQ(sources.asked.back().spec.credentials->at("token"), "tok");
}

TEST_F(MeasureTest, BothSidesOfAComparisonAreAskedForOneRange) {
  Metric compare{.name = "c", .interval = {"1m"}};
  compare.provider.compare.emplace();
  compare.provider.compare->control.prometheus = {.address = "http://p", .query = "control"};
  compare.provider.compare->experiment.prometheus = {.address = "http://p", .query = "canary"};
  compare.provider.compare->window = {"10m"};
  compare.provider.compare->step = {"1m"};
  sources.answer = [](const FakeSources::Asked& asked) {
    Answer answer{.series = {{}}};
    for (Time at = asked.query.range->from; at < asked.query.range->to; at += seconds(60))
      answer.series[0].points.push_back({at, asked.query.text == "control" ? 1.0 : 2.0});
    return answer;
  };
  auto all = measure({compare});
  ASSERT_EQ(sources.asked.size(), 4U);
  EXPECT_EQ(sources.asked[0].query.text, "control");
  EXPECT_EQ(sources.asked[0].query.range->from, sources.asked[1].query.range->from);
  EXPECT_EQ(sources.asked[0].query.range->to, sources.asked[1].query.range->to);
  // And what both were before.
  EXPECT_EQ(sources.asked[2].query.text, "control");
  EXPECT_EQ(sources.asked[3].query.text, "canary");
  EXPECT_LT(sources.asked[3].query.range->to, sources.asked[0].query.range->from);
  EXPECT_EQ(all.at(0).metadata.at("ResolvedControlQuery"), "control");
  EXPECT_EQ(all.at(0).metadata.at("ResolvedExperimentQuery"), "canary");
  EXPECT_TRUE(json::at(all.at(0).measurement.samples.value, {"experiment"}));
  EXPECT_FALSE(all.at(0).state.empty());
}

TEST_F(MeasureTest, ASideThatDoesNotAnswerIsTheLooksError) {
  Metric compare{.name = "c", .interval = {"1m"}};
  compare.provider.compare.emplace();
  compare.provider.compare->control.prometheus = {.address = "http://p", .query = "control"};
  compare.provider.compare->experiment.prometheus = {.address = "http://p", .query = "canary"};
  sources.answer = [](const FakeSources::Asked& asked) -> Result<Answer> {
    if (asked.query.text == "canary") return fail(ErrorCode::kUnavailable, "connection refused");
    return number_answer(1);
  };
  auto all = measure({compare});
  EXPECT_EQ(all.at(0).measurement.phase, kError);
  EXPECT_NE(all.at(0).measurement.message.find("connection refused"), std::string::npos);
  EXPECT_TRUE(all.at(0).state.empty());
}

TEST_F(MeasureTest, ASourceThatHasForgottenIsAskedForItsPastAllTheSame) {
  Metric compare{.name = "c", .interval = {"10m"}};
  compare.provider.compare.emplace();
  compare.provider.compare->control.prometheus = {.address = "http://p", .query = "q"};
  compare.provider.compare->experiment.prometheus = {.address = "http://p", .query = "q"};
  compare.provider.compare->control.ago = {"6h"};
  sources.answer = [](const FakeSources::Asked& asked) -> Result<Answer> {
    if (asked.query.range->to - asked.query.range->from > std::chrono::hours(1))
      return fail(ErrorCode::kInvalid, "exceeded maximum resolution");
    Answer answer{.series = {{}}};
    for (Time at = asked.query.range->from; at <= asked.query.range->to; at += seconds(60))
      answer.series[0].points.push_back({at, 1.0});
    return answer;
  };
  auto all = measure({compare});
  EXPECT_EQ(sources.asked.size(), 2U + 4U);
  EXPECT_NE(all.at(0).measurement.phase, kError);
  EXPECT_NE(all.at(0).measurement.message.find("not calibrated: the record spans 0 h"),
            std::string::npos)
      << all.at(0).measurement.message;
}

TEST_F(MeasureTest, StoppedItLeavesOutWhatIsNotFinished) {
  sources.takes = [](const auto&) { return std::chrono::hours(1); };
  std::stop_source stop;
  const auto timer = loop->clock().call_after(seconds(1), [&stop] { stop.request_stop(); });
  EXPECT_TRUE(measure({prometheus("m", "x")}, {}, stop.get_token()).empty());
}

// A provider that takes long, as far as the measurer is concerned.
struct FakeJob final : LongProvider {
  slipway::Task<Measurement> start(AnalysisRun, std::size_t, std::stop_token) override {
    co_return Measurement{.phase = std::string(kRunning), .metadata = {{"job-name", "j"}}};
  }
  slipway::Task<Measurement> resume(AnalysisRun, std::size_t, Measurement last,
                                    std::stop_token) override {
    last.phase = kSuccessful;
    co_return last;
  }
  slipway::Task<Measurement> terminate(AnalysisRun, std::size_t, Measurement last,
                                       std::stop_token) override {
    last.phase = kInconclusive;
    co_return last;
  }
  slipway::Task<Result<>> collect(AnalysisRun, Kept, std::stop_token) override {
    co_return Result<>();
  }
};

TEST_F(MeasureTest, LongProvidersAreStartedResumedAndTerminated) {
  Metric metric{.name = "j"};
  metric.provider.job.emplace();
  EXPECT_EQ(measured_as(metric), "Error : provider.job is not at hand here");
  FakeJob job;
  long_providers.job = &job;
  auto started = measure({metric});
  EXPECT_EQ(started.at(0).measurement.phase, kRunning);
  status.emplace();
  status->metric_results.push_back({.name = "j", .measurements = {started[0].measurement}});
  auto resumed = measure({metric}, {{.kind = Task::Kind::kResume}});
  EXPECT_TRUE(resumed.at(0).continues);
  EXPECT_EQ(resumed.at(0).measurement.phase, kSuccessful);
  EXPECT_EQ(resumed.at(0).measurement.metadata.at("job-name"), "j");
  auto ended = measure({metric}, {{.kind = Task::Kind::kTerminate}});
  EXPECT_EQ(ended.at(0).measurement.phase, kInconclusive);
  EXPECT_EQ(ended.at(0).measurement.message, "Metric Terminated");
}

}  // namespace
}  // namespace slipway::analysis
