#include <gtest/gtest.h>

#include "api/template_hash.h"
#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

using CanaryTest = World;

constexpr const char* kSteps =
    R"({"canary":{"steps":[{"setWeight":25},{"pause":{}},{"setWeight":50},{"pause":{"duration":60}}]}})";

std::function<bool(const json::Value&)> is_image(const std::string& image) {
  return [image](const json::Value& set) {
    return set.at_pointer("/spec/template/spec/containers/0/image").as_string() == image;
  };
}

TEST_F(CanaryTest, AFirstDeploymentGoesStraightToTheEnd) {
  create_rollout(kSteps);
  start();
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:4/4");
  EXPECT_EQ(step(), 4);
  const json::Value now = rollout();
  EXPECT_EQ(json::string_at(now, {"status", "stableRS"}),
            json::string_at(now, {"status", "currentPodHash"}));
  EXPECT_EQ(api::annotation_of(now.get_object(), "rollout.argoproj.io/revision"), "1");
  EXPECT_EQ(json::string_at(now, {"status", "selector"}), "app=web");
  EXPECT_EQ(reasons().count("RolloutCompleted"), 1U);
}

TEST_F(CanaryTest, AFirstDeploymentIsStableOnceItIsAvailable) {
  create_rollout(kSteps);
  start();
  wait(4s);
  EXPECT_EQ(sizes(), "v1:4/0");
  EXPECT_EQ(phase(), "Progressing|updated replicas are still becoming available");
  EXPECT_EQ(json::string_at(rollout(), {"status", "stableRS"}), "");
  EXPECT_EQ(step(), 4) << "it has no steps to take, even so";
  EXPECT_EQ(reasons().count("RolloutCompleted"), 0U);
  wait(4s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(reasons().count("RolloutCompleted"), 1U);
}

TEST_F(CanaryTest, WhatNeverCameUpIsReplacedWithoutSteps) {
  sets.never_ready = is_image("web:v1");
  create_rollout(kSteps, 4, R"(,"progressDeadlineSeconds":120,"progressDeadlineAbort":true)");
  start();
  wait(200s);
  EXPECT_TRUE(phase().starts_with("Degraded|ProgressDeadlineExceeded: ")) << phase();
  patch_status(R"({"status":{"abort":true}})");
  wait(10s);
  EXPECT_EQ(sizes(), "v1:4/0") << "there is nothing to go back to";
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:0/0 v2:4/4");
  EXPECT_EQ(reasons().count("RolloutStepCompleted"), 0U);
  EXPECT_EQ(reasons().count("RolloutCompleted"), 1U);
}

TEST_F(CanaryTest, AnUpdateGoesThroughItsSteps) {
  create_rollout(kSteps);
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
  EXPECT_EQ(step(), 1);
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/1");
  wait(1h);
  EXPECT_EQ(step(), 1) << "a pause without duration waits for a person";
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(30s);
  EXPECT_EQ(step(), 3);
  EXPECT_EQ(sizes(), "v1:2/2 v2:2/2");
  wait(120s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:0/0 v2:4/4");
  EXPECT_EQ(step(), 4);
  EXPECT_EQ(reasons().count("RolloutStepCompleted"), 4U);
  EXPECT_EQ(reasons().count("RolloutCompleted"), 2U);
}

TEST_F(CanaryTest, AtRestItHasNoTimerAndWritesNothing) {
  create_rollout(kSteps);
  start();
  wait(60s);
  const int writes = life->store.writes;
  wait(24h);
  EXPECT_EQ(life->store.writes, writes);
  for (const auto& depth : life->manager.depths()) EXPECT_EQ(depth.keys, 0U) << depth.name;
}

TEST_F(CanaryTest, AnAbortGoesBackAndARetryBeginsAnew) {
  create_rollout(kSteps);
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"abort":true}})");
  wait(60s);
  EXPECT_EQ(phase(), "Degraded|RolloutAborted: Rollout aborted update to revision 2");
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  EXPECT_EQ(step(), 0);
  patch_status(R"({"status":{"abort":false}})");
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/1");
}

// Resumed, and something else asked for, before the controller looks again.
void expect_resumed_beside(World& world, std::string_view change) {
  world.create_rollout(kSteps);
  world.start();
  world.wait(60s);
  world.set_image("web:v2");
  world.wait(60s);
  EXPECT_EQ(world.phase(), "Paused|CanaryPauseStep");
  const Count paused_at = world.step();
  world.life->end();
  world.patch_status(R"({"status":{"pauseConditions":null}})");
  world.patch(change);
  world.start();
  world.wait(60s);
  EXPECT_GT(world.step(), paused_at);
}

TEST_F(CanaryTest, AResumeIsHeardBesideAnotherSize) {
  expect_resumed_beside(*this, R"({"spec":{"replicas":6}})");
}

TEST_F(CanaryTest, AResumeIsHeardBesideARestart) {
  expect_resumed_beside(*this, R"({"spec":{"restartAt":"2020-01-01T00:00:00Z"}})");
}

TEST_F(CanaryTest, FullPromotionSkipsStepsAndPauses) {
  create_rollout(kSteps);
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"promoteFull":true}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:0/0 v2:4/4");
  EXPECT_EQ(json::string_at(rollout(), {"status", "duration", "completionStatus"}), "FastPromoted");
}

TEST_F(CanaryTest, AnAbortTakesAFullPromotionBack) {
  sets.never_ready = is_image("web:v2");
  create_rollout(kSteps);
  start();
  wait(60s);
  set_image("web:v2");
  wait(20s);
  patch_status(R"({"status":{"promoteFull":true}})");
  wait(5s);
  patch_status(R"({"status":{"abort":true}})");
  wait(60s);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted: ")) << phase();
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  EXPECT_EQ(json::at(rollout(), {"status", "promoteFull"}), nullptr);
}

