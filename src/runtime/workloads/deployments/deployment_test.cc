#include "runtime/workloads/deployments/deployment.h"

#include <gtest/gtest.h>

#include "runtime/workloads/conditions.h"
#include "runtime/workloads/deployments/deployment_replicas.h"
#include "runtime/workloads/deployments/deployment_revision.h"
#include "runtime/workloads/deployments/deployment_status.h"

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

using Sizes = std::vector<std::int64_t>;

SetView set(std::string name, std::int64_t replicas, std::int64_t available, int age = 0) {
  return {.key = {"default", std::move(name)},
          .created = Time(1000s) - age * 1s,
          .replicas = replicas,
          .actual = available,
          .ready = available,
          .available = available};
}

TEST(DeploymentReplicas, PercentRoundsUpForSurgeAndDownForUnavailable) {
  struct Case {
    json::Value value;
    std::int64_t total;
    bool up;
    std::int64_t scaled;
  };
  for (const Case& c : {Case{"25%", 10, true, 3}, Case{"25%", 10, false, 2},
                        Case{"25%", 1, true, 1}, Case{"25%", 1, false, 0}, Case{"100%", 7, true, 7},
                        Case{3, 10, true, 3}, Case{"0%", 10, true, 0}, Case{"x", 10, true, 0}})
    EXPECT_EQ(scaled(c.value, c.total, c.up), c.scaled) << json::write(c.value);
}

TEST(DeploymentReplicas, TheNewSetGrowsIntoTheSurge) {
  const DeploymentView deployment{.replicas = 10, .surge = 3, .unavailable = 2};
  EXPECT_EQ(new_set_replicas(deployment, 10, 0), 3);
  EXPECT_EQ(new_set_replicas(deployment, 13, 3), 3);
  EXPECT_EQ(new_set_replicas(deployment, 11, 3), 5);
  EXPECT_EQ(new_set_replicas(deployment, 0, 0), 10);
  EXPECT_EQ(new_set_replicas(deployment, 9, 9), 10);
  EXPECT_EQ(new_set_replicas({.replicas = 10, .recreate = true}, 10, 0), 10);
}

TEST(DeploymentReplicas, OldSetsShrinkAsFarAsAvailabilityAllows) {
  const DeploymentView deployment{.replicas = 10, .surge = 3, .unavailable = 2};
  struct Case {
    std::string_view rule;
    std::vector<SetView> sets;  // the last is the new one
    Sizes sizes;
  };
  const Case cases[] = {
      {"surge is not available yet", {set("old", 10, 10, 9), set("new", 3, 0)}, {8, 3}},
      {"as many as became available", {set("old", 8, 8, 9), set("new", 5, 3)}, {5, 5}},
      {"nothing to spare", {set("old", 8, 8, 9), set("new", 5, 0)}, {8, 5}},
      {"the sick go first", {set("old", 8, 5, 9), set("new", 5, 3)}, {5, 5}},
      {"the oldest goes first",
       {set("older", 4, 4, 9), set("old", 4, 4, 5), set("new", 5, 2)},
       {2, 4, 5}},
      {"all when the new one is there", {set("old", 3, 3, 9), set("new", 10, 10)}, {0, 10}},
      {"a bad version is taken back", {set("bad", 5, 0, 5), set("good", 8, 7, 9)}, {1, 8}},
  };
  for (const Case& c : cases)
    EXPECT_EQ(shrink_old_sets(deployment, c.sets, c.sets.size() - 1), c.sizes) << c.rule;
}

SetView annotated(SetView view, std::string max, std::string desired = "10") {
  view.annotations[std::string(kMaxReplicas)] = std::move(max);
  view.annotations[std::string(kDesiredReplicas)] = std::move(desired);
  return view;
}

