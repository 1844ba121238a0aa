#include <gmock/gmock.h>

#include "store/contract.h"

namespace slipway::store {

using testing::HasSubstr;

namespace {
json::Object with_finalizers(json::Object object, std::string_view finalizers) {
  object["metadata"].as_object()["finalizers"] = parse_value(finalizers);
  return object;
}
}  // namespace

TEST_P(StoreContract, RemoveTakesAnObjectWithoutFinalizersAway) {
  create(kConfigMaps, config_map("a"));
  Store::Deleted deleted = remove(kConfigMaps, "a");
  EXPECT_TRUE(deleted.gone);
  EXPECT_EQ(refusal(run(store().get(kConfigMaps, key("a")))), to_string(ErrorCode::kNotFound));
  Result<Store::Deleted> again = run(store().remove(kConfigMaps, key("a"), {}));
  ASSERT_EQ(refusal(again), to_string(ErrorCode::kNotFound));
  EXPECT_EQ(again.error().message, R"(configmaps "a" not found)");
}

TEST_P(StoreContract, FinalizersHoldAnObjectUntilTheLastIsGone) {
  Item made = create(kConfigMaps,
                     with_finalizers(config_map("a"), R"(["example.com/a", "example.com/b"])"));
  Store::Deleted deleted = remove(kConfigMaps, "a");
  EXPECT_FALSE(deleted.gone);
  EXPECT_GT(deleted.item.version, made.version);
  EXPECT_NE(at(deleted.item, "metadata.deletionTimestamp"), "");
  EXPECT_EQ(at(deleted.item, "metadata.deletionGracePeriodSeconds"), "0");

  Store::Deleted again = remove(kConfigMaps, "a");
  EXPECT_FALSE(again.gone);
  EXPECT_EQ(again.item.version, deleted.item.version);

  patch(kConfigMaps, "a",
        {PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": ["example.com/b"]}})")});
  EXPECT_NE(at(get(kConfigMaps, "a"), "metadata.deletionTimestamp"), "");
  patch(kConfigMaps, "a",
        {PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")});
  EXPECT_EQ(refusal(run(store().get(kConfigMaps, key("a")))), to_string(ErrorCode::kNotFound));
}

TEST_P(StoreContract, AnObjectThatIsBeingDeletedGetsNoNewFinalizers) {
  create(kConfigMaps, with_finalizers(config_map("a"), R"(["example.com/a"])"));
  remove(kConfigMaps, "a");
  Patch more{PatchType::kMerge,
             parse_value(R"({"metadata": {"finalizers": ["example.com/a", "example.com/c"]}})")};
  Result<Item> refused = run(store().patch(kConfigMaps, key("a"), more, {}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kInvalid));
  EXPECT_THAT(refused.error().message,
              HasSubstr("no new finalizers can be added if the object is being deleted"));
  patch(kConfigMaps, "a",
        {PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")});
}

TEST_P(StoreContract, CreateOverAnObjectThatIsBeingDeletedSaysSo) {
  create(kConfigMaps, with_finalizers(config_map("a"), R"(["example.com/a"])"));
  remove(kConfigMaps, "a");
  Result<Item> refused = run(store().create(kConfigMaps, ns(), config_map("a"), {}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kAlreadyExists));
  EXPECT_EQ(refused.error().message, R"(object is being deleted: configmaps "a" already exists)");
  patch(kConfigMaps, "a",
        {PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")});
}

TEST_P(StoreContract, RemoveHoldsToItsPreconditions) {
  Item made = create(kConfigMaps, config_map("a"));
  Result<Store::Deleted> refused =
      run(store().remove(kConfigMaps, key("a"), {.if_uid = "another"}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kConflict));
  EXPECT_THAT(refused.error().message,
              HasSubstr("the UID in the precondition (another) does not match"));
  EXPECT_EQ(refusal(run(store().remove(kConfigMaps, key("a"), {.if_version = made.version + 1}))),
            to_string(ErrorCode::kConflict));
  EXPECT_TRUE(remove(kConfigMaps, "a", {.if_version = made.version}).gone);
}

TEST_P(StoreContract, PropagationSetsTheFinalizerOfTheGarbageCollector) {
  create(kConfigMaps, config_map("a"));
  create(kConfigMaps, config_map("b"));
  Store::Deleted orphan = remove(kConfigMaps, "a", {.propagation = Propagation::kOrphan});
  EXPECT_FALSE(orphan.gone);
  EXPECT_EQ(at(orphan.item, "metadata.finalizers"), R"(["orphan"])");
  Store::Deleted foreground = remove(kConfigMaps, "b", {.propagation = Propagation::kForeground});
  EXPECT_FALSE(foreground.gone);
  EXPECT_EQ(at(foreground.item, "metadata.finalizers"), R"(["foregroundDeletion"])");
}

TEST_P(StoreContract, DryRunOfRemoveLeavesTheObject) {
  create(kConfigMaps, config_map("a"));
  Result<Store::Deleted> dry = run(store().remove(kConfigMaps, key("a"), {.dry_run = true}));
  ASSERT_TRUE(dry) << dry.error().text();
  EXPECT_EQ(at(get(kConfigMaps, "a"), "metadata.deletionTimestamp"), "");
}

TEST_P(StoreContract, ANamespaceThatIsBeingDeletedTakesNothingNew) {
  // What is in it keeps the namespace from going before we have looked.
  create(kConfigMaps, with_finalizers(config_map("holds"), R"(["example.com/a"])"));
  Result<Store::Deleted> deleted = run(store().remove(kNamespaces, {"", ns()}, {}));
  ASSERT_TRUE(deleted) << deleted.error().text();
  EXPECT_FALSE(deleted->gone);
  EXPECT_EQ(at(deleted->item, "status.phase"), "\"Terminating\"");
  Result<Item> refused = run(store().create(kConfigMaps, ns(), config_map("late"), {}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kForbidden));
  EXPECT_EQ(refused.error().message,
            "configmaps \"late\" is forbidden: unable to create new content in namespace " + ns() +
                " because it is being terminated");
  patch(kConfigMaps, "holds",
        {PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")});
}

TEST_P(StoreContract, TheDefaultNamespaceMayNotBeDeleted) {
  Result<Store::Deleted> refused = run(store().remove(kNamespaces, {"", "default"}, {}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kForbidden));
  EXPECT_EQ(refused.error().message,
            R"(namespaces "default" is forbidden: this namespace may not be deleted)");
}

}  // namespace slipway::store
