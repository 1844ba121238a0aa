#include <gtest/gtest.h>

#include "control/garbage.h"

namespace slipway::control {
namespace {

json::Object object(std::vector<std::string> finalizers = {}, bool deleting = false) {
  json::Object made{{"metadata", json::Object{{"name", "x"}, {"uid", "u"}}}};
  api::set_finalizers(made, finalizers);
  if (deleting) api::metadata_of(made)["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  return made;
}

KnownOwner owner(std::string uid, OwnerState state, bool blocks = false) {
  return {.reference = {.api_version = "v1",
                        .kind = "ConfigMap",
                        .name = uid,
                        .uid = uid,
                        .block_owner_deletion = blocks},
          .state = state};
}

Dependent dependent(bool blocks, bool deleting_foreground = false) {
  return {.id = {}, .uid = "d", .blocks_owner = blocks, .deleting_foreground = deleting_foreground};
}

template <class T>
bool is(const garbage::Plan& plan) {
  return std::holds_alternative<T>(plan);
}

TEST(DecideGarbage, LeavesAloneWhatHasNoOwnerOrLivingOnes) {
  EXPECT_TRUE(is<garbage::Nothing>(decide_garbage(object(), {}, {dependent(true)})));
  EXPECT_TRUE(is<garbage::Nothing>(decide_garbage(object(), {owner("a", OwnerState::kSolid)}, {})));
}

TEST(DecideGarbage, DeletesWhatAllOwnersHaveLeft) {
  const auto plan =
      decide_garbage(object(), {owner("a", OwnerState::kGone), owner("b", OwnerState::kGone)}, {});
  ASSERT_TRUE(is<garbage::Delete>(plan));
  EXPECT_EQ(std::get<garbage::Delete>(plan).propagation, store::Propagation::kBackground);
}

TEST(DecideGarbage, KeepsWhatSomebodyElseOwnsAndDropsTheRest) {
  const auto plan = decide_garbage(object(),
                                   {owner("a", OwnerState::kGone), owner("b", OwnerState::kSolid),
                                    owner("c", OwnerState::kWaiting)},
                                   {});
  ASSERT_TRUE(is<garbage::DropOwners>(plan));
  EXPECT_EQ(std::get<garbage::DropOwners>(plan).uids, (std::vector<std::string>{"a", "c"}));
}

TEST(DecideGarbage, FollowsTheFinalizerOfWhatItDeletes) {
  const auto orphan = decide_garbage(object({"orphan"}), {owner("a", OwnerState::kGone)}, {});
  EXPECT_EQ(std::get<garbage::Delete>(orphan).propagation, store::Propagation::kOrphan);
  const auto foreground =
      decide_garbage(object({"foregroundDeletion"}), {owner("a", OwnerState::kGone)}, {});
  EXPECT_EQ(std::get<garbage::Delete>(foreground).propagation, store::Propagation::kForeground);
}

TEST(DecideGarbage, GoesInTheForegroundWhenItsOwnerWaitsAndOthersHangOnIt) {
  const std::vector<KnownOwner> owners{owner("a", OwnerState::kWaiting, true)};
  EXPECT_EQ(
      std::get<garbage::Delete>(decide_garbage(object(), owners, {dependent(true)})).propagation,
      store::Propagation::kForeground);
  EXPECT_EQ(std::get<garbage::Delete>(decide_garbage(object(), owners, {})).propagation,
            store::Propagation::kBackground);
}

TEST(DecideGarbage, BreaksACircleOfForegroundDeletions) {
  const auto plan =
      decide_garbage(object(), {owner("a", OwnerState::kWaiting, true)}, {dependent(true, true)});
  EXPECT_TRUE(is<garbage::UnblockOwners>(plan));
  const auto next =
      decide_garbage(object(), {owner("a", OwnerState::kWaiting, false)}, {dependent(true, true)});
  EXPECT_TRUE(is<garbage::Delete>(next)) << "once it blocks nobody it goes";
}

TEST(DecideGarbage, OrphansDependentsBeforeItGoes) {
  EXPECT_TRUE(is<garbage::OrphanDependents>(
      decide_garbage(object({"orphan"}, true), {}, {dependent(false)})));
  const auto plan = decide_garbage(object({"orphan"}, true), {}, {});
  ASSERT_TRUE(is<garbage::FinishFinalizer>(plan));
  EXPECT_EQ(std::get<garbage::FinishFinalizer>(plan).finalizer, "orphan");
}

TEST(DecideGarbage, WaitsInTheForegroundOnlyForDependentsThatBlock) {
  EXPECT_TRUE(is<garbage::AwaitDependents>(decide_garbage(object({"foregroundDeletion"}, true), {},
                                                          {dependent(false), dependent(true)})));
  EXPECT_TRUE(is<garbage::FinishFinalizer>(
      decide_garbage(object({"foregroundDeletion"}, true), {}, {dependent(false)})));
}

TEST(DecideGarbage, LeavesOtherFinalizersToTheirOwners) {
  EXPECT_TRUE(is<garbage::Nothing>(decide_garbage(
      object({"example.com/mine"}, true), {owner("a", OwnerState::kGone)}, {dependent(true)})));
}

}  // namespace
}  // namespace slipway::control
