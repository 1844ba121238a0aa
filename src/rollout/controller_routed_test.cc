#include <gtest/gtest.h>

#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

const api::Gvr kHttpRoutes{"gateway.networking.k8s.io", "v1", "httproutes"};

struct RoutedTest : World {
  void deploy(const std::string& more = {}, int replicas = 4) {
    create_service("stable");
    create_service("canary");
    create_route();
    create_rollout(R"({"canary":{"stableService":"stable","canaryService":"canary",
        "trafficRouting":{"plugins":{"argoproj-labs/gatewayAPI":{"httpRoute":"web"}}},
        "steps":[{"setWeight":25},{"pause":{}},{"setWeight":50},{"pause":{"duration":60}}])" +
                       more + "}}",
                   replicas);
    start();
    wait(60s);
  }
  // Its Pods never get ready.
  void break_image(const std::string& image) {
    sets.never_ready = [image](const json::Value& set) {
      return set.at_pointer("/spec/template/spec/containers/0/image").as_string() == image;
    };
  }
  void create_route() {
    apply(kHttpRoutes, R"({"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute",
        "metadata":{"name":"web"},"spec":{"rules":[{"backendRefs":[
        {"name":"stable","port":80},{"name":"canary","port":80,"weight":0}]}]}})");
  }
  // Stable and canary.
  std::pair<Count, Count> weights() {
    const json::Value route = read(kHttpRoutes, {"shop", "web"});
    const json::Value& refs = route.at_pointer("/spec/rules/0/backendRefs");
    return {count_at(refs.at(0), {"weight"}, 1), count_at(refs.at(1), {"weight"}, 1)};
  }
  std::string selected(const std::string& service) {
    return std::string(json::string_at(read(kServices, {"shop", service}),
                                       {"spec", "selector", "rollouts-pod-template-hash"}));
  }
};

TEST_F(RoutedTest, WeightsFollowTheSteps) {
  deploy();
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(weights(), std::pair(100, 0));
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(weights(), std::pair(75, 25));
  EXPECT_EQ(sizes(), "v1:4/4 v2:1/1") << "the stable set stays full";
  EXPECT_NE(selected("stable"), selected("canary"));
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(30s);
  EXPECT_EQ(weights(), std::pair(50, 50));
  wait(90s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(weights(), std::pair(100, 0)) << "the stable Service selects the new set now";
  EXPECT_EQ(selected("stable"), selected("canary"));
  EXPECT_EQ(selected("stable"), json::string_at(rollout(), {"status", "stableRS"}));
  wait(60s);
  EXPECT_EQ(sizes(), "v1:0/0 v2:4/4") << "after scaleDownDelaySeconds";
  EXPECT_EQ(phase(), "Healthy");
}

// The program dies with the write that says Healthy, and the next update comes before it is back.
struct QuickUpdate : RoutedTest {
  void TestBody() override {}
  std::string tell(int dies_at) {
    deploy(R"(,"scaleDownDelaySeconds":600)");
    set_image("web:v2");
    wait(60s);
    life->store.dies_at = life->store.writes + dies_at;
    life->store.last_happens = true;
    patch_status(R"({"status":{"promoteFull":true}})");
    wait(30s);
    if (!life->store.dead()) return "lived";
    if (phase() != "Healthy") return "not yet";
    set_image("web:v3");
    restart();
    wait(10s);
    return sizes();
  }
};

TEST(RoutedCrash, WhatWasStableAMomentAgoGoesDownLaterWhateverComesNext) {
  int promoted = 0;
  for (int at = 0;; ++at) {
    const std::string sizes = QuickUpdate().tell(at);
    if (sizes == "lived") break;
    if (sizes == "not yet") continue;
    ++promoted;
    EXPECT_TRUE(sizes.starts_with("v1:4/4 v2:4/4")) << sizes << ", killed at write " << at;
  }
  EXPECT_GT(promoted, 0);
}

TEST_F(RoutedTest, AnAbortTakesTheTrafficBackAtOnceAndThePodsLater) {
  deploy();
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"abort":true}})");
  wait(5s);
  EXPECT_EQ(weights(), std::pair(100, 0));
  EXPECT_EQ(selected("canary"), selected("stable"));
  EXPECT_EQ(sizes(), "v1:4/4 v2:1/1");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  const int writes = life->store.writes;
  wait(24h);
  EXPECT_EQ(life->store.writes, writes);
}

