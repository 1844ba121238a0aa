#include <gtest/gtest.h>

#include "rollout/rollout_testing.h"
#include "rollout/status/conditions.h"
#include "rollout/status/duration.h"
#include "rollout/status/phase.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

const Time kNow = Time(1'000'000s);

TEST(Pause, WhatIsThereKeepsItsStart) {
  argo::RolloutStatus before;
  before.pause_conditions = {{.reason = std::string(kCanaryPause), .start_time = kNow - 60s}};
  before.controller_pause = true;
  argo::RolloutStatus after;
  apply_pauses(before, {.add = {kCanaryPause, kInconclusiveAnalysis}}, kNow, after);
  ASSERT_EQ(after.pause_conditions.size(), 2U);
  EXPECT_EQ(after.pause_conditions[0].start_time, kNow - 60s);
  EXPECT_EQ(after.pause_conditions[1].start_time, kNow);
  EXPECT_TRUE(after.controller_pause);
  apply_pauses(before, {.remove = {kCanaryPause}}, kNow, after);
  EXPECT_TRUE(after.pause_conditions.empty());
  EXPECT_FALSE(after.controller_pause);
}

TEST(Pause, AnAbortClearsPausesAndKeepsItsTime) {
  argo::RolloutStatus before;
  before.pause_conditions = {{.reason = std::string(kCanaryPause), .start_time = kNow}};
  PauseChange change;
  change.abort("why");
  argo::RolloutStatus after;
  apply_pauses(before, change, kNow, after);
  EXPECT_TRUE(after.abort);
  EXPECT_EQ(after.aborted_at, kNow);
  EXPECT_TRUE(after.pause_conditions.empty());
  argo::RolloutStatus later;
  apply_pauses(after, {}, kNow + 60s, later);
  EXPECT_EQ(later.aborted_at, kNow);
  apply_pauses(after, {.lifts_abort = true}, kNow + 60s, later);
  EXPECT_FALSE(later.abort);
  EXPECT_FALSE(later.aborted_at);
}

TEST(Pause, TheLaterOfAnAbortAndAFullPromotionCounts) {
  Rollouts made;
  made.rollout.status = {.abort = true, .promote_full = true};
  heed_people(made.rollout);
  EXPECT_TRUE(made.rollout.status.abort) << "no look has seen it yet";
  EXPECT_FALSE(made.rollout.status.promote_full);
  made.rollout.status.promote_full = true;
  made.rollout.status.aborted_at = kNow;
  heed_people(made.rollout);
  EXPECT_FALSE(made.rollout.status.abort);
  EXPECT_TRUE(made.rollout.status.promote_full);
}

TEST(Pause, OfAStepIsOverWhenResumedOrLongEnough) {
  Rollouts made;
  const argo::RolloutPause minute{api::IntOrString::of(60)};
  EXPECT_FALSE(is_canary_pause_over(made.rollout, minute, kNow)) << "not begun";
  made.rollout.status.controller_pause = true;
  EXPECT_TRUE(is_canary_pause_over(made.rollout, {}, kNow)) << "resumed";
  made.rollout.status.pause_conditions = {
      {.reason = std::string(kCanaryPause), .start_time = kNow - 59s}};
  EXPECT_FALSE(is_canary_pause_over(made.rollout, minute, kNow));
  EXPECT_TRUE(is_canary_pause_over(made.rollout, minute, kNow + 1s));
  EXPECT_FALSE(is_canary_pause_over(made.rollout, {}, kNow + 999h));
}

TEST(Pause, OfBlueGreenIsOverWhenEnabledResumedOrLongEnough) {
  Rollouts made = blue_green(1);
  auto& strategy = *made.rollout.spec.strategy.blue_green;
  EXPECT_FALSE(needs_blue_green_pause(strategy));
  EXPECT_TRUE(is_blue_green_pause_over(made.rollout, {}, kNow));
  strategy.auto_promotion_enabled = false;
  EXPECT_TRUE(needs_blue_green_pause(strategy));
  EXPECT_FALSE(is_blue_green_pause_over(made.rollout, {}, kNow));
  made.rollout.status.controller_pause = true;
  EXPECT_TRUE(is_blue_green_pause_over(made.rollout, {}, kNow));
  EXPECT_FALSE(is_blue_green_pause_over(made.rollout, {.add = {kBlueGreenPause}}, kNow));
  made.rollout.status.pause_conditions = {
      {.reason = std::string(kBlueGreenPause), .start_time = kNow}};
  EXPECT_FALSE(is_blue_green_pause_over(made.rollout, {}, kNow + 1h));
  strategy.auto_promotion_enabled = true;
  strategy.auto_promotion_seconds = 30;
  EXPECT_FALSE(is_blue_green_pause_over(made.rollout, {}, kNow + 29s));
  EXPECT_TRUE(is_blue_green_pause_over(made.rollout, {}, kNow + 30s));
}

TEST(Conditions, SameStatusAndReasonChangesNothing) {
  argo::RolloutStatus status;
  EXPECT_TRUE(set_condition(status, {"A", "True", "r", "m"}, kNow));
  EXPECT_FALSE(set_condition(status, {"A", "True", "r", "other"}, kNow + 1s));
  EXPECT_EQ(status.conditions[0].message, "m");
  EXPECT_TRUE(set_condition(status, {"A", "True", "s", "m"}, kNow + 2s));
  EXPECT_EQ(status.conditions[0].last_transition_time, kNow);
  EXPECT_EQ(status.conditions[0].last_update_time, kNow + 2s);
  EXPECT_TRUE(set_condition(status, {"A", "False", "s", "m"}, kNow + 3s));
  EXPECT_EQ(status.conditions[0].last_transition_time, kNow + 3s);
  EXPECT_EQ(status.conditions.size(), 1U);
}

