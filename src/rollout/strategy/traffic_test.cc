#include "rollout/strategy/traffic.h"

#include <gtest/gtest.h>

#include "rollout/rollout_testing.h"

namespace slipway::rollout {
namespace {

// A canary behind a router, ten Pods, at 20 and then 60 percent.
struct Case {
  Case() {
    made = routed(10, {weight_step(20), pause_step(), weight_step(60)});
    auto& canary = *made.rollout.spec.strategy.canary;
    canary.stable_service = "stable";
    canary.canary_service = "canary";
    canary.traffic_routing->smi.emplace();
    stable = &made.add("stable", 10, 10);
    made.list.reserve(4);
    made.add("canary", 2, 2);
  }
  Plan decide() {
    seen.rollout = made.rollout;
    seen.document =
        json::Object{{"metadata", json::Object{{"name", "web"}, {"namespace", "shop"}}}};
    seen.hash = made.rollout.status.current_pod_hash;
    seen.sets = made.list;
    Draft draft(seen);
    draft.revision = 2;
    decide_traffic(draft);
    draft.plan.status = draft.status;
    return std::move(draft.plan);
  }
  // Canary, stable.
  std::pair<Count, Count> weights() {
    const auto found = decide().status.canary.weights;
    return found ? std::pair(found->canary.weight, found->stable.weight) : std::pair(-1, -1);
  }
  argo::RolloutStatus& status() { return made.rollout.status; }

