#include "runtime/workloads/jobs/job_controller.h"

#include <gtest/gtest.h>

#include "runtime/workloads/conditions.h"
#include "runtime/workloads/testing/workload_life.h"

namespace slipway::runtime {
namespace {

json::Object job(std::string_view spec = "{}") {
  json::Object made = json::read(R"({"apiVersion":"batch/v1","kind":"Job",
                                     "metadata":{"name":"pi"}})")
                          ->as_object();
  made["spec"] = *json::read(spec);
  made["spec"].get_object()["template"] = pod_template("{}", "pi:1", "Never");
  return made;
}

struct JobControllerTest : WorkloadLifeFixture {
  static inline const store::Key kPi{"default", "pi"};
  JobControllerTest() {
    node_options.fate = [](const json::Object&) { return FakeNode::Fate::kSucceeds; };
  }
  // Fails the first `count` Pods, then lets them succeed.
  void fail_first(int count) {
    node_options.fate = [this, count](const json::Object& pod) {
      const std::string uid(api::uid_of(pod));
      fated.try_emplace(uid, static_cast<int>(fated.size()) < count ? FakeNode::Fate::kFails
                                                                    : FakeNode::Fate::kSucceeds);
      return fated.at(uid);
    };
  }
  json::Value status() { return read(kJobs, kPi).at("status"); }
  int count(std::string_view field) {
    const json::Value all = status();
    const json::Value* value = json::at(all, {field});
    return value ? static_cast<int>(value->to_number<int>()) : 0;
  }
  // The reason of a condition that is True; empty: it is not.
  std::string said(std::string_view type) {
    const json::Value all = status();
    if (!has_condition(all.as_object(), type, "True")) return "";
    return std::string(condition_in(all.as_object(), type)->at("reason").as_string());
  }
  std::map<std::string, FakeNode::Fate> fated;
};

TEST_F(JobControllerTest, RunsToCompletionWithinParallelism) {
  begin();
  create(kJobs, "default", job(R"({"completions":5,"parallelism":2})"));
  loop->run_for(1min);
  EXPECT_EQ(said("Complete"), "CompletionsReached");
  EXPECT_EQ(count("succeeded"), 5);
  EXPECT_EQ(pods().size(), 5u);
  EXPECT_EQ(most_active, 2);
  for (const PodView& pod : pods()) EXPECT_FALSE(pod.tracked);
  const json::Value now = status();
  EXPECT_TRUE(json::at(now, {"completionTime"}));
  EXPECT_TRUE(json::same(*json::at(now, {"uncountedTerminatedPods"}), json::Object{}));
}

TEST_F(JobControllerTest, TriesAgainAfterTheBackOffUntilItsLimit) {
  begin();
  fail_first(2);
  create(kJobs, "default", job(R"({"backoffLimit":2})"));
  loop->run_for(8s);
  EXPECT_EQ(count("failed"), 1);
  EXPECT_EQ(pods().size(), 1u);
  loop->run_for(2min);
  EXPECT_EQ(count("failed"), 2);
  EXPECT_EQ(said("Complete"), "CompletionsReached");
}

TEST_F(JobControllerTest, FailsWhenItsLimitIsPassed) {
  begin();
  fail_first(100);
  create(kJobs, "default", job(R"({"backoffLimit":1})"));
  loop->run_for(5min);
  EXPECT_EQ(said("Failed"), "BackoffLimitExceeded");
  EXPECT_EQ(count("failed"), 2);
  EXPECT_EQ(pods().size(), 2u);
}

TEST_F(JobControllerTest, FailsAtItsDeadlineAndEndsItsPods) {
  begin();
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kReady; };
  create(kJobs, "default", job(R"({"parallelism":2,"completions":2,"activeDeadlineSeconds":30})"));
  loop->run_for(20s);
  EXPECT_EQ(count("active"), 2);
  EXPECT_EQ(count("ready"), 2);
  loop->run_for(20s);
  EXPECT_EQ(said("Failed"), "DeadlineExceeded");
  EXPECT_EQ(pods().size(), 0u);
  EXPECT_EQ(count("active"), 0);
}

