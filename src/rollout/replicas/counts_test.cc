#include "rollout/replicas/counts.h"

#include <gtest/gtest.h>

#include "rollout/rollout_testing.h"

namespace slipway::rollout {
namespace {

struct DivideCase {
  Count replicas, weight, surge, canary, stable;
};

TEST(Divide, ComesAsNearToTheWeightAsPodsAllow) {
  const DivideCase cases[] = {
      {1, 49, 0, 0, 1},    {1, 50, 0, 1, 0}, {1, 1, 1, 1, 1},  {1, 100, 1, 1, 0}, {3, 50, 0, 2, 1},
      {3, 10, 1, 1, 3},    {3, 33, 1, 1, 2}, {3, 49, 1, 2, 2}, {0, 50, 1, 0, 0},  {10, 0, 1, 0, 10},
      {10, 100, 1, 10, 0}, {2, 1, 0, 1, 1},  {2, 99, 0, 1, 1}, {10, 25, 0, 3, 7}, {10, 1, 0, 1, 9},
      {10, 99, 0, 9, 1},   {5, 20, 0, 1, 4}, {4, 50, 0, 2, 2},
  };
  for (const auto& [replicas, weight, surge, canary, stable] : cases)
    EXPECT_EQ(divide({.replicas = replicas, .weight = weight, .max_surge = surge}),
              (Counts{canary, stable}))
        << replicas << "@" << weight << " surge " << surge;
}

TEST(Divide, CountsInTheRoutersOwnUnits) {
  EXPECT_EQ(divide({.replicas = 10, .weight = 250, .max_weight = 1000}), (Counts{3, 7}));
}

TEST(Divide, NeverLeavesASideWithTrafficWithoutPods) {
  for (Count replicas = 2; replicas <= 30; ++replicas)
    for (Count weight = 1; weight < 100; ++weight)
      for (Count surge : {0, 1}) {
        const Counts counts = divide({.replicas = replicas, .weight = weight, .max_surge = surge});
        EXPECT_GE(counts.canary, 1) << replicas << "@" << weight;
        EXPECT_GE(counts.stable, 1) << replicas << "@" << weight;
        EXPECT_LE(counts.canary + counts.stable, replicas + surge);
      }
}

TEST(ShareOf, RoundsUp) {
  EXPECT_EQ(share_of(10, 25, 100), 3);
  EXPECT_EQ(share_of(10, 33, 100), 4);
  EXPECT_EQ(share_of(10, 99, 100), 10);
  EXPECT_EQ(share_of(10, 0, 100), 0);
  EXPECT_EQ(share_of(2'000'000'000, 100, 100), 2'000'000'000);
}

struct BasicCase {
  Count replicas, weight;
  const char *surge, *unavailable;
  Count stable_wanted, stable_available, canary_wanted, canary_available;
  Count stable, canary;
};

Counts counts_of(const BasicCase& given) {
  Rollouts made;
  made.rollout.spec.replicas = given.replicas;
  made.rollout.spec.strategy.canary->max_surge = amount(given.surge);
  made.rollout.spec.strategy.canary->max_unavailable = amount(given.unavailable);
  made.rollout.spec.strategy.canary->steps = {weight_step(given.weight)};
  made.add("stable", given.stable_wanted, given.stable_available);
  made.add("canary", given.canary_wanted, given.canary_available);
  return basic_counts(made.rollout, made.sets());
}

TEST(BasicCounts, GoesTowardTheDivisionWithinSurgeAndAvailability) {
  const BasicCase cases[] = {
      {10, 20, "2", "0", 10, 10, 0, 0, 10, 2},  {10, 20, "20%", "0", 10, 10, 2, 2, 8, 2},
      {10, 30, "2", "0", 10, 10, 0, 0, 10, 2},  {10, 0, "1", "1", 10, 10, 1, 1, 10, 0},
      {10, 100, "1", "1", 1, 1, 10, 10, 0, 10}, {10, 100, "1", "0", 10, 2, 10, 8, 2, 9},
      {10, 30, "0", "3", 8, 5, 4, 4, 7, 3},     {4, 100, "1", "0", 4, 1, 0, 0, 4, 1},
      {4, 0, "1", "0", 0, 0, 4, 4, 1, 4},       {4, 0, "1", "0", 1, 1, 4, 4, 1, 3},
      {10, 10, "1", "1", 10, 10, 0, 0, 9, 1},   {10, 30, "0", "5", 10, 10, 0, 0, 7, 0},
      {3, 99, "0", "2", 3, 3, 0, 0, 1, 0},      {10, 100, "3", "0", 7, 8, 6, 3, 7, 6},
      {10, 20, "0", "2", 10, 10, 0, 0, 8, 0},
  };
  for (const auto& one : cases) {
    const Counts counts = counts_of(one);
    EXPECT_EQ(counts.stable, one.stable) << one.replicas << "@" << one.weight << " stable";
    EXPECT_EQ(counts.canary, one.canary) << one.replicas << "@" << one.weight << " canary";
  }
}

TEST(BasicCounts, OthersGoDownBeforeEither) {
  Rollouts made;
  made.rollout.spec.replicas = 4;
  made.rollout.spec.strategy.canary->steps = {weight_step(50)};
  made.add("stable", 4, 4);
  made.add("canary", 0, 0);
  made.add("older", 1, 1);
  EXPECT_EQ(basic_counts(made.rollout, made.sets()), (Counts{0, 4}));
}

TEST(BasicCounts, AFirstDeploymentHasEverything) {
  Rollouts made;
  made.rollout.spec.replicas = 3;
  made.rollout.status.stable_rs.clear();
  made.add("canary", 0, 0);
  EXPECT_EQ(basic_counts(made.rollout, made.sets()), (Counts{3, 0}));
}

// Whatever is available and wherever it starts, repeating the decision with Pods that come and go
// as told ends at the division, never over the surge, never under what must be available.
TEST(BasicCounts, EndsAtTheDivisionWithoutBreakingItsLimits) {
  for (Count replicas = 1; replicas <= 12; ++replicas)
    for (Count weight : {0, 1, 10, 33, 50, 75, 99, 100})
      for (const char* surge : {"0", "1", "25%", "100%"})
        for (const char* unavailable : {"0", "1", "25%"}) {
          Rollouts made;
          made.rollout.spec.replicas = replicas;
          auto& canary = *made.rollout.spec.strategy.canary;
          canary.max_surge = amount(surge);
          canary.max_unavailable = amount(unavailable);
          canary.steps = {weight_step(weight)};
          made.add("stable", replicas, replicas);
          made.add("canary", 0, 0);
          for (int i = 0; i < 60; ++i) {
            const Counts next = basic_counts(made.rollout, made.sets());
            ASSERT_LE(next.canary + next.stable, replicas + max_surge_of(made.rollout.spec));
            made.list[0].replicas = made.list[0].available = next.stable;
            made.list[1].replicas = next.canary;
            ASSERT_GE(next.stable + std::min(next.canary, made.list[1].available),
                      replicas - max_unavailable_of(made.rollout.spec));
            made.list[1].available = next.canary;  // a moment later
          }
          EXPECT_EQ((Counts{made.list[1].replicas, made.list[0].replicas}),
                    divide({.replicas = replicas,
                            .weight = weight,
                            .max_surge = max_surge_of(made.rollout.spec)}))
              << replicas << "@" << weight << " surge " << surge << " unavailable " << unavailable;
        }
}

TEST(RoutedCounts, TheStableSetStaysFullUnlessItIsDynamic) {
  Rollouts made = routed(10, {weight_step(25)});
  made.add("stable", 10, 10);
  made.add("canary", 0, 0);
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), {}), (Counts{3, 10}));
  made.rollout.spec.strategy.canary->dynamic_stable_scale = true;
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), {}), (Counts{3, 8}));
  argo::TrafficWeights weights{.canary = {.weight = 0}, .stable = {.weight = 100}};
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), weights), (Counts{3, 10}))
      << "as long as it has the traffic";
}