  Rollouts made;
  ReplicaSet* stable = nullptr;
  Situation seen;
};

TEST(Traffic, FollowsTheStepsAsPodsBecomeReady) {
  Case one;
  EXPECT_EQ(one.weights(), std::pair(20, 80));
  one.made.list[1].available = 1;
  EXPECT_EQ(one.weights(), std::pair(0, 100)) << "not before the canary can take it";
  one.status().current_step_index = 2;
  EXPECT_EQ(one.weights(), std::pair(20, 80)) << "the weight before, until six are there";
  one.made.list[1].replicas = one.made.list[1].available = one.made.list[1].current = 6;
  EXPECT_EQ(one.weights(), std::pair(60, 40));
  one.status().current_step_index = 3;
  one.made.list[1].replicas = one.made.list[1].available = one.made.list[1].current = 10;
  EXPECT_EQ(one.weights(), std::pair(100, 0));
}

TEST(Traffic, StaysWhereItIsWhileAVerdictIsOpen) {
  Case one;
  one.status().canary.weights =
      argo::TrafficWeights{.canary = {.weight = 0}, .stable = {.weight = 100}};
  one.status().pause_conditions = {{.reason = std::string(kInconclusiveAnalysis)}};
  EXPECT_EQ(one.weights(), std::pair(0, 100)) << "however ready its Pods are";
  one.status().pause_conditions.clear();
  EXPECT_EQ(one.weights(), std::pair(20, 80));
}

TEST(Traffic, TellsOfWeightsThatChangedAlone) {
  const argo::TrafficWeights at20{.canary = {.weight = 20}};
  argo::TrafficWeights with = at20;
  with.additional = {{.weight = 5, .service_name = "extra"}};
  EXPECT_EQ(weights_message({}, at20), "Traffic weight updated to 20");
  EXPECT_EQ(weights_message(at20, at20), "");
  EXPECT_EQ(weights_message(at20, with), "Traffic weight updated extra to 5");
  EXPECT_EQ(weights_message(with, at20), "Traffic weight updated extra to 0");
}

TEST(Traffic, NeverGoesToACanaryWithoutPods) {
  Case one;
  one.status().current_step_index = 1;
  one.made.list[1].available = 0;
  one.made.rollout.spec.strategy.canary->steps[0] = {
      .set_header_route = argo::SetHeaderRoute{.name = "h", .match = {{.header_name = "X"}}}};
  one.status().canary.weights = argo::TrafficWeights{.canary = {.weight = 20}};
  const Plan plan = one.decide();
  EXPECT_EQ(plan.status.canary.weights->canary.weight, 0);
  const auto& route = std::get<RouteTraffic>(plan.chores.back().action);
  EXPECT_TRUE(route.weights_first);
  EXPECT_TRUE(route.header_routes.empty());
}

TEST(Traffic, WaitsForTheStableSetToTakeItBack) {
  Case one;
  one.status().abort = true;
  one.status().canary.weights = argo::TrafficWeights{.canary = {.weight = 60}};
  one.made.list[0].available = 9;
  EXPECT_EQ(one.weights(), std::pair(60, 0)) << "unchanged";
  one.made.list[0].available = 10;
  EXPECT_EQ(one.weights(), std::pair(0, 100));
}

TEST(Traffic, ADynamicAbortFollowsTheStableSet) {
  Case one;
  one.made.rollout.spec.strategy.canary->dynamic_stable_scale = true;
  one.status().abort = true;
  one.status().canary.weights =
      argo::TrafficWeights{.canary = {.weight = 60}, .stable = {.weight = 40}};
  one.made.list[0].available = 4;
  one.made.list[1].available = 6;
  EXPECT_EQ(one.weights(), std::pair(60, 40)) << "four of ten cannot have eighty percent";
  one.made.list[0].available = 8;
  EXPECT_EQ(one.weights(), std::pair(20, 80));
}

TEST(Traffic, ADynamicRollbackFollowsTheStableSet) {
  Case one;
  one.made.rollout.spec.strategy.canary->dynamic_stable_scale = true;
  one.status().current_pod_hash = "stable";
  one.status().current_step_index = 3;
  one.status().canary.weights =
      argo::TrafficWeights{.canary = {.weight = 60, .pod_template_hash = "canary"},
                           .stable = {.weight = 40, .pod_template_hash = "stable"}};
  one.made.list[0].available = 4;
  EXPECT_EQ(one.weights(), std::pair(60, 40));
  one.made.list[0].available = 8;
  EXPECT_EQ(one.weights(), std::pair(20, 80)) << "as much as it can take";
  EXPECT_EQ(one.decide().status.canary.weights->canary.pod_template_hash, "canary");
  one.made.list[0].available = 3;
  EXPECT_EQ(one.weights(), std::pair(60, 40)) << "and never more to the canary";
  one.made.list[0].available = 10;
  EXPECT_EQ(one.weights(), std::pair(0, 100));
}

TEST(Traffic, PromotedItIsAllStable) {
  Case one;
  one.status().stable_rs = "canary";
  one.made.list[1].replicas = one.made.list[1].available = 10;
  EXPECT_EQ(one.weights(), std::pair(0, 100));
}

TEST(Traffic, ExperimentsTakeTheirShareFromStable) {
  Case one;
  argo::RolloutExperimentStep step;
  step.templates = {{.name = "baseline", .weight = 5}, {.name = "other"}};
  one.made.rollout.spec.strategy.canary->steps[1] = {.experiment = step};
  one.status().current_step_index = 1;
  one.status().canary.current_experiment = "e";
  Experiment running;
  running.name = "e";
  running.phase = "Running";
  running.templates = {{"baseline", "e-baseline", "h1"}, {"other", "", "h2"}};
  one.seen.experiments = {running};
  const Plan plan = one.decide();
  const argo::TrafficWeights& weights = *plan.status.canary.weights;
  EXPECT_EQ(weights.canary.weight, 20);
  EXPECT_EQ(weights.stable.weight, 75);
  ASSERT_EQ(weights.additional.size(), 1U);
  EXPECT_EQ(weights.additional[0].service_name, "e-baseline");
  EXPECT_EQ(plan.happenings.at(0).message, "Traffic weight updated to 20, e-baseline to 5");
}

TEST(Traffic, ManagedRoutesAreThoseOfAllStepsSoFar) {
  Case one;
  const auto header = [](std::string name, std::string value) {
    return argo::SetHeaderRoute{
        .name = std::move(name),
        .match = {{.header_name = "X", .header_value = argo::StringMatch{.exact = value}}}};
  };
  auto& steps = one.made.rollout.spec.strategy.canary->steps;
  const argo::CanaryStep weight = steps[0];
  steps = {weight,
           {.set_header_route = header("h", "1")},
           {.set_mirror_route = argo::SetMirrorRoute{.name = "m", .match = {{}}}},
           {.set_header_route = header("h", "2")},
           {.set_header_route = argo::SetHeaderRoute{.name = "h"}},
           weight};
  const auto at = [&](Count step) {
    one.status().current_step_index = step;
    return std::get<RouteTraffic>(one.decide().chores.at(0).action);
  };
  EXPECT_TRUE(at(0).header_routes.empty());
  ASSERT_EQ(at(1).header_routes.size(), 1U);
  EXPECT_TRUE(at(1).mirror_routes.empty());
  EXPECT_EQ(at(2).header_routes.size(), 1U);
  EXPECT_EQ(at(2).mirror_routes.size(), 1U);
  ASSERT_EQ(at(3).header_routes.size(), 1U);
  EXPECT_EQ(at(3).header_routes[0].match[0].header_value->exact, "2");
  EXPECT_TRUE(at(4).header_routes.empty()) << "a step without matches takes it away";
  EXPECT_TRUE(at(5).header_routes.empty());
  EXPECT_EQ(at(5).mirror_routes.size(), 1U);
  EXPECT_EQ(at(6).mirror_routes.size(), 1U) << "until the version is the stable one";
  one.status().promote_full = true;
  EXPECT_TRUE(at(5).mirror_routes.empty());
  one.status().promote_full = false;
  one.status().abort = true;
  EXPECT_TRUE(at(5).mirror_routes.empty());
}

TEST(Traffic, WithoutRouterThereAreNoWeights) {
  Case one;
  one.made.rollout.spec.strategy.canary->traffic_routing->smi.reset();
  one.status().canary.weights.emplace();
  const Plan plan = one.decide();
  EXPECT_FALSE(plan.status.canary.weights);
  EXPECT_TRUE(plan.chores.empty());
}

}  // namespace
}  // namespace slipway::rollout
