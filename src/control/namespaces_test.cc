#include "control/namespaces.h"

#include <fmt/format.h>

#include "control/namespace_conditions.h"
#include "control/testing/store_fixture.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;

class NamespacesTest : public StoreFixture {
 protected:
  NamespacesTest() {
    manager.add(NamespaceReconciler::options(), reconciler);
    manager.start();
    create(kNamespaces, "", named("Namespace", "space"));
    loop->run_for(1s);
  }
  ~NamespacesTest() override { run_to_end(*loop, manager.stop()); }

  // "status reason: message" of the namespace's.
  std::string condition(std::string_view type) {
    const json::Value ns = read(kNamespaces, {"", "space"});
    const json::Value* list = json::at(ns, {"status", "conditions"});
    if (!list) return "none";
    for (const auto& one : list->get_array())
      if (json::string_at(one, {"type"}) == type)
        return fmt::format("{} {}: {}", json::string_at(one, {"status"}),
                           json::string_at(one, {"reason"}), json::string_at(one, {"message"}));
    return "none";
  }

  Manager manager{*loop, *store, *registry};
  NamespaceReconciler reconciler{manager};
};

TEST_F(NamespacesTest, LeavesALivingNamespaceAlone) {
  create(kConfigMaps, "space", named("ConfigMap", "a"));
  loop->run_for(1min);
  EXPECT_TRUE(exists(kNamespaces, {"", "space"}));
  EXPECT_TRUE(exists(kConfigMaps, {"space", "a"}));
}

TEST_F(NamespacesTest, EmptiesADeletedNamespaceAndLetsItGo) {
  for (int i = 0; i < 450; ++i)  // more than a page
    create(kConfigMaps, "space", named("ConfigMap", fmt::format("m{}", i)));
  create({"", "v1", "secrets"}, "space", named("Secret", "s"));
  create_map("elsewhere");
  remove(kNamespaces, {"", "space"});
  EXPECT_TRUE(exists(kNamespaces, {"", "space"}));
  loop->run_for(1min);
  EXPECT_FALSE(exists(kNamespaces, {"", "space"}));
  EXPECT_FALSE(exists(kConfigMaps, {"space", "m0"}));
  EXPECT_FALSE(exists({"", "v1", "secrets"}, {"space", "s"}));
  EXPECT_TRUE(exists(kConfigMaps, {"default", "elsewhere"}));
}

TEST(NamespaceConditions, ThatSomebodyWroteWithoutATimeGetOne) {
  json::Value ns = *json::read(
      R"({"status":{"conditions":[{"type":"NamespaceContentRemaining","status":"True"}]}})");
  EXPECT_TRUE(set_conditions(ns, {.kinds = {{"pods.", 1}}}, Time(1000s)));
  const json::Value& first = ns.at("status").at("conditions").at(0);
  EXPECT_EQ(first.at("reason"), "SomeResourcesRemain");
  EXPECT_EQ(json::string_at(first, {"lastTransitionTime"}), format_time(Time(1000s)));
}

TEST_F(NamespacesTest, WaitsForWhatHasAFinalizer) {
  auto held = named("ConfigMap", "held");
  api::set_finalizers(held, {"example.com/mine"});
  create(kConfigMaps, "space", held);
  remove(kNamespaces, {"", "space"});
  loop->run_for(1h);
  EXPECT_TRUE(exists(kNamespaces, {"", "space"}));
  EXPECT_TRUE(api::is_deleting(read(kConfigMaps, {"space", "held"}).as_object()));
  EXPECT_EQ(condition("NamespaceContentRemaining"),
            "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource "
            "instances");
  EXPECT_EQ(condition("NamespaceFinalizersRemaining"),
            "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: "
            "example.com/mine in 1 resource instances");
  EXPECT_EQ(condition("NamespaceDeletionContentFailure"),
            "False ContentDeleted: All content successfully deleted, may be waiting on "
            "finalization");
  const json::Object body{{"metadata", json::Object{{"finalizers", nullptr}}}};
  ASSERT_TRUE(
      run_to_end(*loop, store->patch(kConfigMaps, {"space", "held"},
                                     {.type = store::PatchType::kMerge, .body = body}, {})));
  loop->run_for(1min);
  EXPECT_FALSE(exists(kNamespaces, {"", "space"}));
}

}  // namespace
}  // namespace slipway::control