TEST_F(JobControllerTest, GoesAfterItsTime) {
  begin();
  create(kJobs, "default", job(R"({"ttlSecondsAfterFinished":60})"));
  loop->run_for(50s);
  EXPECT_EQ(said("Complete"), "CompletionsReached");
  loop->run_for(20s);
  EXPECT_TRUE(!exists(kJobs, kPi) || api::is_deleting(read(kJobs, kPi).as_object()));
}

TEST_F(JobControllerTest, SuspendedItRunsNothingAndGoesOnLater) {
  begin();
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kReady; };
  create(kJobs, "default", job(R"({"suspend":true})"));
  loop->run_for(10s);
  EXPECT_EQ(pods().size(), 0u);
  EXPECT_EQ(said("Suspended"), "JobSuspended");
  merge(kJobs, kPi, R"({"spec":{"suspend":false}})");
  loop->run_for(10s);
  EXPECT_EQ(count("active"), 1);
  merge(kJobs, kPi, R"({"spec":{"suspend":true}})");
  loop->run_for(10s);
  EXPECT_EQ(pods().size(), 0u);
  EXPECT_EQ(count("failed"), 0);
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kSucceeds; };
  merge(kJobs, kPi, R"({"spec":{"suspend":false}})");
  loop->run_for(10s);
  EXPECT_EQ(said("Complete"), "CompletionsReached");
}

TEST_F(JobControllerTest, IndexedRunsEachIndexOnce) {
  begin();
  create(kJobs, "default", job(R"({"completionMode":"Indexed","completions":4,"parallelism":3})"));
  loop->run_for(1min);
  EXPECT_EQ(said("Complete"), "CompletionsReached");
  EXPECT_EQ(status().at("completedIndexes"), "0-3");
  std::set<int> seen;
  for (const PodView& pod : pods()) EXPECT_TRUE(seen.insert(pod.index).second);
  EXPECT_EQ(seen.size(), 4u);
}

TEST_F(JobControllerTest, APodDeletedBySomebodyIsReplacedAndCountedOnce) {
  begin();
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kReady; };
  create(kJobs, "default", job());
  loop->run_for(5s);
  remove(kPods, pods().front().key);
  loop->run_for(1min);
  EXPECT_EQ(count("failed"), 1);
  EXPECT_EQ(active(), 1);
  EXPECT_EQ(pods().size(), 1u);
}

TEST_F(JobControllerTest, PodsOfADeletedJobAreFree) {
  begin();
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kReady; };
  create(kJobs, "default", job());
  loop->run_for(5s);
  EXPECT_TRUE(pods().front().tracked);
  remove(kJobs, kPi, store::Propagation::kBackground);
  loop->run_for(5s);
  EXPECT_FALSE(pods().front().tracked);  // so the garbage collector can take it
}

TEST_F(JobControllerTest, WhatIsNotCarriedOutIsRefusedAloud) {
  begin();
  create(kJobs, "default",
         job(R"({"completionMode":"Indexed","completions":2,"backoffLimitPerIndex":1})"));
  loop->run_for(5s);
  EXPECT_EQ(pods().size(), 0u);
  EXPECT_EQ(event_reasons(), std::vector<std::string>{"Unsupported"});
}

TEST_F(JobControllerTest, FinishedJobsCauseNoWrites) {
  begin();
  create(kJobs, "default", job());
  loop->run_for(1min);
  const int writes = life->store.writes;
  loop->run_for(1h);
  EXPECT_EQ(life->store.writes, writes);
}

// Whatever write it dies at, each Pod is counted once and none is made too many.
TEST_F(JobControllerTest, DyingAtAnyWriteCountsEachPodOnce) {
  for (int n = 0; n < 24; ++n) {
    SCOPED_TRACE(n);
    begin();
    fated.clear();
    fail_first(1);
    most_active = 0;
    create(kJobs, "default", job(R"({"completions":3,"parallelism":2})"));
    live_twice(n, n % 2 == 0, 2min);
    EXPECT_EQ(said("Complete"), "CompletionsReached");
    EXPECT_EQ(count("succeeded"), 3);
    EXPECT_EQ(count("failed"), 1);
    EXPECT_EQ(pods().size(), 4u);
    EXPECT_LE(most_active, 2);
    end();
    remove(kJobs, kPi);
    for (const PodView& pod : pods()) remove(kPods, pod.key);
    loop->run_for(10s);
  }
}

}  // namespace
}  // namespace slipway::runtime
