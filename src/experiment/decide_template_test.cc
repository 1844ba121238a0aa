#include "experiment/decide_template.h"

#include "experiment/experiment_testing.h"
#include "experiment/objects.h"

namespace slipway::experiment {
namespace {

using namespace std::chrono_literals;

const Time kNow{1'767'225'600s};

// One template, with a ReplicaSet that was made of it.
struct TemplateTest : testing::Test {
  TemplateTest() {
    const json::Object document = from_yaml(kTwoColours);
    who = identity_of(document);
    experiment = *api::decode<Experiment>(json::Value(document));
    experiment.spec.templates.resize(1);
    experiment.spec.analyses.clear();
    experiment.status.phase = "Running";
    experiment.status.available_at = kNow - 30s;
  }

  TemplateSpec& variant() { return experiment.spec.templates[0]; }
  ReplicaSetSeen& with_replica_set(std::int32_t wanted, std::int32_t available) {
    ReplicaSetSeen seen = replica_set_seen(replica_set_of(who, variant(), {}));
    seen.uid = "rs-uid";
    seen.wanted = wanted;
    seen.replicas = seen.ready = seen.available = available;
    return observed.replica_sets["purple"] = seen;
  }
  TemplateStatus& with_status(std::string status, std::int32_t available, Duration ago) {
    experiment.status.template_statuses = {{.name = "purple",
                                            .replicas = available,
                                            .updated_replicas = available,
                                            .ready_replicas = available,
                                            .available_replicas = available,
                                            .status = std::move(status),
                                            .last_transition_time = kNow - ago}};
    return experiment.status.template_statuses[0];
  }
  Plan decide() {
    Plan plan;
    decide_template({.who = who, .experiment = experiment, .observed = observed, .now = kNow},
                    variant(), plan);
    return plan;
  }
  std::string outcome() {
    const TemplateStatus status = decide().status.template_statuses.at(0);
    return status.status + "|" + status.message;
  }
  // The one action; fails when there are more or others.
  template <class One>
  One only(const Plan& plan) {
    EXPECT_EQ(plan.actions.size(), 1U);
    if (plan.actions.size() != 1 || !std::holds_alternative<One>(plan.actions[0])) {
      ADD_FAILURE() << "another action";
      return {};
    }
    return std::get<One>(plan.actions[0]);
  }

  Identity who;
  Experiment experiment;
  Observed observed;
};

TEST_F(TemplateTest, MakesItsReplicaSetWithoutReplicas) {
  const Plan plan = decide();
  const auto create = only<CreateReplicaSet>(plan);
  EXPECT_EQ(api::name_of(create.object), "example-purple");
  EXPECT_EQ(create.object.at("spec").at("replicas"), 0);
  EXPECT_EQ(plan.status.template_statuses[0].status, "Progressing");
  EXPECT_EQ(plan.status.template_statuses[0].last_transition_time, kNow);
}

TEST_F(TemplateTest, ScalesItUp) {
  with_replica_set(0, 0);
  with_status("Progressing", 0, 1s);
  const auto scale = only<PatchReplicaSet>(decide());
  EXPECT_EQ(json::write(scale.body), R"({"spec":{"replicas":1}})");
  ASSERT_EQ(scale.happenings.size(), 1U);
  EXPECT_EQ(scale.happenings[0].reason, "ScalingReplicaSet");
  EXPECT_EQ(scale.happenings[0].message, "Scaled up ReplicaSet example-purple from 0 to 1");
}

TEST_F(TemplateTest, FollowsEditsOfReplicasAndMinReadySeconds) {
  with_replica_set(1, 1);
  with_status("Running", 1, 1h);
  variant().replicas = 3;
  variant().min_ready_seconds = 5;
  EXPECT_EQ(json::write(only<PatchReplicaSet>(decide()).body),
            R"({"spec":{"replicas":3,"minReadySeconds":5}})");
  with_replica_set(3, 1).min_ready_seconds = 5;
  observed.scaled.insert("purple");
  EXPECT_EQ(outcome(), "Progressing|") << "its clock begins with the edit";
}

TEST_F(TemplateTest, StatusFollowsThePods) {
  struct Case {
    std::string_view rule;
    std::string before;
    std::int32_t available;
    Duration ago;  // since the last sign of life
    std::string expected;
    bool terminate = false;
    Duration running = 30s;
  };
  const std::string late = "Failed|Template 'purple' exceeded its progressDeadlineSeconds (30)";
  const Case cases[] = {
      {"available", "Progressing", 1, 1s, "Running|"},
      {"not yet", "Progressing", 0, 30s, "Progressing|"},
      {"too late", "Progressing", 0, 31s, late},
      {"for an hour now", "Running", 1, 1h, "Running|"},
      {"its time is over", "Running", 1, 1h, "Successful|", false, 61s},
      {"its time is just over", "Running", 1, 1h, "Running|", false, 60s},
      {"ended by somebody", "Running", 1, 1h, "Successful|", true},
      {"ended before it was ready", "Progressing", 0, 1s, "Successful|", true},
      {"it has ended already", "Failed", 1, 1s, "Failed|"},
      {"it has succeeded already", "Successful", 0, 1h, "Successful|"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.rule);
    with_replica_set(1, one.available);
    with_status(one.before, one.available, one.ago);
    experiment.spec.terminate = one.terminate;
    experiment.status.available_at = kNow - one.running;
    EXPECT_EQ(outcome(), one.expected);
  }
}

TEST_F(TemplateTest, PodsOfTheSizeBeforeDoNotCount) {
  with_status("Progressing", 1, 10s);
  ReplicaSetSeen& seen = with_replica_set(1, 1);
  seen.is_observed = false;  // to none and back to one
  EXPECT_EQ(outcome(), "Progressing|");
  seen.is_observed = true;
  EXPECT_EQ(outcome(), "Running|");
}

TEST_F(TemplateTest, WhatRunsGoesOnWhenMoreIsAskedOfItsPods) {
  with_status("Running", 1, 1h);
  ReplicaSetSeen& seen = with_replica_set(1, 1);
  variant().min_ready_seconds = 5;
  EXPECT_EQ(json::write(only<PatchReplicaSet>(decide()).body), R"({"spec":{"minReadySeconds":5}})");
  seen.min_ready_seconds = 5;
  seen.is_observed = false;  // patched, and the numbers are those of before
  EXPECT_EQ(outcome(), "Running|");
  seen.is_observed = true;
  seen.available = 0;
  EXPECT_EQ(outcome(), "Progressing|") << "its clock begins with the other number";
}

TEST_F(TemplateTest, EverySignOfLifeStartsTheClockAnew) {
  with_replica_set(1, 0).replicas = 1;
  with_status("Progressing", 0, 1h);
  const TemplateStatus moved = decide().status.template_statuses[0];
  EXPECT_EQ(moved.status, "Progressing") << "a Pod was made";
  EXPECT_EQ(moved.last_transition_time, kNow);
  with_replica_set(1, 0).created = kNow - 10s;
  EXPECT_EQ(outcome(), "Progressing|") << "its ReplicaSet is new";
  with_replica_set(1, 0);
  with_status("Running", 1, 1h);
  EXPECT_EQ(outcome(), "Progressing|") << "it lost its Pod";
}

TEST_F(TemplateTest, LooksAgainJustAfterItsDeadline) {
  with_replica_set(1, 0);
  with_status("Progressing", 0, 10s);
  EXPECT_EQ(decide().again, kNow + 20s + 1ms);
}

TEST_F(TemplateTest, KeepsPodsForAWhileAfterTheEnd) {
  with_status("Successful", 1, 1s);
  with_replica_set(1, 1);
  EXPECT_EQ(json::write(only<PatchReplicaSet>(decide()).body),
            R"({"metadata":{"annotations":{"scale-down-deadline":"2026-01-01T00:00:10Z"}}})");
  auto& seen = with_replica_set(1, 1);
  seen.has_deadline = true;
  seen.deadline = kNow + 4s;
  const Plan waits = decide();
  EXPECT_TRUE(waits.actions.empty());
  EXPECT_EQ(waits.again, kNow + 4s);
  EXPECT_EQ(waits.status.template_statuses[0].last_transition_time, kNow - 1s)
      << "waiting is no news";
  seen.deadline = kNow;
  EXPECT_EQ(json::write(only<PatchReplicaSet>(decide()).body), R"({"spec":{"replicas":0}})");
  seen.wanted = 0;
  EXPECT_TRUE(decide().actions.empty());
  EXPECT_FALSE(decide().again);
}

TEST_F(TemplateTest, ScalesDownAtOnceWithoutDelay) {
  experiment.spec.scale_down_delay_seconds = 0;
  with_status("Successful", 1, 1s);
  with_replica_set(1, 1);
  EXPECT_EQ(json::write(only<PatchReplicaSet>(decide()).body),
            R"({"metadata":{"annotations":{"scale-down-deadline":null}},"spec":{"replicas":0}})");
}

TEST_F(TemplateTest, ANewTryTakesTheDeadlineAway) {
  with_replica_set(0, 0).has_deadline = true;
  EXPECT_EQ(json::write(only<PatchReplicaSet>(decide()).body),
            R"({"metadata":{"annotations":{"scale-down-deadline":null}},"spec":{"replicas":1}})");
}

TEST_F(TemplateTest, AnEditedTemplateReplacesItsReplicaSet) {
  with_replica_set(1, 1);
  with_status("Running", 1, 1h);
  EXPECT_TRUE(decide().actions.empty());
  json::Value edited = variant().template_.value;
  edited.at("spec").as_object()["containers"].as_array()[0].as_object()["image"] = "demo:red";
  variant().template_.value = edited;
  EXPECT_EQ(only<DeleteReplicaSet>(decide()).uid, "rs-uid");
  observed.replica_sets["purple"].deleting = true;
  EXPECT_TRUE(decide().actions.empty()) << "it is on its way";
  experiment.status.phase = "Successful";
  observed.replica_sets["purple"].deleting = false;
  EXPECT_TRUE(std::holds_alternative<PatchReplicaSet>(decide().actions.at(0)))
      << "what has ended is only scaled down";
}

TEST_F(TemplateTest, WhatAClusterFillsInIsNoEdit) {
  ReplicaSetSeen& seen = with_replica_set(1, 1);
  with_status("Running", 1, 1h);
  seen.pod_template["spec"].as_object()["restartPolicy"] = "Always";
  seen.pod_template["spec"].as_object()["schedulerName"] = "somebody-elses";
  EXPECT_TRUE(decide().actions.empty());
  ReplicaSetSeen& older = with_replica_set(1, 1);  // of a release that hashes otherwise
  older.hash = "687d76d795";
  older.selector["matchLabels"].as_object()["rollouts-pod-template-hash"] = older.hash;
  older.pod_template["metadata"].as_object()["labels"].as_object()["rollouts-pod-template-hash"] =
      older.hash;
  EXPECT_TRUE(decide().actions.empty());
}

TEST_F(TemplateTest, HasAServiceWhileItRuns) {
  variant().service.emplace();
  with_replica_set(1, 1);
  with_status("Running", 1, 1h);
  const auto create = only<CreateService>(decide());
  EXPECT_EQ(api::name_of(create.object), "example-purple");
  observed.services["purple"] = {
      .name = "example-purple", .uid = "s", .selector = observed.replica_sets["purple"].labels};
  const Plan there = decide();
  EXPECT_TRUE(there.actions.empty());
  EXPECT_EQ(there.status.template_statuses[0].service_name, "example-purple");
  EXPECT_EQ(there.status.template_statuses[0].pod_template_hash,
            observed.replica_sets["purple"].hash);
  observed.services["purple"].selector["rollouts-pod-template-hash"] = "old";
  EXPECT_EQ(only<PatchService>(decide()).uid, "s");
  variant().service->name = "grapes";
  EXPECT_EQ(only<DeleteService>(decide()).name, "example-purple") << "it is called otherwise now";
  variant().service.reset();
  EXPECT_EQ(only<DeleteService>(decide()).name, "example-purple");
}

TEST_F(TemplateTest, ItsServiceGoesWhenNoPodIsLeft) {
  variant().service.emplace();
  with_status("Successful", 1, 1s);
  with_replica_set(0, 1);
  observed.services["purple"] = {.name = "example-purple", .uid = "s", .selector = {}};
  EXPECT_TRUE(decide().actions.empty());
  with_replica_set(0, 0);
  EXPECT_EQ(only<DeleteService>(decide()).uid, "s");
}

TEST_F(TemplateTest, FailuresAndWaitsAreTold) {
  with_status("Progressing", 0, 1s);
  observed.waiting["purple"] = "taken";
  EXPECT_EQ(outcome(), "Progressing|taken");
  EXPECT_EQ(decide().again, kNow + kTryNameAgain);
  with_status("Progressing", 0, 31s);
  EXPECT_EQ(outcome(), "Failed|Template 'purple' exceeded its progressDeadlineSeconds (30): taken");
  observed.failures["purple"] = "refused";
  EXPECT_EQ(outcome(), "Error|refused");
  const Plan plan = decide();
  EXPECT_TRUE(plan.actions.empty());
  ASSERT_EQ(plan.happenings.size(), 1U);
  EXPECT_TRUE(plan.happenings[0].warning);
  EXPECT_EQ(plan.happenings[0].reason, "TemplateError");
  EXPECT_EQ(plan.happenings[0].message,
            "Template 'purple' transitioned from Progressing -> Error: refused");
}

TEST_F(TemplateTest, WhatIsNoLongerInTheSpecGoes) {
  with_replica_set(1, 1);
  observed.replica_sets["old"] = {.name = "example-old", .uid = "o"};
  observed.services["old"] = {.name = "example-old", .uid = "s"};
  Plan plan;
  decide_leftovers({.who = who, .experiment = experiment, .observed = observed, .now = kNow}, plan);
  ASSERT_EQ(plan.actions.size(), 2U);
  EXPECT_EQ(std::get<DeleteService>(plan.actions[0]).uid, "s");
  EXPECT_EQ(std::get<DeleteReplicaSet>(plan.actions[1]).uid, "o");
}

}  // namespace
}  // namespace slipway::experiment
