#include "control/garbage.h"

#include <optional>

#include "control/testing/store_fixture.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;

// The collector alone on a memory store, which answers without ever suspending.
class GarbageTest : public StoreFixture {
 protected:
  GarbageTest() {
    manager.emplace(*loop, *store, *registry);
    garbage.emplace(*manager, recorder);
    manager->start();
    loop->run_for(1s);
  }
  ~GarbageTest() override {
    run_to_end(*loop, manager->stop());
    run_to_end(*loop, recorder.stop());
  }

  Recorder recorder{*loop, *store, *random, "garbage-collector-controller"};
  std::optional<Manager> manager;
  std::optional<GarbageCollector> garbage;
};

TEST_F(GarbageTest, CollectsWhatHasNoOwnerLeft) {
  const auto owner = create_map("owner");
  create_map("dependent", {reference_to(owner)});
  loop->run_for(1s);
  EXPECT_TRUE(exists(kConfigMaps, {"default", "dependent"}));
  remove(kConfigMaps, {"default", "owner"});
  loop->run_for(1s);
  EXPECT_FALSE(exists(kConfigMaps, {"default", "dependent"}));
}

TEST_F(GarbageTest, KeepsAClusterScopedObjectThatNamesANamespacedOwner) {
  const auto owner = create_map("owner");
  create(kNamespaces, "", named("Namespace", "dependent", {reference_to(owner, true)}));
  loop->run_for(1min);
  EXPECT_TRUE(exists(kNamespaces, {"", "dependent"}));
  EXPECT_FALSE(api::is_deleting(read(kNamespaces, {"", "dependent"}).as_object()));
}

TEST_F(GarbageTest, TellsOfAReferenceThatCannotBeResolved) {
  const auto owner = create_map("owner");
  const auto dependent =
      create(kNamespaces, "", named("Namespace", "dependent", {reference_to(owner)}));
  loop->run_for(1s);
  const auto events = list(kEvents);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(json::string_at(events[0], {"type"}), "Warning");
  EXPECT_EQ(json::string_at(events[0], {"reason"}), "OwnerRefInvalidNamespace");
  EXPECT_EQ(json::string_at(events[0], {"message"}),
            "ownerRef [v1/ConfigMap, namespace: , name: owner, uid: " +
                std::string(api::uid_of(owner)) + "] does not exist in namespace \"\"");
  EXPECT_EQ(json::string_at(events[0], {"involvedObject", "uid"}), api::uid_of(dependent));
  EXPECT_EQ(json::string_at(events[0], {"metadata", "namespace"}), "default");
}

TEST_F(GarbageTest, ADependentOutsideTheOwnersNamespaceDoesNotHoldTheOwner) {
  const auto owner = create_map("owner");
  create(kNamespaces, "", named("Namespace", "dependent", {reference_to(owner, true)}));
  loop->run_for(1s);
  remove(kConfigMaps, {"default", "owner"}, store::Propagation::kForeground);
  loop->run_for(1min);
  EXPECT_FALSE(exists(kConfigMaps, {"default", "owner"}));
  EXPECT_TRUE(exists(kNamespaces, {"", "dependent"}));
}

TEST_F(GarbageTest, AnOrphanDeleteEndsOnAStoreThatNeverSuspends) {
  const auto owner = create_map("owner");
  create_map("dependent", {reference_to(owner)});
  loop->run_for(1s);
  remove(kConfigMaps, {"default", "owner"}, store::Propagation::kOrphan);
  loop->run_for(1s);
  EXPECT_FALSE(exists(kConfigMaps, {"default", "owner"}));
  EXPECT_TRUE(api::owners_of(read(kConfigMaps, {"default", "dependent"}).as_object()).empty());
}

}  // namespace
}  // namespace slipway::control
