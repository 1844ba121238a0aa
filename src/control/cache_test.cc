#include "control/cache.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "control/testing/lossy_store.h"
#include "control/testing/store_fixture.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class CacheTest : public StoreFixture {
 protected:
  ~CacheTest() override { run_to_end(*loop, cache.stop()); }

  void start() {
    cache.on_change([this](const store::Item* before, const store::Item* after) {
      told.push_back(fmt::format("{}>{}", word(before), word(after)));
    });
    cache.start();
    loop->run_for(1s);
  }
  // Name and the start of the uid, "-" for nothing.
  static std::string word(const store::Item* item) {
    if (!item) return "-";
    const auto document = *json::read(*item->bytes);
    return fmt::format("{}.{}", item->key.name, api::uid_of(document.as_object()).substr(0, 4));
  }
  static std::string word(const json::Object& object) {
    return fmt::format("{}.{}", api::name_of(object), api::uid_of(object).substr(0, 4));
  }
  // Something happens that the watch does not bring; then it breaks, and the cache lists again.
  template <class F>
  void unseen(F happens) {
    lossy.mute();
    happens();
    loop->run_for(1s);
    lossy.break_watches(ErrorCode::kExpired);
    loop->run_for(1s);
  }

  LossyStore lossy{*loop, *store};
  Cache cache{*loop, lossy, kConfigMaps};
  std::vector<std::string> told;
};

TEST_F(CacheTest, ShowsSomeAtATimeInTheOrderOfKeys) {
  for (const auto* name : {"c", "a", "d", "b"}) create_map(name);
  start();
  const auto names = [](const std::vector<const store::Item*>& items) {
    std::string text;
    for (const auto* item : items) text += item->key.name;
    return text;
  };
  EXPECT_EQ(names(cache.list_after(nullptr, 3)), "abc");
  const store::Key b{"default", "b"}, d{"default", "d"};
  EXPECT_EQ(names(cache.list_after(&b, 3)), "cd");
  EXPECT_EQ(names(cache.list_after(&d, 3)), "");
}

TEST_F(CacheTest, TellsWhatIsThereAndWhatHappens) {
  const auto a = word(create_map("a"));
  start();
  EXPECT_TRUE(cache.synced());
  const auto b = word(create_map("b"));
  remove(kConfigMaps, {"default", "a"});
  loop->run_for(1s);
  EXPECT_THAT(told, ElementsAre("->" + a, "->" + b, a + ">-"));
  EXPECT_EQ(cache.get({"default", "a"}), nullptr);
  EXPECT_NE(cache.get({"default", "b"}), nullptr);
}

TEST_F(CacheTest, FindsByOwnerLabelAndNamespace) {
  const auto owner = create_map("owner");
  auto labelled = named("ConfigMap", "labelled", {reference_to(owner)});
  api::set_label(labelled, "app", "web");
  create(kConfigMaps, "kube-system", labelled);
  start();
  EXPECT_EQ(cache.list().size(), 2u);
  EXPECT_EQ(cache.list("default").size(), 1u);
  const auto web = *api::parse_label_selector("app=web");
  EXPECT_EQ(cache.list("", web).size(), 1u);
  EXPECT_EQ(cache.list("default", web).size(), 0u);
  EXPECT_EQ(cache.owned_by(api::uid_of(owner)).size(), 1u);
  remove(kConfigMaps, {"kube-system", "labelled"});
  loop->run_for(1s);
  EXPECT_EQ(cache.list("", web).size(), 0u);
  EXPECT_EQ(cache.owned_by(api::uid_of(owner)).size(), 0u);
}

TEST_F(CacheTest, FindsByWhatAnObjectHasAfterEachChange) {
  const auto first = create_map("first"), second = create_map("second");
  auto object = named("ConfigMap", "changing", {reference_to(first)});
  api::set_label(object, "app", "web");
  object = create(kConfigMaps, "default", object);
  start();
  const auto found = [this](std::string_view selector, const json::Object& owner) {
    loop->run_for(1s);
    return fmt::format("{} {}", cache.list("", *api::parse_label_selector(selector)).size(),
                       cache.owned_by(api::uid_of(owner)).size());
  };
  object["data"] = json::Object{{"neither", "of both"}};
  object = update(kConfigMaps, object);
  EXPECT_EQ(found("app=web", first), "1 1");
  EXPECT_EQ(cache.get({"default", "changing"})->version, api::version_of(object));
  api::set_label(object, "app", "mail");
  object = update(kConfigMaps, object);
  EXPECT_EQ(found("app=web", first), "0 1");
  EXPECT_EQ(found("app=mail", first), "1 1");
  api::set_owners(object, {reference_to(second)});
  object = update(kConfigMaps, object);
  EXPECT_EQ(found("app=mail", first), "1 0");
  EXPECT_EQ(found("app=mail", second), "1 1");
}

