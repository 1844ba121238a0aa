#include "rollout/facts.h"

#include <gtest/gtest.h>

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

json::Value read(std::string_view text) {
  auto value = json::read(text);
  EXPECT_TRUE(value) << text;
  return value ? std::move(*value) : json::Value();
}

TEST(RolloutFacts, AreThoseThatArgoTells) {
  const auto facts = facts_of(read(R"({
    "spec": {"replicas": 5, "strategy": {"canary": {"trafficRouting": {"nginx": {"stableIngress": "web"}}}}},
    "status": {"replicas": 6, "availableReplicas": 4, "updatedReplicas": 1, "conditions": [
      {"type": "Available", "status": "True", "reason": "AvailableReason"},
      {"type": "Progressing", "status": "Unknown", "reason": "RolloutPaused"}]}})"));
  EXPECT_EQ(facts, (RolloutFacts{.strategy = "canary",
                                 .router = "Nginx",
                                 .phase = "Paused",
                                 .desired = 5,
                                 .available = 4,
                                 .unavailable = 2,
                                 .updated = 1}));
}

TEST(RolloutFacts, OfOneThatIsNewHaveDefaults) {
  EXPECT_EQ(facts_of(read(R"({"spec": {"strategy": {"blueGreen": {"activeService": "web"}}}})")),
            (RolloutFacts{.strategy = "blueGreen", .phase = "Progressing", .desired = 1}));
  EXPECT_EQ(facts_of(read("{}")).strategy, "none");
}

TEST(RolloutFacts, ThePhaseIsByTheConditions) {
  struct Case {
    std::string_view type, reason, phase;
  };
  for (const auto& [type, reason, phase] :
       {Case{"Progressing", "NewReplicaSetAvailable", "Completed"},
        Case{"Progressing", "RolloutPaused", "Paused"},
        Case{"Progressing", "ProgressDeadlineExceeded", "Timeout"},
        Case{"Progressing", "RolloutAborted", "Abort"},
        Case{"Progressing", "ReplicaSetCreateError", "Error"},
        Case{"Progressing", "ReplicaSetUpdated", "Progressing"},
        Case{"Healthy", "NewReplicaSetAvailable", "Progressing"},
        Case{"InvalidSpec", "InvalidSpec", "InvalidSpec"}}) {
    const auto rollout =
        read(R"({"status": {"conditions": [{"type": "Progressing", "reason": "x"}, {"type": ")" +
             std::string(type) + R"(", "reason": ")" + std::string(reason) + R"("}]}})");
    EXPECT_EQ(facts_of(rollout).phase, phase) << reason;
  }
}

TEST(RolloutFacts, APluginIsNamed) {
  EXPECT_EQ(facts_of(read(R"({"spec": {"strategy": {"canary": {"trafficRouting":
                          {"plugins": {"argoproj-labs/gatewayAPI": {"httpRoute": "web"}}}}}}})"))
                .router,
            "argoproj-labs/gatewayAPI");
  EXPECT_EQ(facts_of(read(R"({"spec": {"strategy": {"canary": {"trafficRouting":
                          {"gatewayAPI": {"httpRoute": "web"}}}}}})"))
                .router,
            "GatewayAPI");
}

using Duration = api::argo::RolloutDuration;
const Time kStart = Time(1'700'000'000s);

TEST(UpdateTimes, AnUpdateIsCountedOnceWhenItHasEnded) {
  UpdateTimes times;
  const Duration running{.rollout_started_at = kStart, .total_manual_pause_duration_seconds = 40};
  Duration ended = running;
  ended.finished_at = kStart + 100s;
  ended.completion_status = "Promoted";
  times.see(std::nullopt, running);
  times.see(running, running);
  EXPECT_TRUE(times.by_end().empty());
  times.see(running, ended);
  times.see(ended, ended);
  ASSERT_EQ(times.by_end().size(), 1u);
  const auto& promoted = times.by_end().at("Promoted");
  EXPECT_EQ(promoted.all.count(), 1u);
  EXPECT_DOUBLE_EQ(promoted.all.sum(), 100);
  EXPECT_DOUBLE_EQ(promoted.progression.sum(), 60);
  EXPECT_DOUBLE_EQ(promoted.manual_pause.sum(), 40);
}

TEST(UpdateTimes, AnUpdateThatBeginsEndsTheOneBefore) {
  UpdateTimes times;
  const Duration first{.rollout_started_at = kStart, .manual_pause_started_at = kStart + 10s};
  const Duration second{.rollout_started_at = kStart + 30s};
  times.see(first, second);
  ASSERT_TRUE(times.by_end().contains("Superseded"));
  EXPECT_DOUBLE_EQ(times.by_end().at("Superseded").all.sum(), 30);
  EXPECT_DOUBLE_EQ(times.by_end().at("Superseded").manual_pause.sum(), 20);
}

TEST(UpdateTimes, OneThatEndsAfterAnotherThatHadEndedIsCounted) {
  UpdateTimes times;
  const Duration first{
      .rollout_started_at = kStart, .finished_at = kStart + 5s, .completion_status = "Aborted"};
  const Duration second{.rollout_started_at = kStart + 30s,
                        .finished_at = kStart + 31s,
                        .completion_status = "Promoted"};
  times.see(first, second);
  EXPECT_EQ(times.by_end().size(), 1u);
  EXPECT_DOUBLE_EQ(times.by_end().at("Promoted").all.sum(), 1);
}

}  // namespace
}  // namespace slipway::rollout
