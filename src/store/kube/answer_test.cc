#include "store/kube/answer.h"

#include <gmock/gmock.h>

#include "store/kube/event_lines.h"
#include "store/kube/target.h"

namespace slipway::store::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

api::Resource pods() {
  api::Resource resource;
  resource.gvk = {"", "v1", "Pod"};
  resource.plural = "pods";
  return resource;
}
api::Resource rollouts() {
  api::Resource resource;
  resource.gvk = {"argoproj.io", "v1alpha1", "Rollout"};
  resource.plural = "rollouts";
  return resource;
}

TEST(KubeTarget, NamesCollectionsAndObjects) {
  EXPECT_EQ(collection_path(pods(), ""), "/api/v1/pods");
  EXPECT_EQ(collection_path(pods(), "web"), "/api/v1/namespaces/web/pods");
  EXPECT_EQ(object_path(rollouts(), {"web", "a"}, "status"),
            "/apis/argoproj.io/v1alpha1/namespaces/web/rollouts/a/status");
  EXPECT_EQ(object_path(pods(), {"web", "a?b/c"}), "/api/v1/namespaces/web/pods/a%3Fb%2Fc");
}

TEST(KubeTarget, EscapesFieldSelectors) {
  EXPECT_EQ(field_selector_text({{{"metadata.name", true, "a"}, {"x", false, R"(b,c=d\e)"}}}),
            R"(metadata.name=a,x!=b\,c\=d\\e)");
}

TEST(KubeTarget, AsksForNothingWhenNothingIsSelected) {
  Query query = list_query({.labels = {.nothing = true}});
  ASSERT_EQ(query.size(), 1u);
  Result<api::LabelSelector> selector = api::parse_label_selector(query[0].second);
  ASSERT_TRUE(selector) << selector.error().text();
  EXPECT_FALSE(selector->matches({}));
  EXPECT_FALSE(selector->matches({{"slipway.dev/nothing", ""}}));
}

TEST(KubeTarget, WritesDeleteOptions) {
  EXPECT_EQ(delete_options_body({}), R"({"kind":"DeleteOptions","apiVersion":"v1"})");
  EXPECT_EQ(delete_options_body({.propagation = Propagation::kOrphan,
                                 .if_uid = "u",
                                 .if_version = 7,
                                 .grace_seconds = 0,
                                 .dry_run = true}),
            R"({"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,)"
            R"("preconditions":{"uid":"u","resourceVersion":"7"},"propagationPolicy":"Orphan",)"
            R"("dryRun":["All"]})");
}

TEST(KubeTarget, WritesHowToWrite) {
  EXPECT_EQ(http::format_query(write_query({.manager = "me", .dry_run = true})),
            "fieldManager=me&fieldValidation=Strict&dryRun=All");
}

TEST(KubeAnswer, CompletesTheItemsOfAList) {
  Result<Page> page = parse_page(
      R"({"kind":"PodList","metadata":{"resourceVersion":"9","continue":"tok","remainingItemCount":3},
          "items":[{"metadata":{"name":"x","namespace":"a-b","resourceVersion":"5"}},
                   {"metadata":{"name":"y","namespace":"a","resourceVersion":"6"}}]})",
      pods());
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_EQ(page->version, 9u);
  EXPECT_EQ(page->continue_token, "tok");
  EXPECT_EQ(page->remaining, 3u);
  ASSERT_EQ(page->items.size(), 2u);
  EXPECT_EQ(page->items[0].key, (Key{"a", "y"}));
  EXPECT_EQ(page->items[0].version, 6u);
  EXPECT_EQ(
      *page->items[0].bytes,
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"y","namespace":"a","resourceVersion":"6"}})");
}

TEST(KubeAnswer, ReadsEvents) {
  Result<Event> event = parse_event(
      R"({"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","resourceVersion":"5"}}})",
      pods());
  ASSERT_TRUE(event) << event.error().text();
  EXPECT_EQ(event->type, EventType::kDeleted);
  EXPECT_EQ(event->item.key.name, "x");
  EXPECT_EQ(event->item.version, 5u);
}

