#include "runtime/workloads/replica_set_controller.h"

#include <gtest/gtest.h>

#include "runtime/workloads/testing/workload_fixture.h"

namespace slipway::runtime {
namespace {

struct ReplicaSetControllerTest : WorkloadFixture {
  void begin() {
    life = std::make_unique<ReplicaSetLife>(*loop, *store, *registry, *random);
    life->manager.start();
  }
  // News of Pods takes this long.
  void begin_late(Duration lag) {
    life = std::make_unique<ReplicaSetLife>(*loop, *store, *registry, *random);
    life->store.late_kind = "pods";
    life->store.lag = lag;
    life->manager.start();
  }
  void end() {
    if (life) life->end();
    life.reset();
  }
  ~ReplicaSetControllerTest() override { end(); }

  json::Value status(std::string name = "web") {
    return read(kReplicaSets, {"default", std::move(name)}).at("status");
  }
  int status_of(std::string_view field, std::string name = "web") {
    const json::Value all = status(std::move(name));
    const json::Value* value = json::at(all, {field});
    return value ? static_cast<int>(value->to_number<int>()) : 0;
  }

  std::unique_ptr<ReplicaSetLife> life;
};

TEST_F(ReplicaSetControllerTest, MakesPodsUntilThereAreEnoughAndSaysSo) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 3));
  loop->run_for(10s);
  const auto made = pods();
  ASSERT_EQ(made.size(), 3u);
  for (const PodView& pod : made) {
    EXPECT_TRUE(pod.key.name.starts_with("web-")) << pod.key.name;
    EXPECT_EQ(pod.key.name.size(), 9u);
    EXPECT_EQ(pod.controller_kind, "ReplicaSet");
  }
  EXPECT_TRUE(json::same(status(), *json::read(R"({"replicas":3,"fullyLabeledReplicas":3,
      "readyReplicas":3,"availableReplicas":3,"observedGeneration":1})")))
      << json::write(status());
  EXPECT_EQ(event_reasons(), (std::vector<std::string>(3, "SuccessfulCreate")));
}

TEST_F(ReplicaSetControllerTest, ScalesDownToTheCount) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 5));
  loop->run_for(10s);
  merge(kReplicaSets, {"default", "web"}, R"({"spec":{"replicas":2}})");
  loop->run_for(10s);
  EXPECT_EQ(pods().size(), 2u);
  EXPECT_EQ(status_of("replicas"), 2);
  EXPECT_EQ(status_of("observedGeneration"), 2);
  merge(kReplicaSets, {"default", "web"}, R"({"spec":{"replicas":0}})");
  loop->run_for(10s);
  EXPECT_EQ(pods().size(), 0u);
  EXPECT_TRUE(json::same(status(), *json::read(R"({"replicas":0,"observedGeneration":3})")));
}

TEST_F(ReplicaSetControllerTest, TriesAgainWhereADeletionMeetsAConflict) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 5));
  loop->run_for(10s);
  merge(kReplicaSets, {"default", "web"}, R"({"spec":{"replicas":2}})");
  life->store.conflicts = 4;
  loop->run_for(10s);
  EXPECT_EQ(life->store.conflicts, 0);
  EXPECT_EQ(pods().size(), 2u);
  EXPECT_EQ(status_of("replicas"), 2);
}

TEST_F(ReplicaSetControllerTest, ReplacesWhatIsDeletedOrFails) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 2));
  loop->run_for(10s);
  const auto before = pods();
  remove(kPods, before[0].key);
  merge(kPods, before[1].key, R"({"status":{"phase":"Failed"}})", "status");
  loop->run_for(10s);
  EXPECT_EQ(active(), 2);
  EXPECT_EQ(status_of("readyReplicas"), 2);
  EXPECT_FALSE(exists(kPods, before[0].key));
  EXPECT_TRUE(exists(kPods, before[1].key));  // whoever failed is kept to be looked at
}

TEST_F(ReplicaSetControllerTest, AdoptsMatchingOrphansAndReleasesWhatNoLongerMatches) {
  json::Object pod = pod_template().as_object();
  pod["metadata"].get_object()["name"] = "stray";
  create(kPods, "default", pod);
  begin();
  create(kReplicaSets, "default", replica_set("web", 2));
  loop->run_for(10s);
  EXPECT_EQ(active(), 2);
  EXPECT_EQ(most_active, 2);
  EXPECT_EQ(api::controller_of(read(kPods, {"default", "stray"}).as_object())->name, "web");

  merge(kPods, {"default", "stray"}, R"({"metadata":{"labels":{"app":"looked-at"}}})");
  loop->run_for(10s);
  EXPECT_FALSE(api::controller_of(read(kPods, {"default", "stray"}).as_object()));
  EXPECT_EQ(active(), 3);  // two of ours and the one let go
  EXPECT_EQ(status_of("replicas"), 2);

  merge(kPods, {"default", "stray"}, R"({"metadata":{"labels":{"app":"web"}}})");
  loop->run_for(10s);
  EXPECT_EQ(active(), 2);  // adopted again, so one was too many
}

TEST_F(ReplicaSetControllerTest, WhatIsReadyIsAvailableAfterItsTime) {
  begin();
  json::Object set = replica_set("web", 2);
  set["spec"].get_object()["minReadySeconds"] = 30;
  create(kReplicaSets, "default", set);
  loop->run_for(10s);
  EXPECT_EQ(status_of("readyReplicas"), 2);
  EXPECT_EQ(status_of("availableReplicas"), 0);
  loop->run_for(25s);
  EXPECT_EQ(status_of("availableReplicas"), 2);
}