TEST(DeploymentReplicas, AResizeIsSharedInProportion) {
  struct Case {
    std::string_view rule;
    std::int64_t replicas, surge;
    std::vector<SetView> sets;
    std::size_t current;
    Sizes sizes;
  };
  const Case cases[] = {
      {"one set takes all", 5, 1, {set("only", 3, 3)}, 0, {5}},
      {"none active: the new one", 5, 1, {set("old", 0, 0, 9), set("new", 0, 0)}, 1, {0, 5}},
      {"none active and no new one: the latest",
       5,
       1,
       {set("old", 0, 0, 9), set("late", 0, 0)},
       2,
       {0, 5}},
      {"saturated: the old ones go",
       5,
       1,
       {set("old", 2, 2, 9), annotated(set("new", 5, 5), "6", "5")},
       1,
       {0, 5}},
      {"twice as large",
       20,
       6,
       {annotated(set("old", 8, 8, 9), "13"), annotated(set("new", 5, 3), "13")},
       1,
       {16, 10}},
      {"half as large",
       5,
       2,
       {annotated(set("old", 8, 8, 9), "13"), annotated(set("new", 5, 3), "13")},
       1,
       {4, 3}},
      {"to nothing",
       0,
       0,
       {annotated(set("old", 8, 8, 9), "13"), annotated(set("new", 5, 3), "13")},
       1,
       {0, 0}},
      {"leftovers go to the largest",
       13,
       0,
       {annotated(set("a", 5, 5, 9), "11"), annotated(set("b", 5, 5, 8), "11"), set("c", 1, 1)},
       2,
       {6, 6, 1}},
  };
  for (const Case& c : cases)
    EXPECT_EQ(resize_sets({.replicas = c.replicas, .surge = c.surge}, c.sets, c.current), c.sizes)
        << c.rule;
}

TEST(DeploymentRevision, GrowsAndRemembersWhatASetServedAs) {
  DeploymentView deployment{
      .annotations = {{"team", "a"},
                      {std::string(kRevision), "9"},
                      {"kubectl.kubernetes.io/last-applied-configuration", "{}"}}};
  Annotations now = set_annotations(deployment, {}, 1);
  EXPECT_EQ(now, (Annotations{{"team", "a"}, {std::string(kRevision), "1"}}));
  now = set_annotations(deployment, now, 3);
  EXPECT_EQ(now.at(std::string(kRevision)), "3");
  EXPECT_EQ(now.at(std::string(kRevisionHistory)), "1");
  now = set_annotations(deployment, now, 5);
  EXPECT_EQ(now.at(std::string(kRevisionHistory)), "1,3");
  EXPECT_EQ(set_annotations(deployment, now, 4), now);  // never back
}

TEST(DeploymentRevision, HistoryStaysWithinItsLimit) {
  Annotations now{{std::string(kRevision), "1"}};
  for (std::int64_t i = 2; i < 2000; ++i) now = set_annotations({}, now, i);
  const std::string history = now.at(std::string(kRevisionHistory));
  EXPECT_LE(history.size(), kMaxRevisionHistory);
  EXPECT_TRUE(history.ends_with(",1998"));
}

TEST(DeploymentRevision, TheHashTellsTemplatesAndCollisionsApart) {
  const json::Value one = *json::read(R"({"spec":{"hostname":"a","subdomain":"b"}})");
  const json::Value same = *json::read(R"({"spec":{"subdomain":"b","hostname":"a"}})");
  const json::Value other = *json::read(R"({"spec":{"hostname":"a","subdomain":"c"}})");
  EXPECT_EQ(hash_of_template(one, 0), hash_of_template(same, 0));
  EXPECT_NE(hash_of_template(one, 0), hash_of_template(other, 0));
  EXPECT_NE(hash_of_template(one, 0), hash_of_template(one, 1));
}

// A Deployment of three with a status, looked at `after` its last progress.
struct Progress {
  DeploymentView deployment{.key = {"default", "web"},
                            .generation = 2,
                            .replicas = 3,
                            .unavailable = 1,
                            .deadline = 600s};
  std::vector<SetView> sets{set("web-new", 3, 0)};

  Progress() {
    sets[0].current = true;
    deployment.status = json::Object{{"replicas", 3}, {"updatedReplicas", 3}};
    set_progressing(deployment.status, "True", "NewReplicaSetCreated", "made", Time(1000s));
  }
  std::string reason_at(Time now) {
    json::Object status = count_deployment(deployment, sets, now);
    judge_progress(deployment, sets, "web-new", status, now);
    deployment.status = status;
    for (const auto& condition : status.at("conditions").as_array())
      if (condition.at("type") == "Progressing")
        return std::string(condition.at("reason").as_string());
    return {};
  }
};