TEST(KubeAnswer, AnErrorEventIsItsError) {
  Result<Event> event = parse_event(
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}})",
      pods());
  ASSERT_FALSE(event);
  EXPECT_EQ(event.error().code, ErrorCode::kExpired);
  EXPECT_EQ(event.error().message, "too old");
}

TEST(KubeAnswer, RefusesWhatItCannotRead) {
  for (std::string_view line : {"x", "[]", "{}", R"({"type":"ADDED"})", R"({"object":{}})",
                                R"({"type":"NEW","object":{}})"}) {
    Result<Event> event = parse_event(line, pods());
    ASSERT_FALSE(event) << line;
    EXPECT_EQ(event.error().code, ErrorCode::kInternal) << line;
    EXPECT_THAT(event.error().message, HasSubstr("the API server answered with")) << line;
  }
  EXPECT_FALSE(parse_page(R"({"items":[1]})", pods()));
  EXPECT_FALSE(parse_page(R"({"kind":"Pod"})", pods()));
  EXPECT_TRUE(parse_page(R"({"items":null})", pods()));
}

TEST(KubeAnswer, TellsWhetherADeletedObjectIsGone) {
  const std::string deleting =
      R"({"kind":"Pod","metadata":{"name":"x","deletionTimestamp":"2026-01-01T00:00:00Z")";
  const std::pair<std::string, bool> rows[] = {
      {R"({"kind":"Status","status":"Success"})", true},
      {R"({"kind":"Pod","metadata":{"name":"x"}})", true},
      {deleting + "}}", true},
      {deleting + R"(,"deletionGracePeriodSeconds":0}})", true},
      {deleting + R"(,"deletionGracePeriodSeconds":30}})", false},
      {deleting + R"(,"finalizers":["a/b"]}})", false},
      {deleting + R"(},"spec":{"finalizers":["kubernetes"]}})", false},
      {deleting + R"(},"spec":{"finalizers":[]}})", true},
  };
  for (const auto& [body, gone] : rows) {
    Result<Store::Deleted> deleted = parse_deleted(body, pods(), {{"", "x"}, 3, nullptr});
    ASSERT_TRUE(deleted) << body;
    EXPECT_EQ(deleted->gone, gone) << body;
    EXPECT_EQ(deleted->item.key.name, "x") << body;
  }
}

TEST(KubeAnswer, ReadsWarnings) {
  http::Headers headers;
  headers.add("Warning", R"(299 - "unknown field \"spec.x\"")");
  headers.add("warning", R"(299 slipway "second")");
  headers.add("Warning", R"(110 - "stale")");
  EXPECT_THAT(warnings_of(headers), ElementsAre(R"(unknown field "spec.x")", "second"));
}

std::vector<std::string> lines_of(EventLines& lines) {
  std::vector<std::string> all;
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line) all.push_back(std::string(to_string(line.error().code)));
    if (!line || !*line) return all;
    all.emplace_back(**line);
  }
}

TEST(EventLines, CutsHoweverThePiecesFall) {
  EventLines lines(100);
  lines.add("on");
  EXPECT_THAT(lines_of(lines), ElementsAre());
  lines.add("e\r\n\ntwo\nthr");
  EXPECT_THAT(lines_of(lines), ElementsAre("one", "two"));
  lines.add("ee");
  lines.add("\n");
  EXPECT_THAT(lines_of(lines), ElementsAre("three"));
}

TEST(EventLines, RefusesALongLineBeforeItsEnd) {
  EventLines lines(5);
  lines.add("12345\n123456");
  EXPECT_THAT(lines_of(lines), ElementsAre("12345", std::string(to_string(ErrorCode::kTooLarge))));
  EXPECT_THAT(lines_of(lines), ElementsAre(std::string(to_string(ErrorCode::kTooLarge))));
  lines.clear();
  lines.add("1\n");
  EXPECT_THAT(lines_of(lines), ElementsAre("1"));
}

TEST(ParsePage, ADeepObjectDoesNotSpoilTheList) {
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  auto page = parse_page(
      R"({"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"},"spec":)" +
          deep + "}]}",
      *api::Registry::make()->find(api::Gvr{"", "v1", "configmaps"}));
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_EQ(page->items.size(), 2u);
}

}  // namespace
}  // namespace slipway::store::kube
