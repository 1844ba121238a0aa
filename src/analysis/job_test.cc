#include "analysis/job.h"

#include <gtest/gtest.h>

#include "analysis/controller_testing.h"
#include "analysis/job_object.h"
#include "analysis/phase.h"
#include "async/sim_loop.h"
#include "store/decode.h"
#include "store/embedded.h"

namespace slipway::analysis {
namespace {

using namespace std::chrono_literals;
using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;

const api::Gvr kJobs{"batch", "v1", "jobs"};
const api::Gvr kPods{"", "v1", "pods"};
constexpr std::string_view kUid = "0c3b6f0e-8d5c-4d0c-9d0e-1f2a3b4c5d6e";

AnalysisRun run_of(std::string name = "smoke") {
  AnalysisRun run;
  run.metadata.value = json::Object{{"name", "web-1"}, {"namespace", "default"}, {"uid", kUid}};
  Metric metric{.name = std::move(name)};
  auto& job = metric.provider.job.emplace();
  job.metadata.value = json::Object{{"labels", json::Object{{"team", "a"}}}};
  job.spec.value = json::read(R"({"backoffLimit":1,"template":{"spec":{"restartPolicy":"Never",
      "containers":[{"name":"main","image":"alpine","command":["true"]}]}}})")
                       .value();
  run.spec.metrics.push_back(std::move(metric));
  run.status.emplace();
  return run;
}

// An API server in trouble.
struct TroubledStore final : control::PassingStore {
  using PassingStore::PassingStore;
  bool down = false;          // nothing is done
  bool refuses = false;       // nothing is made
  bool loses_answer = false;  // what is to be made is made, and nobody told
  std::size_t page = 0;       // at most so many are listed at once

  static std::unexpected<Error> silence() {
    return fail(ErrorCode::kTimeout, "the server does not answer");
  }
  slipway::Task<Result<store::Item>> get(api::Gvr kind, store::Key key) override {
    if (down) co_return silence();
    co_return co_await below_.get(std::move(kind), std::move(key));
  }
  slipway::Task<Result<store::Page>> list(api::Gvr kind, store::ListOptions options) override {
    if (page > 0) options.limit = page;
    return below_.list(std::move(kind), std::move(options));
  }
  slipway::Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                            store::WriteOptions options) override {
    if (down || refuses) co_return silence();
    auto made = co_await below_.create(std::move(kind), std::move(ns), std::move(object),
                                       std::move(options));
    if (loses_answer) co_return silence();
    co_return made;
  }
  slipway::Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                                        store::DeleteOptions options) override {
    if (down) co_return silence();
    co_return co_await below_.remove(std::move(kind), std::move(key), std::move(options));
  }
};

class JobProviderTest : public ::testing::Test {
 protected:
  template <class T>
  T wait(slipway::Task<T> task) {
    return run_to_end(*loop, std::move(task));
  }
  json::Object job_named(const std::string& name) {
    auto item = wait(store->get(kJobs, {"default", name}));
    return item ? store::decode(*item).value() : json::Object();
  }
  // As Kubernetes' Job controller ends one.
  void end_job(const std::string& name, std::string_view type, std::string_view message = "") {
    const bool good = type == "Complete";
    const std::string now = format_time(loop->clock().now());
    json::Object condition{{"type", type}, {"status", "True"}};
    if (!message.empty()) condition["message"] = message;
    const json::Object first{{"type", good ? "SuccessCriteriaMet" : "FailureTarget"},
                             {"status", "True"}};
    json::Object status{{"startTime", now}, {"conditions", json::Array{first, condition}}};
    if (good) status["completionTime"] = now;
    const json::Value body = json::Object{{"status", std::move(status)}};
    auto patched = wait(
        store->patch(kJobs, {"default", name}, {.type = store::PatchType::kMerge, .body = body},
                     {.validation = store::FieldValidation::kIgnore, .subresource = "status"}));
    ASSERT_TRUE(patched) << patched.error().text();
  }

  std::unique_ptr<SimLoop> loop = make_sim_loop();
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<Random> random = seeded_random(1);
  std::unique_ptr<store::EmbeddedStore> store = store::make_memory_store(*loop, *registry, *random);
  JobProvider provider{*store, loop->clock()};
  TroubledStore trouble{*store};
  JobProvider troubled{trouble, loop->clock()};
};