TEST(DeploymentProgress, TimesOutWhenNothingMovesForTooLong) {
  Progress progress;
  progress.sets[0].actual = 3;
  EXPECT_EQ(progress.reason_at(Time(1500s)), "NewReplicaSetCreated");
  EXPECT_EQ(until_deadline(progress.deployment, progress.deployment.status, Time(1500s)), 101s);
  EXPECT_EQ(progress.reason_at(Time(1601s)), "ProgressDeadlineExceeded");
  EXPECT_EQ(until_deadline(progress.deployment, progress.deployment.status, Time(1601s)),
            std::nullopt);
  progress.sets[0].ready = 1;  // late, but it moves
  EXPECT_EQ(progress.reason_at(Time(1700s)), "ReplicaSetUpdated");
  progress.sets[0].ready = progress.sets[0].available = 3;
  EXPECT_EQ(progress.reason_at(Time(1800s)), "NewReplicaSetAvailable");
  EXPECT_EQ(until_deadline(progress.deployment, progress.deployment.status, Time(1800s)),
            std::nullopt);
  progress.sets[0].available = 1;  // long after: no rollout, so no deadline
  EXPECT_EQ(progress.reason_at(Time(9000s)), "NewReplicaSetAvailable");
}

TEST(DeploymentProgress, EachStepForwardStartsTheClockAnew) {
  Progress progress;
  progress.sets[0].actual = 3;
  for (int i = 1; i <= 2; ++i) {
    progress.sets[0].ready = i;
    EXPECT_EQ(progress.reason_at(Time(1000s + i * 500s)), "ReplicaSetUpdated");
  }
  EXPECT_EQ(until_deadline(progress.deployment, progress.deployment.status, Time(2000s)), 601s);
}

// Times are optional: a condition that somebody wrote without gets them, and nothing that is no
// time is written.
TEST(DeploymentProgress, ConditionsWithoutTimesGetSome) {
  Progress progress;
  progress.sets[0].actual = 3;
  for (const bool moved : {false, true}) {
    progress.deployment.status["conditions"] =
        json::Array{json::Object{{"type", "Available"}, {"status", "False"}, {"reason", "Mine"}},
                    json::Object{{"type", "Progressing"}, {"status", "True"}, {"reason", "Mine"}}};
    progress.sets[0].ready = moved ? 1 : 0;
    progress.reason_at(Time(1500s));
    for (const auto& condition : progress.deployment.status.at("conditions").as_array()) {
      const bool untouched = condition.at("reason") == "Mine";
      EXPECT_EQ(json::string_at(condition, {"lastTransitionTime"}),
                untouched ? "" : format_time(Time(1500s)))
          << json::write(condition);
    }
    EXPECT_EQ(condition_in(progress.deployment.status, "Progressing")->at("reason"),
              moved ? "ReplicaSetUpdated" : "Mine");
  }
}

TEST(DeploymentProgress, TimeSpentPausedDoesNotCount) {
  Progress progress;
  progress.deployment.paused = true;
  judge_pause(progress.deployment, progress.deployment.status, Time(1100s));
  EXPECT_EQ(until_deadline(progress.deployment, progress.deployment.status, Time(1100s)),
            std::nullopt);
  progress.deployment.paused = false;
  judge_pause(progress.deployment, progress.deployment.status, Time(5000s));
  progress.sets[0].actual = 3;
  EXPECT_EQ(progress.reason_at(Time(5100s)), "DeploymentResumed");
  EXPECT_EQ(progress.reason_at(Time(5601s)), "ProgressDeadlineExceeded");
}

TEST(Deployment, KeepsAsManyOldSetsAsHistoryAsksFor) {
  DeploymentView deployment{
      .key = {"default", "web"}, .generation = 1, .replicas = 1, .unavailable = 1, .history = 2};
  deployment.status = *json::read(R"({"observedGeneration":1,"replicas":1,"updatedReplicas":1,
                                      "availableReplicas":1})")
                           ->if_object();
  std::vector<SetView> sets{set("new", 1, 1)};
  sets[0].current = true;
  for (int i = 1; i <= 5; ++i) {
    sets.push_back(set("old" + std::to_string(i), 0, 0, 10 - i));
    sets.back().annotations[std::string(kRevision)] = std::to_string(i);
  }
  sets[1].actual = 1;      // still has a Pod
  sets[2].generation = 2;  // has not seen its last order yet
  const DeploymentPlan plan = decide_deployment(deployment, sets, Time(2000s));
  ASSERT_EQ(plan.remove.size(), 1u);
  EXPECT_EQ(sets[plan.remove[0]].key.name, "old3");
}

}  // namespace
}  // namespace slipway::runtime
