#include "rollout/replicas/steps.h"

#include <gtest/gtest.h>

#include "rollout/rollout_testing.h"

namespace slipway::rollout {
namespace {

TEST(CurrentWeight, IsTheNearestSetWeightAtOrBeforeTheStep) {
  Rollouts made;
  made.rollout.spec.strategy.canary->steps = {pause_step(), weight_step(20), pause_step(),
                                              weight_step(60)};
  const Count expected[] = {0, 20, 20, 60, 100};
  const Count before[] = {0, 0, 20, 20, 60};
  for (Count i = 0; i < 5; ++i) {
    made.rollout.status.current_step_index = i;
    EXPECT_EQ(current_weight(made.rollout), expected[i]) << i;
    EXPECT_EQ(previous_weight(made.rollout), before[i]) << i;
  }
  made.rollout.status.abort = true;
  EXPECT_EQ(current_weight(made.rollout), 0);
  made.rollout.status.abort = false;
  made.rollout.spec.strategy.canary->steps.clear();
  EXPECT_EQ(current_weight(made.rollout), 100) << "without steps, everything at once";
}

TEST(DesiredWeight, AnAbortOfADynamicRolloutGoesBackThroughTheSteps) {
  struct Case {
    std::optional<Count> delay;
    Count stable;
    Count weight;
  };
  const Case cases[] = {{{}, 9, 10}, {30, 5, 10}, {30, 9, 0}, {0, 9, 10}};
  for (const auto& [delay, stable, weight] : cases) {
    Rollouts made = routed(10, {weight_step(10), weight_step(50)});
    made.rollout.spec.strategy.canary->dynamic_stable_scale = true;
    made.rollout.spec.strategy.canary->abort_scale_down_delay_seconds = delay;
    made.rollout.status.abort = true;
    made.add("stable", 10, stable);
    made.add("canary", 5, 5);
    EXPECT_EQ(desired_weight(made.rollout, made.sets()), weight)
        << "delay " << delay.value_or(-1) << " stable " << stable;
  }
}

TEST(CanaryScale, IsThatOfTheNearestScaleStep) {
  argo::CanaryStep three{.set_canary_scale = argo::SetCanaryScale{.replicas = 3}};
  argo::CanaryStep half{.set_canary_scale = argo::SetCanaryScale{.weight = 50}};
  argo::CanaryStep match{.set_canary_scale = argo::SetCanaryScale{.match_traffic_weight = true}};
  Rollouts made = routed(10, {three, weight_step(20), half, match, weight_step(30)});
  made.add("stable", 10, 10);
  made.add("canary", 0, 0);
  const auto scale_at = [&](Count index) {
    made.rollout.status.current_step_index = index;
    return canary_scale(made.rollout, made.sets());
  };
  EXPECT_EQ(scale_at(0).replicas, 3);
  EXPECT_EQ(scale_at(1).replicas, 3);
  EXPECT_EQ(scale_at(2).weight, 50);
  EXPECT_EQ(scale_at(3).weight, 20);
  EXPECT_EQ(scale_at(4).weight, 30);
  made.rollout.status.abort = true;
  EXPECT_EQ(scale_at(1).weight, 0);
  EXPECT_FALSE(scale_at(1).replicas);
  made.rollout.spec.strategy.canary->abort_scale_down_delay_seconds = 0;
  EXPECT_EQ(scale_at(1).replicas, 3) << "the canary shall stay up";
  made.rollout.status.promote_full = true;
  EXPECT_EQ(scale_at(1).weight, 100);
}

TEST(IsBeforeBackground, UntilTheStartingStep) {
  Rollouts made;
  made.rollout.spec.strategy.canary->steps = {weight_step(10), weight_step(20), weight_step(30)};
  EXPECT_FALSE(is_before_background(made.rollout));
  made.rollout.spec.strategy.canary->analysis.emplace().starting_step = 2;
  for (Count i = 0; i < 4; ++i) {
    made.rollout.status.current_step_index = i;
    EXPECT_EQ(is_before_background(made.rollout), i < 2) << i;
  }
}

TEST(StepText, NamesEachKind) {
  using Scale = argo::SetCanaryScale;
  const std::pair<argo::CanaryStep, std::string> cases[] = {
      {weight_step(20), "setWeight: 20"},
      {pause_step(), "pause"},
      {pause_step("10m"), "pause: 10m"},
      {{.pause = argo::RolloutPause{api::IntOrString::of(30)}}, "pause: 30"},
      {{.experiment = argo::RolloutExperimentStep{}}, "experiment"},
      {{.analysis = argo::RolloutAnalysis{}}, "analysis"},
      {{.set_canary_scale = Scale{.weight = 20}}, "setCanaryScale{weight: 20}"},
      {{.set_canary_scale = Scale{.replicas = 3}}, "setCanaryScale{replicas: 3}"},
      {{.set_canary_scale = Scale{.match_traffic_weight = true}},
       "setCanaryScale{matchTrafficWeight: true}"},
      {{.set_canary_scale = Scale{}}, "invalid"},
      {{.set_header_route = argo::SetHeaderRoute{.name = "h"}}, "setHeaderRoute: h"},
      {{.set_mirror_route = argo::SetMirrorRoute{.name = "m"}}, "setMirrorRoute: m"},
      {{.plugin = argo::PluginStep{.name = "p"}}, "plugin: p"},
      {{}, "invalid"},
  };
  for (const auto& [step, text] : cases) EXPECT_EQ(step_text(step), text);
}

TEST(Settings, SurgeRoundsUpAndUnavailabilityDown) {
  struct Case {
    Count replicas;
    const char *surge, *unavailable;
    Count more, fewer;
  };
  const Case cases[] = {{10, nullptr, nullptr, 3, 2}, {1, nullptr, nullptr, 1, 0},
                        {10, "25", "25%", 3, 2},      {10, "0", "0%", 0, 1},
                        {10, "0", "15", 0, 1},        {3, "1", "9", 1, 3},
                        {0, nullptr, nullptr, 0, 0}};
  for (const auto& [replicas, surge, unavailable, more, fewer] : cases) {
    Rollouts made;
    made.rollout.spec.replicas = replicas;
    auto& canary = *made.rollout.spec.strategy.canary;
    if (surge) canary.max_surge = api::IntOrString::of(std::string(surge));
    if (unavailable) canary.max_unavailable = api::IntOrString::of(std::string(unavailable));
    if (surge && std::string(surge) == "1") {
      canary.max_surge = amount("1");
      canary.max_unavailable = amount("9");
    }
    EXPECT_EQ(max_surge_of(made.rollout.spec), more) << replicas;
    EXPECT_EQ(max_unavailable_of(made.rollout.spec), fewer) << replicas;
  }
}

TEST(Settings, ADelayOfZeroAfterAnAbortMeansForEver) {
  Rollouts made = routed(1, {});
  EXPECT_EQ(abort_delay_of(made.rollout.spec).delay, std::chrono::seconds(30));
  EXPECT_FALSE(abort_delay_of(made.rollout.spec).is_set);
  made.rollout.spec.strategy.canary->abort_scale_down_delay_seconds = 0;
  EXPECT_FALSE(abort_delay_of(made.rollout.spec).delay);
  EXPECT_TRUE(abort_delay_of(made.rollout.spec).is_set);
}

}  // namespace
}  // namespace slipway::rollout