TEST(RoutedCounts, KeepsTheLeastNumberOfPods) {
  Rollouts made = routed(10, {weight_step(1)});
  made.rollout.spec.strategy.canary->min_pods_per_replica_set = 2;
  made.add("stable", 10, 10);
  made.add("canary", 0, 0);
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), {}).canary, 2);
  made.rollout.spec.replicas = 1;
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), {}).canary, 1) << "but not more than all";
  made.rollout.spec.strategy.canary->steps = {weight_step(0)};
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), {}).canary, 0);
}

TEST(RoutedCounts, ADynamicAbortKeepsTheCanaryWhileItHasTraffic) {
  Rollouts made = routed(10, {weight_step(50)});
  made.rollout.spec.strategy.canary->dynamic_stable_scale = true;
  made.rollout.status.abort = true;
  made.add("stable", 5, 5);
  made.add("canary", 5, 5);
  argo::TrafficWeights weights{.canary = {.weight = 50}, .stable = {.weight = 50}};
  EXPECT_EQ(routed_counts(made.rollout, made.sets(), weights), (Counts{5, 10}));
}

TEST(IsEnough, FollowsTheThreshold) {
  const ReplicaSet set{.replicas = 10, .available = 7};
  EXPECT_FALSE(is_enough({}, &set, 10));
  EXPECT_FALSE(is_enough({}, &set, 7)) << "ten are wanted still";
  using Threshold = argo::ReplicaProgressThreshold;
  EXPECT_TRUE(is_enough(Threshold{"Percent", 70}, &set, 10));
  EXPECT_FALSE(is_enough(Threshold{"Percent", 71}, &set, 10));
  EXPECT_TRUE(is_enough(Threshold{"Percent", 70}, &set, 0));
  EXPECT_TRUE(is_enough(Threshold{"Pods", 7}, &set, 10));
  EXPECT_FALSE(is_enough(Threshold{"Pods", 8}, &set, 10));
  EXPECT_FALSE(is_enough(Threshold{"Pods", 1}, nullptr, 10));
}