TEST_F(RoutedTest, WhatIsPromotedInFullIsNotScaledDownForItsAbort) {
  deploy();
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"abort":true}})");
  patch(R"({"spec":{"replicas":1}})");
  wait(5s);
  EXPECT_EQ(sizes(), "v1:1/1 v2:1/1");
  const auto times_scaled = [&] { return reasons().count("ScalingReplicaSet"); };
  const auto before = times_scaled();
  life->end();
  wait(60s);  // its time is up while nobody looks
  patch_status(R"({"status":{"promoteFull":true}})");
  start();
  wait(5s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(times_scaled(), before);
  EXPECT_EQ(json::string_at(rollout(), {"status", "duration", "completionStatus"}), "FastPromoted");
}

TEST_F(RoutedTest, ACanaryThatNeverGotReadyGoesWhenItIsTakenBack) {
  deploy({}, 3);
  break_image("web:v2");
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/0");
  set_image("web:v1");
  wait(11min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v2:0/0 v1:3/3");
}

TEST_F(RoutedTest, ACanaryThatNeverGotReadyGoesAlsoDuringItsDelay) {
  deploy({}, 3);
  break_image("web:v2");
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"abort":true}})");
  wait(5s);
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/0");
  set_image("web:v1");
  wait(11min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v2:0/0 v1:3/3");
}

TEST_F(RoutedTest, AFirstVersionThatNeverGotReadyGoesForTheNext) {
  break_image("web:v1");
  deploy({}, 3);
  EXPECT_EQ(sizes(), "v1:3/0");
  set_image("web:v2");
  wait(11min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:0/0 v2:3/3");
}

struct RoutedAndScaled : RoutedTest, testing::WithParamInterface<int> {};

TEST_P(RoutedAndScaled, AnAbortTakesTheTrafficBackAlsoWhenPaused) {
  deploy();
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(weights(), std::pair(75, 25));
  patch(R"({"spec":{"paused":true}})");
  wait(5s);
  patch(R"({"spec":{"replicas":)" + std::to_string(GetParam()) + "}}");
  wait(5s);
  patch_status(R"({"status":{"abort":true}})");
  wait(5s);
  EXPECT_EQ(weights(), std::pair(100, 0));
}

INSTANTIATE_TEST_SUITE_P(DownOrUp, RoutedAndScaled, testing::Values(3, 6));

TEST_F(RoutedTest, WeightsThatSomebodyElseWroteArePutRight) {
  deploy();
  set_image("web:v2");
  wait(60s);
  auto done =
      run_to_end(*loop, store->patch(kHttpRoutes, {"shop", "web"},
                                     {.type = store::PatchType::kMerge,
                                      .body = read_json(R"({"spec":{"rules":[{"backendRefs":[
          {"name":"stable","port":80},{"name":"canary","port":80,"weight":0}]}]}})")},
                                     {}));
  ASSERT_TRUE(done);
  EXPECT_EQ(weights(), std::pair(1, 0));
  wait(31s);
  EXPECT_EQ(weights(), std::pair(75, 25));
}

TEST_F(RoutedTest, AnAbortNeedsNoTemplate) {
  create_template("t");
  runs.takes = 24h;
  deploy(R"(,"analysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(weights(), std::pair(75, 25));
  remove(kTemplates, {"shop", "t"});
  wait(5s);
  EXPECT_TRUE(phase().starts_with("Degraded|InvalidSpec")) << phase();
  patch_status(R"({"status":{"abort":true}})");
  wait(5s);
  EXPECT_EQ(weights(), std::pair(100, 0));
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
  wait(60s);
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
}

TEST_F(RoutedTest, AnAbortWithoutDelayKeepsTheCanary) {
  deploy(R"(,"abortScaleDownDelaySeconds":0)");
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"abort":true}})");
  wait(1h);
  EXPECT_EQ(weights(), std::pair(100, 0));
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0") << "its weight is none, and no scale step holds it up";
}

