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
    garbage.emplace(*manager);
    manager->start();
    loop->run_for(1s);
  }
  ~GarbageTest() override { run_to_end(*loop, manager->stop()); }

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
