#include <gtest/gtest.h>

#include "api/kinds/argo_names.h"
#include "rollout/objects/pods.h"
#include "rollout/rollout_testing.h"
#include "rollout/strategy/affinity.h"
#include "rollout/strategy/metadata.h"
#include "rollout/strategy/old_sets.h"
#include "rollout/strategy/restart.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

const Time kNow = Time(1'000'000s);

// Four Pods of a stable set, two of a canary.
struct Case {
  Case() {
    made.rollout.spec.replicas = 4;
    made.add("stable", 4, 4);
    made.add("canary", 2, 2);
    for (int i = 0; i < 6; ++i)
      seen.pods.push_back({.name = "p" + std::to_string(i),
                           .uid = "u" + std::to_string(i),
                           .set_uid = i < 4 ? "uid-stable" : "uid-canary",
                           .created = kNow - 1h,
                           .is_ready = true,
                           .is_available = true});
  }
  Draft& draft() {
    seen.rollout = made.rollout;
    seen.sets = made.list;
    seen.hash = "canary";
    seen.now = kNow;
    return made_draft.emplace(seen);
  }
  std::vector<std::string> evicted() {
    std::vector<std::string> names;
    for (const Chore& chore : made_draft->plan.chores)
      if (const auto* one = std::get_if<EvictPod>(&chore.action)) names.push_back(one->name);
    return names;
  }

  Rollouts made;
  Situation seen;
  std::optional<Draft> made_draft;
};

TEST(OldSets, WhatASetStillHasButShallNotDoesNotCountAsSpare) {
  Case one;
  one.made.rollout.spec.replicas = 3;
  one.made.rollout.spec.strategy.canary->max_unavailable = amount("0");
  one.made.list.clear();
  one.made.add("stable", 1, 1);
  one.made.add("canary", 0, 0);
  one.made.add("between", 2, 3);  // one of them is about to go
  EXPECT_FALSE(decide_old_sets_basic(one.draft()));
  one.made.list.back().replicas = 3;
  EXPECT_TRUE(decide_old_sets_basic(one.draft())) << "one of four is to spare";
  one.made.list.front().is_observed = false;  // its Pod may be going still
  EXPECT_FALSE(decide_old_sets_basic(one.draft()));
}

TEST(Restart, NothingBeforeItsTime) {
  Case one;
  EXPECT_FALSE(decide_restart(one.draft()));
  one.made.rollout.spec.restart_at = kNow + 10s;
  EXPECT_FALSE(decide_restart(one.draft()));
  EXPECT_EQ(one.made_draft->plan.again, kNow + 10s);
}

TEST(Restart, SparesWhatASetIsAboutToDoWithoutAnyway) {
  Case one;
  one.made.rollout.spec.restart_at = kNow - 1s;
  one.made.list.front().replicas = 1;  // four are there, three of them about to go
  EXPECT_FALSE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), std::vector<std::string>{});
}

TEST(Restart, LeavesASetAloneThatIsOnItsWayDown) {
  Case one;
  one.made.rollout.spec.restart_at = kNow - 1s;
  one.made.list.front().is_observed = false;  // five, until a moment ago
  EXPECT_TRUE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), std::vector<std::string>{"p4"}) << "the canary's";
  one.made.list.front().is_observed = true;
  one.made.list.front().current = 5;
  EXPECT_TRUE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), std::vector<std::string>{"p4"});
  one.made.list.front().current = 4;
  EXPECT_TRUE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), std::vector<std::string>{"p0"});
}

TEST(Restart, WhatWasEvictedIsNotAvailableWhateverTheStatusSays) {
  Case one;
  one.seen.pods[0].is_deleting = true;
  one.seen.pods[3].is_available = false;  // by our clock
  one.seen.pods[4].is_ready = false;
  one.seen.pods.push_back({.name = "p6", .uid = "u6", .set_uid = "uid-stable"});
  count_available(one.made.list, one.seen.pods);
  EXPECT_EQ(one.made.list[0].available, 3);
  EXPECT_EQ(one.made.list[1].available, 1);
  one.made.list[0].available = 2;
  count_available(one.made.list, one.seen.pods);
  EXPECT_EQ(one.made.list[0].available, 2) << "the set has not heard of one yet";
}

TEST(Restart, EvictsOnlyAsManyAsMayBeMissing) {
  Case one;
  one.made.rollout.spec.restart_at = kNow - 1s;
  EXPECT_TRUE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), std::vector<std::string>{"p0"}) << "a quarter of four";
  one.made.rollout.spec.strategy.canary->max_unavailable = amount("3");
  EXPECT_TRUE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), (std::vector<std::string>{"p0", "p1", "p2"}));
  one.seen.pods[5].is_available = false;
  one.seen.pods[0].created = kNow;
  one.seen.pods[1].is_deleting = true;
  EXPECT_TRUE(decide_restart(one.draft()));
  EXPECT_EQ(one.evicted(), std::vector<std::string>{"p2"})
      << "two are missing already, and one is young enough";
}

TEST(Restart, IsDoneWhenAllAreYounger) {
  Case one;
  one.made.rollout.spec.restart_at = kNow - 10s;
  for (Pod& pod : one.seen.pods) pod.created = kNow - 5s;
  EXPECT_FALSE(decide_restart(one.draft()));
  EXPECT_EQ(one.made_draft->status.restarted_at, kNow - 10s);
}