TEST_F(ReplicaSetControllerTest, SaysWhyPodsCannotBeMadeAndGoesOnTrying) {
  begin();
  json::Object set = replica_set("web", 3);
  // A template passes what a Pod does not: a name of a finalizer without a domain.
  set["spec"].at("template").at("metadata").get_object()["annotations"] =
      json::Object{{"big", std::string(300 * 1024, 'x')}};
  create(kReplicaSets, "default", set);
  loop->run_for(3s);
  EXPECT_EQ(pods().size(), 0u);
  const json::Value now = status();
  ASSERT_TRUE(json::at(now, {"conditions"})) << json::write(now);
  EXPECT_EQ(now.at("conditions").at(0).at("type"), "ReplicaFailure");
  EXPECT_EQ(now.at("conditions").at(0).at("reason"), "FailedCreate");
  EXPECT_EQ(event_reasons().front(), "FailedCreate");

  merge(kReplicaSets, {"default", "web"},
        R"({"spec":{"template":{"metadata":{"annotations":null}}}})");
  loop->run_for(2min);
  EXPECT_EQ(active(), 3);
  EXPECT_FALSE(json::at(status(), {"conditions"}));
}

TEST_F(ReplicaSetControllerTest, DeletingPodsAreNotCountedAndReplacedAtOnce) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 1));
  loop->run_for(10s);
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kPending; };
  remove(kPods, pods().front().key);
  loop->run_for(10ms);
  EXPECT_EQ(pods().size(), 2u);
  EXPECT_EQ(status_of("replicas"), 1);
}

TEST_F(ReplicaSetControllerTest, ThousandPodsComeInBoundedSteps) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 1100));
  loop->run_for(30s);
  EXPECT_EQ(pods().size(), 1100u);
  EXPECT_EQ(status_of("readyReplicas"), 1100);
  EXPECT_EQ(most_active, 1100);
}

TEST_F(ReplicaSetControllerTest, IdleSetsCauseNoWrites) {
  begin();
  create(kReplicaSets, "default", replica_set("web", 3));
  loop->run_for(1min);
  const int writes = life->store.writes;
  const auto steps = loop->steps();
  loop->run_for(4min);
  EXPECT_EQ(life->store.writes, writes);
  EXPECT_LT(loop->steps() - steps, 100u);  // the watches' own
}

TEST_F(ReplicaSetControllerTest, ConflictsOnlyDelay) {
  begin();
  life->store.conflicts = 7;
  create(kReplicaSets, "default", replica_set("web", 3));
  loop->run_for(1min);
  EXPECT_EQ(status_of("readyReplicas"), 3);
  EXPECT_EQ(most_active, 3);
}

// Whatever write it dies at, before or after it, the next life ends where one without death would.
TEST_F(ReplicaSetControllerTest, DyingAtAnyWriteMakesNoPodTooMany) {
  for (const bool happens : {false, true})
    for (int n = 0; n < 14; ++n) {
      SCOPED_TRACE(testing::Message() << "write " << n << (happens ? ", done" : ", not done"));
      begin();
      life->store.dies_at = n;
      life->store.last_happens = happens;
      most_active = 0;
      create(kReplicaSets, "default", replica_set("web", 6));
      loop->run_for(10s);
      end();
      begin();
      loop->run_for(10s);
      EXPECT_EQ(active(), 6);
      EXPECT_EQ(most_active, 6);
      EXPECT_EQ(status_of("readyReplicas"), 6);
      merge(kReplicaSets, {"default", "web"}, R"({"spec":{"replicas":2}})");
      life->store.dies_at = life->store.writes + n % 5;
      least_active = 100;
      loop->run_for(10s);
      end();
      begin();
      loop->run_for(10s);
      EXPECT_EQ(active(), 2);
      EXPECT_EQ(least_active, 2);
      end();
      remove(kReplicaSets, {"default", "web"});
      for (const PodView& pod : pods()) remove(kPods, pod.key);
      loop->run_for(10s);
    }
}

// What it has made does not show yet, and somebody edits the set meanwhile.
TEST_F(ReplicaSetControllerTest, AWatchThatIsBehindMakesNoPodTooMany) {
  begin_late(300ms);
  create(kReplicaSets, "default", replica_set("web", 4));
  for (int i = 0; i < 30; ++i) {
    merge(kReplicaSets, {"default", "web"},
          R"({"metadata":{"annotations":{"edit":")" + std::to_string(i) + R"("}}})");
    loop->run_for(20ms);
  }
  loop->run_for(10s);
  EXPECT_EQ(active(), 4);
  EXPECT_EQ(most_active, 4);
}

// An answer that got lost in the same life: the write happened, and nobody said so.
TEST_F(ReplicaSetControllerTest, ALostAnswerMakesNoPodTooMany) {
  for (int n = 0; n < 8; ++n) {
    SCOPED_TRACE(n);
    begin_late(300ms);
    life->store.dies_at = n;
    life->store.last_happens = true;
    most_active = 0;
    create(kReplicaSets, "default", replica_set("web", 4));
    for (int i = 0; i < 20 && !life->store.dead(); ++i) loop->run_for(1ms);
    life->store.dies_at = -1;  // only that one answer
    loop->run_for(2min);
    EXPECT_EQ(active(), 4);
    EXPECT_EQ(most_active, 4);
    end();
    remove(kReplicaSets, {"default", "web"});
    for (const PodView& pod : pods()) remove(kPods, pod.key);
    loop->run_for(10s);
  }
}

}  // namespace
}  // namespace slipway::runtime
