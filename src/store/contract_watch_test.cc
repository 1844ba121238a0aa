#include <gmock/gmock.h>

#include "store/contract.h"

namespace slipway::store {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {
json::Object marked(std::string_view name, std::string_view value = "1") {
  json::Object object = config_map(name);
  object["metadata"].as_object()["labels"] = json::Object{{"mark", value}};
  return object;
}
api::LabelSelector only(std::string_view selector) { return *api::parse_label_selector(selector); }
}  // namespace

TEST_P(StoreContract, WatchGivesTheCurrentObjectsThenWhatHappens) {
  create(kConfigMaps, marked("a"));
  create(kConfigMaps, marked("b"));
  auto watching = watch(kConfigMaps, {.ns = ns(), .labels = only("mark")});
  ASSERT_TRUE(watching);
  EXPECT_THAT(summary(events(*watching, 2)), ElementsAre("ADDED a", "ADDED b"));
  Item changed =
      patch(kConfigMaps, "a", {PatchType::kMerge, parse_value(R"({"data": {"k": "2"}})")});
  create(kConfigMaps, marked("c"));
  remove(kConfigMaps, "b");
  std::vector<Event> after = events(*watching, 3);
  EXPECT_THAT(summary(after), ElementsAre("MODIFIED a", "ADDED c", "DELETED b"));
  ASSERT_EQ(after.size(), 3u);
  EXPECT_EQ(after[0].item.version, changed.version);
  EXPECT_EQ(at(after[0].item, "data.k"), "\"2\"");
}

TEST_P(StoreContract, WatchFromAVersionGivesWhatHappenedSince) {
  create(kConfigMaps, marked("a"));
  Page page = list(kConfigMaps, {.ns = ns()});
  create(kConfigMaps, marked("b"));
  remove(kConfigMaps, "a");
  auto watching = watch(kConfigMaps, {.ns = ns(), .labels = only("mark"), .from = page.version});
  ASSERT_TRUE(watching);
  EXPECT_THAT(summary(events(*watching, 2)), ElementsAre("ADDED b", "DELETED a"));
}

TEST_P(StoreContract, ADeletionIsNewerThanTheStateItEnded) {
  Item made = create(kConfigMaps, marked("a"));
  auto watching = watch(kConfigMaps, {.ns = ns(), .labels = only("mark"), .from = made.version});
  ASSERT_TRUE(watching);
  remove(kConfigMaps, "a");
  std::vector<Event> all = events(*watching, 1);
  ASSERT_THAT(summary(all), ElementsAre("DELETED a"));
  EXPECT_GT(all[0].item.version, made.version);
  EXPECT_EQ(at(all[0].item, "metadata.resourceVersion"),
            "\"" + std::to_string(all[0].item.version) + "\"");
  EXPECT_EQ(at(all[0].item, "data.k"), "\"v\"");
}

TEST_P(StoreContract, WatchSeesObjectsEnterAndLeaveItsSelection) {
  Item made = create(kConfigMaps, marked("a", "out"));
  auto watching = watch(kConfigMaps, {.ns = ns(), .labels = only("mark=in"), .from = made.version});
  ASSERT_TRUE(watching);
  update(kConfigMaps, marked("a", "in"));
  Item left = update(kConfigMaps, marked("a", "out"));
  std::vector<Event> all = events(*watching, 2);
  ASSERT_THAT(summary(all), ElementsAre("ADDED a", "DELETED a"));
  EXPECT_EQ(at(all[1].item, "metadata.labels.mark"), "\"in\"");
  EXPECT_EQ(all[1].item.version, left.version);
}

TEST_P(StoreContract, WatchKeepsToItsNamespaceAndName) {
  auto watching =
      watch(kConfigMaps, {.ns = ns(), .fields = *api::parse_field_selector("metadata.name=b")});
  ASSERT_TRUE(watching);
  create(kConfigMaps, marked("a"));
  create(kConfigMaps, marked("b"));
  EXPECT_THAT(summary(events(*watching, 1)), ElementsAre("ADDED b"));
}

TEST_P(StoreContract, WatchMarksTheEndOfTheCurrentObjects) {
  create(kConfigMaps, marked("a"));
  auto watching =
      watch(kConfigMaps,
            {.ns = ns(), .labels = only("mark"), .bookmarks = true, .mark_initial_end = true});
  ASSERT_TRUE(watching);
  std::vector<Event> all;
  while (all.size() < 2) {
    Result<std::vector<Event>> some = run(watching->next(std::chrono::seconds(10), {}));
    ASSERT_TRUE(some) << some.error().text();
    for (Event& event : *some) all.push_back(std::move(event));
  }
  EXPECT_EQ(all[0].type, EventType::kAdded);
  ASSERT_EQ(all[1].type, EventType::kBookmark);
  EXPECT_GE(all[1].item.version, all[0].item.version);
  ASSERT_TRUE(all[1].item.bytes);
  EXPECT_THAT(*all[1].item.bytes, HasSubstr("k8s.io/initial-events-end"));
}

TEST_P(StoreContract, WatchSaysWhenNothingHappens) {
  auto watching = watch(kConfigMaps, {.ns = ns(), .labels = only("mark=never")});
  ASSERT_TRUE(watching);
  EXPECT_EQ(refusal(run(watching->next(std::chrono::milliseconds(50), {}))),
            to_string(ErrorCode::kTimeout));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(refusal(run(watching->next(std::chrono::seconds(10), stop.get_token()))),
            to_string(ErrorCode::kCancelled));
}

TEST_P(StoreContract, WatchOfCustomObjects) {
  install_widgets();
  auto watching = watch(kWidgets, {.ns = ns()});
  ASSERT_TRUE(watching);
  create(kWidgets, widget("w"));
  EXPECT_THAT(summary(events(*watching, 1)), ElementsAre("ADDED w"));
}

}  // namespace slipway::store