TEST(Restart, DoesNotWaitForThoseOnTheirWayOut) {
  Case one;
  one.made.rollout.spec.restart_at = kNow - 10s;
  const auto old = one.seen.pods;
  for (Pod& pod : one.seen.pods) pod.is_deleting = true;
  EXPECT_FALSE(decide_restart(one.draft()));
  EXPECT_FALSE(one.made_draft->status.restarted_at) << "they are missed";
  for (Pod pod : old) {
    pod.created = kNow - 5s;
    one.seen.pods.push_back(pod);
  }
  EXPECT_FALSE(decide_restart(one.draft()));
  EXPECT_EQ(one.made_draft->status.restarted_at, kNow - 10s) << "all of them are replaced";
}

TEST(Metadata, GoesToSetsAndPodsAndComesOffAgain) {
  Case one;
  auto& canary = *one.made.rollout.spec.strategy.canary;
  canary.canary_metadata.emplace().labels = {{"role", "canary"}};
  canary.stable_metadata.emplace().labels = {{"role", "stable"}};
  decide_metadata(one.draft());
  std::map<std::string, int> changed;
  for (const Chore& chore : one.made_draft->plan.chores) {
    if (const auto* set = std::get_if<ChangeSet>(&chore.action)) {
      ++changed[set->name];
      EXPECT_TRUE(set->annotations.contains(std::string(argo::kEphemeralMetadata)));
    }
    if (std::holds_alternative<ChangePod>(chore.action)) ++changed["pods"];
  }
  EXPECT_EQ(changed,
            (std::map<std::string, int>{{"web-stable", 1}, {"web-canary", 1}, {"pods", 6}}));

  ReplicaSet& old = one.made.add("older", 0, 0);
  old.annotations[std::string(argo::kEphemeralMetadata)] = R"({"labels":{"role":"canary"}})";
  old.document =
      *json::read(R"({"spec":{"template":{"metadata":{"labels":{"role":"canary","app":"web"}}}}})");
  decide_metadata(one.draft());
  const auto& last = std::get<ChangeSet>(one.made_draft->plan.chores.back().action);
  EXPECT_EQ(last.name, "web-older");
  EXPECT_TRUE(
      json::same(last.pod_template, *json::read(R"({"metadata":{"labels":{"role":null}}})")));
}

// Whoever dies between two writes leaves behind what says what is still to be done.
TEST(Metadata, IsNotForgottenBeforeTheLastPodIsRid) {
  const std::string note(argo::kEphemeralMetadata);
  Case one;
  one.made.rollout.spec.strategy.canary->canary_metadata.emplace().labels = {{"role", "canary"}};
  one.made.rollout.status.stable_rs = "canary";  // promoted
  one.made.list.erase(one.made.list.begin());
  ReplicaSet& set = one.made.list.front();
  set.annotations[note] = R"({"labels":{"role":"canary"}})";
  set.document = *json::read(R"({"spec":{"template":{"metadata":{"labels":{"role":"canary"}}}}})");
  for (Pod& pod : one.seen.pods) pod.labels = {{"role", "canary"}};
  const auto decided = [&] {
    decide_metadata(one.draft());
    std::optional<ChangeSet> change;
    int pods = 0;
    for (const Chore& chore : one.made_draft->plan.chores) {
      if (const auto* found = std::get_if<ChangeSet>(&chore.action)) change = *found;
      pods += std::holds_alternative<ChangePod>(chore.action) ? 1 : 0;
    }
    return std::pair(change, pods);
  };
  auto [first, pods] = decided();
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->pod_template.is_null());
  EXPECT_EQ(first->annotations.at(note), set.annotations[note]);
  EXPECT_EQ(pods, 2);
  // The set was written, one of the Pods was not.
  set.document = *json::read(R"({"spec":{"template":{"metadata":{"labels":{}}}}})");
  for (Pod& pod : one.seen.pods)
    if (pod.name != "p5") pod.labels.clear();
  const auto second = decided();
  EXPECT_FALSE(second.first);
  EXPECT_EQ(second.second, 1);
  one.seen.pods.back().labels.clear();
  const auto third = decided();
  ASSERT_TRUE(third.first);
  EXPECT_EQ(third.first->annotations.at(note), std::nullopt);
  EXPECT_EQ(third.second, 0);
  set.annotations.erase(note);
  EXPECT_FALSE(decided().first);
}

TEST(Affinity, KeepsOffTheNodesOfTheStableSet) {
  Case one;
  one.made.rollout.spec.strategy.canary->anti_affinity.emplace()
      .required_during_scheduling_ignored_during_execution.emplace();
  json::Value pod_template = json::Object{};
  add_affinity(one.made.rollout, "canary", "shop", pod_template);
  const auto* terms = json::at(pod_template, {"spec", "affinity", "podAntiAffinity",
                                              "requiredDuringSchedulingIgnoredDuringExecution"});
  ASSERT_TRUE(terms);
  EXPECT_EQ(terms->at(0).at_pointer("/labelSelector/matchExpressions/0/values/0"), "stable");
  json::Value of_stable = json::Object{};
  add_affinity(one.made.rollout, "stable", "shop", of_stable);
  EXPECT_TRUE(json::same(of_stable, json::Object{}));
}

}  // namespace
}  // namespace slipway::rollout