TEST(IsAtCounts, OldPodsOfABasicCanaryMustBeGone) {
  Rollouts made;
  made.rollout.spec.replicas = 4;
  made.rollout.spec.strategy.canary->steps = {weight_step(50)};
  made.add("stable", 2, 2);
  made.add("canary", 2, 2);
  EXPECT_TRUE(is_at_counts(made.rollout, made.sets(), {}));
  made.list[0].current = 3;
  EXPECT_FALSE(is_at_counts(made.rollout, made.sets(), {})) << "one of the stable still ends";
  made.list[0].current = 2;
  made.add("older", 0, 1);
  EXPECT_FALSE(is_at_counts(made.rollout, made.sets(), {}));
}

TEST(PreviewCount, GrowsOnceTheCheckpointIsPassed) {
  Rollouts made = blue_green(5);
  made.rollout.spec.strategy.blue_green->preview_replica_count = 2;
  made.rollout.status.blue_green.active_selector = "stable";
  made.add("stable", 5, 5);
  made.add("canary", 0, 0);
  EXPECT_EQ(preview_count(made.rollout, made.sets()), 2);
  made.rollout.status.blue_green.scale_up_preview_check_point = true;
  EXPECT_EQ(preview_count(made.rollout, made.sets()), 5);
  made.rollout.status.pause_conditions = {{.reason = "BlueGreenPause"}};
  EXPECT_EQ(preview_count(made.rollout, made.sets()), 2);
  made.rollout.status.promote_full = true;
  EXPECT_EQ(preview_count(made.rollout, made.sets()), 5);
}

}  // namespace
}  // namespace slipway::rollout