TEST_F(CacheTest, TellsAHandlerWhatControlsAnObjectBeforeAndAfter) {
  auto reference = reference_to(create_map("owner"));
  auto object = create_map("owned", {reference});
  start();
  std::vector<std::string> controllers;
  cache.on_change([&](const Cache::Entry* before, const Cache::Entry* after) {
    if (before && after) controllers.push_back(before->controller + ">" + after->controller);
  });
  for (const bool controls : {true, false}) {
    reference.controller = controls;
    api::set_owners(object, {reference});
    object = update(kConfigMaps, object);
    loop->run_for(1s);
  }
  EXPECT_THAT(controllers, ElementsAre(">/ConfigMap/owner", "/ConfigMap/owner>"));
}

TEST_F(CacheTest, TellsTheDifferenceAfterAnExpiredWatch) {
  const auto a = word(create_map("a"));
  start();
  std::string b;
  unseen([&] {
    remove(kConfigMaps, {"default", "a"});
    b = word(create_map("b"));
  });
  EXPECT_THAT(told, ElementsAre("->" + a, "->" + b, a + ">-"));
}

TEST_F(CacheTest, AnObjectMadeAnewUnderItsNameIsTwoObjects) {
  const auto first = word(create_map("a"));
  start();
  std::string second;
  unseen([&] {
    remove(kConfigMaps, {"default", "a"});
    second = word(create_map("a"));
  });
  EXPECT_THAT(told, ElementsAre("->" + first, first + ">-", "->" + second));
}

// As after an etcd was put back to an earlier state.
TEST_F(CacheTest, AListCountsEvenWhenVersionsWentBack) {
  create_map("a");
  start();
  const store::Version before = cache.get({"default", "a"})->version;
  lossy.change_page = [](store::Page& page) {
    for (auto& item : page.items) item.version -= 1;
  };
  lossy.break_watches(ErrorCode::kExpired);
  loop->run_for(1s);
  EXPECT_EQ(cache.get({"default", "a"})->version, before - 1);
}

TEST_F(CacheTest, AQuietKindReachesTheVersionOfOthersAtOnce) {
  start();
  const auto other = create(kNamespaces, "", named("Namespace", "other"));
  const store::Version version = api::version_of(other);
  EXPECT_LT(cache.reached(), version);
  const Duration began = loop->clock().uptime();
  EXPECT_TRUE(run_to_end(*loop, cache.reach(version, 10s, {})));
  EXPECT_EQ(cache.reached(), version);
  EXPECT_EQ(loop->clock().uptime(), began);
  // And goes on as before.
  create_map("a");
  loop->run_for(1s);
  EXPECT_NE(cache.get({"default", "a"}), nullptr);
}

TEST_F(CacheTest, HasSeenAllThatHappenedUpToAReachedVersion) {
  start();
  for (int i = 0; i < 50; ++i) {
    const auto made = create_map(fmt::format("m{}", i));
    ASSERT_TRUE(run_to_end(*loop, cache.reach(api::version_of(made), 10s, {})));
    EXPECT_NE(cache.get({"default", fmt::format("m{}", i)}), nullptr);
  }
}

TEST_F(CacheTest, SaysWhenItDoesNotReachAVersionInTime) {
  start();
  lossy.mute();
  const auto made = create_map("a");
  const Duration began = loop->clock().uptime();
  EXPECT_FALSE(run_to_end(*loop, cache.reach(api::version_of(made), 3s, {})));
  EXPECT_EQ(loop->clock().uptime() - began, 3s);
  lossy.break_watches(ErrorCode::kExpired);
  EXPECT_TRUE(run_to_end(*loop, cache.reach(api::version_of(made), 3s, {})));
}

TEST_F(CacheTest, PassesOverWhatItCannotRead) {
  create_map("a");
  create_map("b");
  lossy.change_page = [](store::Page& page) {
    auto deep = std::make_shared<std::string>(R"({"spec":)" + std::string(2000, '['));
    *deep += std::string(2000, ']') + "}";
    for (auto& item : page.items)
      if (item.key.name == "a") item.bytes = deep;
  };
  start();
  EXPECT_TRUE(cache.synced());
  EXPECT_EQ(cache.get({"default", "a"}), nullptr);
  EXPECT_NE(cache.get({"default", "b"}), nullptr);
}

TEST_F(CacheTest, ListsLessAndLessOftenWhileItMayNotWatch) {
  for (const ErrorCode code : {ErrorCode::kForbidden, ErrorCode::kExpired}) {
    LossyStore refusing(*loop, *store);
    refusing.refuse_watch = code;
    Cache listing(*loop, refusing, kConfigMaps);
    listing.start();
    loop->run_for(1h);
    // 30 seconds apart in the end.
    EXPECT_LT(refusing.lists, 140) << to_string(code);
    EXPECT_GT(refusing.lists, 100) << to_string(code);
    EXPECT_TRUE(listing.synced());
    refusing.refuse_watch.reset();
    run_to_end(*loop, listing.stop());
  }
}

TEST_F(CacheTest, AWatchThatWorkedIsBegunAnewSoon) {
  start();
  for (int i = 0; i < 20; ++i) {
    create_map(fmt::format("m{}", i));
    loop->run_for(1s);
    lossy.break_watches(i % 2 == 0 ? ErrorCode::kExpired : ErrorCode::kUnavailable);
    const int lists = lossy.lists;
    loop->run_for(100ms);
    EXPECT_EQ(lossy.lists, lists + 1) << i;
  }
}

}  // namespace
}  // namespace slipway::control