TEST_F(RoutedTest, ADynamicStableSetShrinksWithItsTraffic) {
  deploy(R"(,"dynamicStableScale":true)");
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:3/3 v2:1/1");
  EXPECT_EQ(weights(), std::pair(75, 25));
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(30s);
  EXPECT_EQ(sizes(), "v1:2/2 v2:2/2");
  patch_status(R"({"status":{"abort":true}})");
  wait(120s);
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  EXPECT_EQ(weights(), std::pair(100, 0));
}

// At every moment, the Pods of each side can take its share of the traffic.
TEST_F(RoutedTest, NoSideEverHasMoreTrafficThanPods) {
  deploy(R"(,"dynamicStableScale":true)");
  set_image("web:v2");
  bool resumed = false;
  for (int i = 0; i < 240; ++i) {
    wait(500ms);
    if (!resumed && phase() == "Paused|CanaryPauseStep" && step() == 1) {
      patch_status(R"({"status":{"pauseConditions":null}})");
      resumed = true;
    }
    const auto [stable, canary] = weights();
    for (const auto& [service, weight] : {std::pair("stable", stable), {"canary", canary}}) {
      Count available = 0;
      for (const json::Value& set : list(kReplicaSets))
        if (label_of(set.get_object(), "rollouts-pod-template-hash") == selected(service))
          available = count_at(set, {"status", "availableReplicas"});
      EXPECT_GE(available * 100, weight * 4) << service << " at half second " << i;
    }
  }
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(RoutedTest, ARouteThatIsNotThereIsTold) {
  deploy();
  remove(kHttpRoutes, {"shop", "web"});
  set_image("web:v2");
  wait(10min);
  EXPECT_EQ(phase(),
            "Degraded|InvalidSpec: The Rollout \"web\" is invalid: "
            "spec.strategy.canary.trafficRouting: httproutes.gateway.networking.k8s.io \"web\" "
            "not found");
  EXPECT_EQ(reasons().count("InvalidSpec"), 1U) << "said once, however long it lasts";
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0") << "nothing goes on without it";
  create_route();
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
  EXPECT_EQ(weights(), std::pair(75, 25));
}

TEST_F(RoutedTest, ARouteThatComesALittleLaterIsNoProblem) {
  deploy();
  remove(kHttpRoutes, {"shop", "web"});
  set_image("web:v2");
  for (int i = 0; i < 10; ++i) {
    wait(200ms);
    EXPECT_FALSE(phase().starts_with("Degraded")) << phase();
  }
  create_route();
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
}

TEST_F(RoutedTest, AKindOfRouterThatIsNotThereIsTold) {
  create_service("stable");
  create_service("canary");
  create_rollout(R"({"canary":{"stableService":"stable","canaryService":"canary",
      "trafficRouting":{"smi":{}},"steps":[{"setWeight":25}]}})");
  start();
  wait(30s);
  const std::string wanted = "trafficsplits.split.smi-spec.io \"web\" cannot be created";
  bool told = false;
  for (const json::Value& event : list(kEvents))
    told |= json::string_at(event, {"message"}).starts_with(wanted);
  EXPECT_TRUE(told);
  EXPECT_NE(phase().find(wanted), std::string::npos) << phase();
}

TEST_F(RoutedTest, TheTemplateOfAWorkloadIsFollowed) {
  apply(kDeployments, R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"app"},
      "spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":
      {"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:v1"}]}}}})");
  apply(kRollouts,
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"web"},
      "spec":{"replicas":2,"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"app"},
      "strategy":{"canary":{"steps":[{"pause":{}}]}}}})");
  start();
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:2/2");
  auto done = run_to_end(
      *loop, store->patch(kDeployments, {"shop", "app"},
                          {.type = store::PatchType::kMerge,
                           .body = read_json(R"({"spec":{"template":{"spec":{"containers":[
          {"name":"web","image":"web:v2"}]}}}})")},
                          {}));
  ASSERT_TRUE(done);
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
  EXPECT_EQ(json::string_at(rollout(), {"status", "workloadObservedGeneration"}), "2");
}

}  // namespace
}  // namespace slipway::rollout