TEST_F(CanaryTest, GoingBackToTheStableTemplateSkipsTheSteps) {
  create_rollout(kSteps);
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  set_image("web:v1");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(step(), 4);
  EXPECT_EQ(reasons().count("SkipSteps"), 1U);
  EXPECT_EQ(sizes(), "v2:0/0 v1:4/4") << "with a revision above the abandoned one";
}

TEST_F(CanaryTest, AThirdVersionTakesTheSecondsPlace) {
  create_rollout(kSteps);
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  set_image("web:v3");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:3/3 v2:0/0 v3:1/1");
  EXPECT_EQ(step(), 1);
}

TEST_F(CanaryTest, LackOfProgressDegrades) {
  sets.never_ready = is_image("web:v2");
  create_rollout(kSteps, 4, R"(,"progressDeadlineSeconds":120)");
  start();
  wait(60s);
  set_image("web:v2");
  wait(100s);
  EXPECT_EQ(phase(), "Progressing|more replicas need to be updated");
  wait(60s);
  const std::string name(json::string_at(rollout(), {"status", "currentPodHash"}));
  EXPECT_EQ(phase(), "Degraded|ProgressDeadlineExceeded: ReplicaSet \"web-" + name +
                         "\" has timed out progressing.");
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/0");
}

TEST_F(CanaryTest, LackOfProgressAbortsWhereTheSpecSaysSo) {
  sets.never_ready = is_image("web:v2");
  create_rollout(kSteps, 4, R"(,"progressDeadlineSeconds":120,"progressDeadlineAbort":true)");
  start();
  wait(60s);
  set_image("web:v2");
  wait(300s);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted: ")) << phase();
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
}

TEST_F(CanaryTest, LackOfProgressAbortsAFullPromotionOnce) {
  sets.never_ready = is_image("web:v2");
  create_rollout(kSteps, 4, R"(,"progressDeadlineSeconds":120,"progressDeadlineAbort":true)");
  start();
  wait(60s);
  set_image("web:v2");
  wait(20s);
  patch_status(R"({"status":{"promoteFull":true}})");
  wait(1h);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted: ")) << phase();
  EXPECT_EQ(reasons().count("RolloutAborted"), 1U);
}

TEST_F(CanaryTest, FollowsItsScale) {
  create_rollout(kSteps);
  start();
  wait(60s);
  patch(R"({"spec":{"replicas":8}})");
  wait(30s);
  EXPECT_EQ(sizes(), "v1:8/8");
  EXPECT_EQ(phase(), "Healthy");
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:6/6 v2:2/2");
  patch(R"({"spec":{"replicas":4}})");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/1");
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
}

TEST_F(CanaryTest, APausedSpecHoldsEverything) {
  create_rollout(kSteps);
  start();
  wait(60s);
  patch(R"({"spec":{"paused":true}})");
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(phase(), "Paused|manually paused");
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  patch(R"({"spec":{"paused":false}})");
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
}

TEST_F(CanaryTest, KeepsOnlySoManyOldSets) {
  create_rollout(R"({"canary":{}})", 2, R"(,"revisionHistoryLimit":2)");
  start();
  for (int i = 2; i <= 6; ++i) {
    wait(60s);
    set_image("web:v" + std::to_string(i));
  }
  wait(120s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v4:0/0 v5:0/0 v6:2/2");
}

TEST_F(CanaryTest, AnInvalidSpecIsNamedAndMended) {
  create_rollout(R"({"canary":{"steps":[{"setWeight":120}]}})");
  start();
  wait(60s);
  EXPECT_TRUE(
      phase().starts_with("Degraded|InvalidSpec: The Rollout \"web\" is invalid: "
                          "spec.strategy.canary.steps[0].setWeight"))
      << phase();
  EXPECT_EQ(sizes(), "");
  patch(R"({"spec":{"strategy":{"canary":{"steps":[{"setWeight":20}]}}}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(CanaryTest, WaitsForAServiceThatIsNotThereYet) {
  create_rollout(R"({"canary":{"stableService":"web","steps":[{"setWeight":20}]}})");
  start();
  wait(10s);
  EXPECT_TRUE(phase().ends_with("service \"web\" not found")) << phase();
  create_service("web");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  const json::Value service = read(kServices, {"shop", "web"});
  EXPECT_EQ(json::string_at(service, {"spec", "selector", "rollouts-pod-template-hash"}),
            json::string_at(rollout(), {"status", "stableRS"}));
}

TEST_F(CanaryTest, FillsInReplicasForAutoscalers) {
  apply(kRollouts,
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"web"},
      "spec":{"selector":{"matchLabels":{"app":"web"}},"strategy":{"canary":{}},
      "template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"web","image":"web:v1"}]}}}})");
  start();
  wait(60s);
  EXPECT_EQ(count_at(rollout(), {"spec", "replicas"}), 1);
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(CanaryTest, ATakenNameIsACollision) {
  create_rollout(kSteps);
  // The name that the first set would have, with another template.
  const auto* pod_template = R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[
      {"name":"web","image":"web:v1"}]}})";
  const std::string hash = api::template_hash(read_json(pod_template).get_object());
  json::Value squatter = read_json(R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{},
      "spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":
      {"a":"b"}},"spec":{"containers":[{"name":"x","image":"x:v9"}]}}}})");
  squatter.at("metadata").as_object()["name"] = "web-" + hash;
  create(kReplicaSets, "shop", squatter.get_object());
  start();
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(count_at(rollout(), {"status", "collisionCount"}), 1);
}

}  // namespace
}  // namespace slipway::rollout