TEST_F(JobProviderTest, StartsAJobOfTheRunsOwn) {
  const AnalysisRun run = run_of();
  const Measurement started = wait(provider.start(run, 0, {}));
  EXPECT_EQ(started.phase, kRunning) << started.message;
  const std::string name = std::string(kUid) + ".smoke.1";
  EXPECT_EQ(started.metadata.at("job-name"), name);
  EXPECT_EQ(started.metadata.at("job-namespace"), "default");
  EXPECT_TRUE(started.resume_at);
  const json::Value job = job_named(name);
  EXPECT_EQ(json::string_at(job, {"metadata", "labels", "analysisrun.argoproj.io/uid"}), kUid);
  EXPECT_EQ(json::string_at(job, {"metadata", "labels", "team"}), "a");
  EXPECT_EQ(json::string_at(job, {"metadata", "annotations", "analysisrun.argoproj.io/name"}),
            "web-1");
  EXPECT_EQ(json::string_at(
                job, {"spec", "template", "metadata", "labels", "analysisrun.argoproj.io/uid"}),
            kUid);
  const auto owner = api::controller_of(job.get_object());
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->kind, "AnalysisRun");
  EXPECT_EQ(owner->uid, kUid);
}

TEST_F(JobProviderTest, FindsAJobThatWasBegunBeforeARestart) {
  const AnalysisRun run = run_of();
  const Measurement first = wait(provider.start(run, 0, {}));
  const Measurement again = wait(provider.start(run, 0, {}));
  EXPECT_EQ(again.phase, kRunning) << again.message;
  EXPECT_EQ(again.metadata, first.metadata);
}

TEST_F(JobProviderTest, AsksForAJobOfWhichItWasNotToldWhetherItWasMade) {
  const AnalysisRun run = run_of();
  trouble.loses_answer = true;
  const Measurement made = wait(troubled.start(run, 0, {}));
  EXPECT_EQ(made.phase, kRunning) << made.message;
  EXPECT_FALSE(job_named(made.metadata.at("job-name")).empty());
  EXPECT_EQ(wait(troubled.resume(run, 0, made, {})).phase, kRunning);
}

TEST_F(JobProviderTest, AsksForItLaterWhileNobodyAnswers) {
  const AnalysisRun run = run_of();
  trouble.down = true;
  Measurement unknown = wait(troubled.start(run, 0, {}));
  EXPECT_EQ(unknown.phase, kRunning) << unknown.message;
  unknown = wait(troubled.resume(run, 0, unknown, {}));
  EXPECT_EQ(unknown.phase, kRunning) << unknown.message;
  trouble.down = false;
  EXPECT_EQ(wait(troubled.resume(run, 0, unknown, {})).phase, kError) << "it was never made";
}

TEST_F(JobProviderTest, FailsWhenAJobWasNotMade) {
  trouble.refuses = true;
  const Measurement refused = wait(troubled.start(run_of(), 0, {}));
  EXPECT_EQ(refused.phase, kError);
  EXPECT_NE(refused.message.find("does not answer"), std::string::npos) << refused.message;
}

TEST_F(JobProviderTest, EndsAsTheJobEnds) {
  for (const auto& [type, phase, message] :
       {std::tuple("Complete", kSuccessful, ""), std::tuple("Failed", kFailed, "too bad")}) {
    AnalysisRun run = run_of();
    run.status->metric_results = {{.name = "smoke", .count = phase == kFailed ? 1 : 0}};
    Measurement running = wait(provider.start(run, 0, {}));
    running = wait(provider.resume(run, 0, running, {}));
    EXPECT_EQ(running.phase, kRunning) << running.message;
    EXPECT_GT(*running.resume_at, *running.started_at);
    end_job(running.metadata.at("job-name"), type, message);
    const Measurement ended = wait(provider.resume(run, 0, running, {}));
    EXPECT_EQ(ended.phase, phase);
    EXPECT_EQ(ended.message, message);
    EXPECT_TRUE(ended.finished_at);
    EXPECT_FALSE(ended.resume_at);
  }
}

TEST_F(JobProviderTest, ComesBackLessOftenTheLongerItTakes) {
  const AnalysisRun run = run_of();
  Measurement running = wait(provider.start(run, 0, {}));
  loop->run_for(200s);
  running = wait(provider.resume(run, 0, running, {}));
  EXPECT_EQ(*running.resume_at - loop->clock().now(), Duration(20s));
}