struct PhaseCase {
  const char* name;
  std::function<void(argo::Rollout&)> change;
  Phase phase;
};

// A canary that is through, and what makes it otherwise.
TEST(PhaseOf, SaysWhatIsMissing) {
  const PhaseCase cases[] = {
      {"nothing", [](auto&) {}, {"Healthy", ""}},
      {"invalid",
       [](auto& r) { set_condition(r.status, {kInvalidSpec, "True", kInvalidSpec, "bad"}, kNow); },
       {"Degraded", "InvalidSpec: bad"}},
      {"aborted",
       [](auto& r) {
         r.spec.paused = true;
         set_condition(r.status, {kProgressing, "False", kAbortedReason, "gone"}, kNow);
       },
       {"Degraded", "RolloutAborted: gone"}},
      {"timed out",
       [](auto& r) {
         set_condition(r.status, {kProgressing, "False", kTimedOutReason, "slow"}, kNow);
       },
       {"Degraded", "ProgressDeadlineExceeded: slow"}},
      {"paused", [](auto& r) { r.spec.paused = true; }, {"Paused", "manually paused"}},
      {"pause", [](auto& r) { r.status.pause_conditions = {{.reason = "X"}}; }, {"Paused", "X"}},
      {"restart",
       [](auto& r) { r.spec.restart_at = kNow; },
       {"Progressing", "rollout is restarting"}},
      {"few",
       [](auto& r) { r.status.updated_replicas = 1; },
       {"Progressing", "more replicas need to be updated"}},
      {"unavailable",
       [](auto& r) { r.status.available_replicas = 1; },
       {"Progressing", "updated replicas are still becoming available"}},
      {"old",
       [](auto& r) { r.status.replicas = 3; },
       {"Progressing", "old replicas are pending termination"}},
      {"old behind a router",
       [](auto& r) {
         r.status.replicas = 3;
         r.spec.strategy.canary->traffic_routing.emplace();
       },
       {"Healthy", ""}},
      {"steps",
       [](auto& r) { r.status.stable_rs = "other"; },
       {"Progressing", "waiting for all steps to complete"}},
  };
  for (const PhaseCase& one : cases) {
    Rollouts made;
    made.rollout.spec.replicas = 2;
    made.rollout.status.stable_rs = "canary";
    made.rollout.status.replicas = made.rollout.status.updated_replicas =
        made.rollout.status.available_replicas = 2;
    one.change(made.rollout);
    const Phase phase = phase_of(made.rollout.spec, made.rollout.status);
    EXPECT_EQ(phase.phase, one.phase.phase) << one.name;
    EXPECT_EQ(phase.message, one.phase.message) << one.name;
  }
}

TEST(PhaseOf, BlueGreenWaitsForItsServiceAndItsAnalysis) {
  Rollouts made = blue_green(1);
  auto& status = made.rollout.status;
  status.replicas = status.updated_replicas = status.available_replicas = 1;
  const auto message = [&] { return phase_of(made.rollout.spec, status).message; };
  EXPECT_EQ(message(), "active service cutover pending");
  status.blue_green.active_selector = "canary";
  EXPECT_EQ(message(), "waiting for post-promotion verification to complete");
  made.rollout.spec.strategy.blue_green->post_promotion_analysis.emplace();
  EXPECT_EQ(message(), "waiting for analysis to complete");
  status.stable_rs = "canary";
  EXPECT_EQ(message(), "");
}

TEST(Duration, CountsThePausesOfPeopleAlone) {
  std::optional<argo::RolloutDuration> duration;
  end_duration(duration, "Promoted", kNow);
  EXPECT_FALSE(duration);
  duration = begin_duration(duration, kNow);
  count_manual_pause(duration, true, kNow + 10s);
  count_manual_pause(duration, true, kNow + 20s);
  count_manual_pause(duration, false, kNow + 40s);
  EXPECT_EQ(duration->total_manual_pause_duration_seconds, 30);
  count_manual_pause(duration, true, kNow + 50s);
  end_duration(duration, "Promoted", kNow + 55s);
  EXPECT_EQ(duration->total_manual_pause_duration_seconds, 35);
  end_duration(duration, "Aborted", kNow + 99s);
  EXPECT_EQ(duration->completion_status, "Promoted");
  EXPECT_EQ(duration->finished_at, kNow + 55s);
}

TEST(Duration, EachUpdateHasASecondOfItsOwn) {
  std::optional<argo::RolloutDuration> first = begin_duration(std::nullopt, kNow + 300ms);
  EXPECT_EQ(first->rollout_started_at, kNow) << "as it is written";
  std::optional<argo::RolloutDuration> second = begin_duration(first, kNow + 600ms);
  EXPECT_EQ(second->rollout_started_at, kNow + 1s);
  end_duration(second, "Aborted", kNow + 700ms);
  EXPECT_EQ(second->finished_at, kNow + 1s) << "not before it began";
  EXPECT_EQ(begin_duration(second, kNow + 60s).rollout_started_at, kNow + 60s);
}

}  // namespace
}  // namespace slipway::rollout