TEST_F(JobProviderTest, IsInconclusiveWhenAnImageCannotBeHad) {
  const AnalysisRun run = run_of();
  Measurement running = wait(provider.start(run, 0, {}));
  const std::string name = running.metadata.at("job-name");
  json::Object pod =
      json::read(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{}},
      "spec":{"containers":[{"name":"main","image":"nope"}]}})")
          .value()
          .get_object();
  const json::Value job = job_named(name);
  const json::Value* selector = json::at(job, {"spec", "selector", "matchLabels"});
  ASSERT_TRUE(selector) << json::write(job);
  pod["metadata"].get_object()["labels"] = *selector;
  ASSERT_TRUE(wait(store->create(kPods, "default", pod, {})));
  for (const std::string reason : {"ErrImagePull", "ImagePullBackOff", "InvalidImageName"}) {
    const json::Value status =
        json::read(R"({"status":{"containerStatuses":[{"name":"main","image":"nope",
        "imageID":"","ready":false,"restartCount":0,"state":{"waiting":{"reason":")" +
                   reason + R"(","message":"no such image"}}}]}})")
            .value();
    auto patched = wait(store->patch(kPods, {"default", "p"},
                                     {.type = store::PatchType::kMerge, .body = status},
                                     {.subresource = "status"}));
    ASSERT_TRUE(patched) << patched.error().text();
    const Measurement ended = wait(provider.resume(run, 0, running, {}));
    EXPECT_EQ(ended.phase, kInconclusive);
    EXPECT_EQ(ended.message,
              "Pod p, container main has terminal error (" + reason + "): no such image");
  }
}

TEST_F(JobProviderTest, DeletesItsJobWhenTerminated) {
  const AnalysisRun run = run_of();
  const Measurement running = wait(provider.start(run, 0, {}));
  const Measurement ended = wait(provider.terminate(run, 0, running, {}));
  EXPECT_EQ(ended.phase, kInconclusive);
  EXPECT_EQ(ended.message, "Metric Terminated");
  const json::Object job = job_named(running.metadata.at("job-name"));
  EXPECT_TRUE(job.empty() || api::is_deleting(job));
  EXPECT_EQ(wait(provider.terminate(run, 0, running, {})).phase, kInconclusive);
}

TEST_F(JobProviderTest, AsksAgainForADeletionThatWasNotAnswered) {
  const AnalysisRun run = run_of();
  const Measurement running = wait(troubled.start(run, 0, {}));
  trouble.down = true;
  const Measurement still = wait(troubled.terminate(run, 0, running, {}));
  EXPECT_EQ(still.phase, kRunning) << still.message;
  EXPECT_FALSE(still.finished_at);
  trouble.down = false;
  const Measurement ended = wait(troubled.terminate(run, 0, still, {}));
  EXPECT_EQ(ended.message, "Metric Terminated");
  const json::Object job = job_named(running.metadata.at("job-name"));
  EXPECT_TRUE(job.empty() || api::is_deleting(job));
}

TEST_F(JobProviderTest, CollectsAllButTheNewestJobs) {
  trouble.page = 5;
  AnalysisRun run = run_of();
  run.status->metric_results = {{.name = "smoke"}};
  for (int i = 0; i < 12; ++i) {
    ASSERT_EQ(wait(provider.start(run, 0, {})).phase, kRunning);
    end_job(job_name(std::string(kUid), "smoke", i + 1), "Complete");
    ++run.status->metric_results[0].count;
  }
  ASSERT_TRUE(wait(troubled.collect(run, {{"smoke", 10}}, {})));
  for (int i = 1; i <= 12; ++i) {
    const json::Object job = job_named(job_name(std::string(kUid), "smoke", i));
    EXPECT_EQ(job.empty() || api::is_deleting(job), i <= 2) << i;
  }
}

// A slow metric's Job is older than many of a quick one's, and not over.
TEST(JobsThatGo, AreOverAndOldAmongThoseOfTheirMetric) {
  const auto job = [](std::string metric, int number, bool ended) {
    return RunJob{.metric = metric,
                  .created = "2026-01-01T00:00:00Z",
                  .key = {"default", "u." + metric + "." + std::to_string(number)},
                  .ended = ended};
  };
  std::vector<RunJob> jobs{job("slow", 1, true), job("slow", 2, false)};
  for (int i = 1; i <= 11; ++i) jobs.push_back(job("quick", i, i != 2));
  std::vector<std::string> gone;
  for (const auto& key : superfluous(jobs, {{"quick", 9}, {"slow", 1}})) gone.push_back(key.name);
  EXPECT_EQ(gone, (std::vector<std::string>{"u.slow.1", "u.quick.1"}));
  EXPECT_TRUE(superfluous(jobs, {{"quick", 11}}).empty()) << "of the other all stay";
}

// Done at once, and told how many stay.
struct QuickJobs final : LongProvider {
  slipway::Task<Measurement> start(AnalysisRun, std::size_t, std::stop_token) override {
    co_return Measurement{.phase = std::string(kSuccessful)};
  }
  slipway::Task<Measurement> resume(AnalysisRun, std::size_t, Measurement last,
                                    std::stop_token) override {
    co_return last;
  }
  slipway::Task<Measurement> terminate(AnalysisRun, std::size_t, Measurement last,
                                       std::stop_token) override {
    co_return last;
  }
  slipway::Task<Result<>> collect(AnalysisRun, Kept kept, std::stop_token) override {
    told.push_back(std::move(kept));
    co_return Result<>();
  }
  std::vector<Kept> told = {};
};

using JobsOfARun = control::StoreFixture;

TEST_F(JobsOfARun, StayAsManyAsTheirMetricSays) {
  json::Object run = json::read(R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisRun",
      "metadata":{"name":"r"},"spec":{"metrics":[],"measurementRetention":[
        {"metricName":"a","limit":2},{"metricName":"b","limit":3}]}})")
                         ->as_object();
  for (const char* name : {"a", "b", "c"}) {
    json::Value metric = *json::read(R"({"interval":"10s","provider":{"job":{"spec":{"template":
        {"spec":{"restartPolicy":"Never","containers":[{"name":"m","image":"i"}]}}}}}})");
    metric.as_object()["name"] = name;
    run["spec"].as_object()["metrics"].as_array().push_back(std::move(metric));
  }
  create(AnalysisRunReconciler::kKind, "default", std::move(run));
  FakeSources sources{*loop};
  QuickJobs jobs;
  Life life(*loop, *store, *registry, *random, sources, {.job = &jobs});
  life.manager.start();
  loop->run_for(55s);
  life.end();
  ASSERT_FALSE(jobs.told.empty());
  EXPECT_EQ(jobs.told.front(), (Kept{{"a", 2}}));
  EXPECT_EQ(jobs.told.back(), (Kept{{"a", 2}, {"b", 3}}));
}

TEST_F(JobProviderTest, TellsMetricsApartWhoseNamesAreCutAlike) {
  AnalysisRun run = run_of("integration-tests-of-checkout-eu");
  run.spec.metrics.push_back(run_of("integration-tests-of-checkout-us").spec.metrics[0]);
  const Measurement eu = wait(provider.start(run, 0, {}));
  const Measurement us = wait(provider.start(run, 1, {}));
  EXPECT_EQ(us.phase, kRunning) << us.message;
  EXPECT_NE(eu.metadata.at("job-name"), us.metadata.at("job-name"));
  EXPECT_LE(us.metadata.at("job-name").size(), kMaxJobName);
}

TEST_F(JobProviderTest, SaysWhyAJobCannotBe) {
  AnalysisRun run = run_of();
  run.spec.metrics[0].provider.job->spec.value = json::Object{};
  const Measurement refused = wait(provider.start(run, 0, {}));
  EXPECT_EQ(refused.phase, kError);
  EXPECT_NE(refused.message.find("spec.template"), std::string::npos) << refused.message;
  EXPECT_EQ(wait(provider.resume(run_of(), 0, {}, {})).message, "job metadata reference missing");
}

TEST(JobName, FitsALabelByCuttingTheMetric) {
  EXPECT_EQ(job_name(std::string(kUid), "smoke", 3), std::string(kUid) + ".smoke.3");
  const std::string cut = job_name(std::string(kUid), std::string(80, 'm'), 12);
  EXPECT_EQ(cut.size(), kMaxJobName);
  EXPECT_TRUE(cut.ends_with("m.12"));
  // No part of a name ends with a dash.
  EXPECT_EQ(job_name(std::string(kUid), "integration-tests-of-ab-cdef", 3),
            std::string(kUid) + ".integration-tests-of-ab.3");
}

}  // namespace
}  // namespace slipway::analysis
