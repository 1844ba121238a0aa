#include "store/kube/kube_watch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "store/kube/fake_api_server.h"
#include "store/kube/kube_store.h"

namespace slipway::store::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string line(std::string_view type, std::string_view name, int version) {
  return fmt::format(
      R"({{"type":"{}","object":{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{}","namespace":"n","resourceVersion":"{}"}}}}}})"
      "\n",
      type, name, version);
}
std::string bookmark(int version) {
  return fmt::format(
      R"({{"type":"BOOKMARK","object":{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"resourceVersion":"{}","creationTimestamp":null}}}}}})"
      "\n",
      version);
}
const std::string kExpiredLine =
    R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}})"
    "\n";

class KubeWatchTest : public testing::Test {
 protected:
  void start(WatchOptions options) {
    auto started = server_.run(store_->watch({"", "v1", "configmaps"}, std::move(options)));
    ASSERT_TRUE(started) << started.error().text();
    watch_ = std::move(*started);
  }
  // What next() gives: "type name version" each, or the code of its error.
  std::vector<std::string> next(Duration patience = 5s) {
    Result<std::vector<Event>> events = server_.run(watch_->next(patience, {}));
    if (!events) return {std::string(to_string(events.error().code))};
    std::vector<std::string> all;
    for (const Event& event : *events) {
      all.push_back(fmt::format("{}{} {}", "+~-."[static_cast<int>(event.type)],
                                event.item.key.name, event.item.version));
    }
    return all;
  }
  // The resourceVersion each watch request asked from.
  std::vector<std::string> asked_from() const {
    std::vector<std::string> versions;
    for (const http::Request& request : server_.requests) {
      if (!request.target.find("watch")) continue;
      const std::string* version = request.target.find("resourceVersion");
      versions.push_back(version ? *version : "none");
    }
    return versions;
  }

  FakeApiServer server_;
  std::unique_ptr<Connection> connection_ =
      connect(server_.loop(), server_.pool(), server_.access());
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<Store> store_ = make_kube_store(server_.loop(), *connection_, *registry_);
  std::unique_ptr<Watch> watch_;
};

TEST_F(KubeWatchTest, GivesEventsAsTheyCome) {
  server_.replies = {watch_reply({line("ADDED", "a", 11) + line("MODIFIED", "a", 12)})};
  start({.ns = "n", .from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11", "~a 12"));
  EXPECT_THAT(next(50ms), ElementsAre("timeout"));
  EXPECT_THAT(server_.asked[0], HasSubstr("/api/v1/namespaces/n/configmaps?"));
}

TEST_F(KubeWatchTest, PutsHalfLinesTogether) {
  std::string whole = line("ADDED", "a", 11);
  server_.replies = {watch_reply({whole.substr(0, 7), whole.substr(7, 50), whole.substr(57)})};
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11"));
}

TEST_F(KubeWatchTest, ResumesAfterABrokenConnection) {
  server_.replies = {
      watch_reply({line("ADDED", "a", 11), line("ADDED", "lost half", 12).substr(0, 30)},
                  Reply::End::kBreaks),
      watch_reply({line("ADDED", "b", 12)})};
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11"));
  EXPECT_THAT(next(), ElementsAre("+b 12"));
  EXPECT_THAT(asked_from(), ElementsAre("10", "11"));
}

TEST_F(KubeWatchTest, ResumesFromTheLastBookmarkAlthoughItIsNotGiven) {
  server_.replies = {watch_reply({bookmark(20)}, Reply::End::kEnds),
                     watch_reply({line("ADDED", "b", 22)})};
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+b 22"));
  EXPECT_THAT(asked_from(), ElementsAre("10", "20"));
}

TEST_F(KubeWatchTest, GivesBookmarksWhenAskedTo) {
  server_.replies = {watch_reply({bookmark(20)})};
  start({.from = 10, .bookmarks = true});
  EXPECT_THAT(next(), ElementsAre(". 20"));
}

TEST_F(KubeWatchTest, OutlivesRefusalsThatPass) {
  server_.replies = {watch_reply({line("ADDED", "a", 11)}, Reply::End::kEnds),
                     refusal_reply(500, "InternalError"), refusal_reply(429, "TooManyRequests"),
                     watch_reply({line("ADDED", "b", 12)})};
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11"));
  EXPECT_THAT(next(), ElementsAre("+b 12"));
}

TEST_F(KubeWatchTest, IsExpiredWhenTheServerSaysSoInTheStream) {
  server_.replies = {watch_reply({line("ADDED", "a", 11) + kExpiredLine}),
                     watch_reply({kExpiredLine})};
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11"));
  EXPECT_THAT(next(), ElementsAre(std::string(to_string(ErrorCode::kExpired))));
}

TEST_F(KubeWatchTest, IsExpiredWhenTheServerRefusesIt) {
  server_.replies = {refusal_reply(410, "Expired")};
  auto started = server_.run(store_->watch({"", "v1", "configmaps"}, {.from = 10}));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kExpired);
}

TEST_F(KubeWatchTest, RefusesAnEventThatIsTooLarge) {
  std::vector<std::string> pieces(17, std::string(1024 * 1024, 'x'));
  server_.replies = {watch_reply(pieces)};
  start({.from = 10});
  EXPECT_THAT(next(20s), ElementsAre(std::string(to_string(ErrorCode::kTooLarge))));
}

TEST_F(KubeWatchTest, TellsWhyThereIsNoConnectionWhenPatienceEnds) {
  server_.replies = {watch_reply({line("ADDED", "a", 11)}, Reply::End::kEnds)};
  for (int i = 0; i < 100; ++i) server_.replies.push_back(watch_reply({"garbage\n"}));
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11"));
  EXPECT_THAT(next(300ms), ElementsAre(std::string(to_string(ErrorCode::kInternal))));
  EXPECT_LE(server_.asked.size(), 6u);
}

TEST_F(KubeWatchTest, DoesNotHammerAServerThatEndsAtOnce) {
  for (int i = 0; i < 100; ++i) server_.replies.push_back(watch_reply({"\n"}, Reply::End::kEnds));
  start({.from = 10});
  (void)next(1s);
  EXPECT_LE(server_.asked.size(), 8u);
}

TEST_F(KubeWatchTest, EndsWhenStopped) {
  server_.replies = {watch_reply({})};
  start({.from = 10});
  std::stop_source stop;
  auto timer = server_.loop().clock().call_after(20ms, [&] { stop.request_stop(); });
  Result<std::vector<Event>> events = server_.run(watch_->next(10s, stop.get_token()));
  ASSERT_FALSE(events);
  EXPECT_EQ(events.error().code, ErrorCode::kCancelled);
}

const std::string kFirstPage =
    R"({"metadata":{"resourceVersion":"30","continue":"more"},"items":[{"metadata":{"name":"a","namespace":"n","resourceVersion":"3"}}]})";

TEST_F(KubeWatchTest, EndsWhenStoppedWhileItLists) {
  server_.replies = {{.body = kFirstPage}, {.end = Reply::End::kHangs}};
  start({.from = 0});
  EXPECT_THAT(next(), ElementsAre("+a 3"));
  std::stop_source stop;
  auto timer = server_.loop().clock().call_after(20ms, [&] { stop.request_stop(); });
  const Duration began = server_.loop().clock().uptime();
  Result<std::vector<Event>> events = server_.run(watch_->next(20s, stop.get_token()));
  ASSERT_FALSE(events);
  EXPECT_EQ(events.error().code, ErrorCode::kCancelled);
  EXPECT_LT(server_.loop().clock().uptime() - began, 5s);
}

TEST_F(KubeWatchTest, TellsThatTheServerDoesNotAnswer) {
  const std::string unavailable(to_string(ErrorCode::kUnavailable));
  server_.replies = {{.body = kFirstPage},
                     {.end = Reply::End::kHangs},
                     {.body = R"({"metadata":{"resourceVersion":"30"},"items":[]})"},
                     watch_reply({line("ADDED", "b", 31)})};
  start({.from = 0});
  EXPECT_THAT(next(), ElementsAre("+a 3"));
  EXPECT_THAT(next(100ms), ElementsAre(unavailable));
  EXPECT_THAT(next(), ElementsAre("+b 31"));
}

TEST_F(KubeWatchTest, ConnectsAgainHoweverShortItsPatience) {
  server_.replies = {watch_reply({line("ADDED", "a", 11)}, Reply::End::kEnds)};
  for (int i = 0; i < 4; ++i) server_.replies.push_back(refusal_reply(403, "Forbidden"));
  server_.replies.push_back(watch_reply({line("ADDED", "b", 12)}));
  start({.from = 10});
  EXPECT_THAT(next(), ElementsAre("+a 11"));
  std::vector<std::string> given;
  for (int i = 0; i < 200 && given != std::vector<std::string>{"+b 12"}; ++i) given = next(50ms);
  EXPECT_THAT(given, ElementsAre("+b 12"));
}

TEST_F(KubeWatchTest, ListsFirstWhenThereIsNoVersion) {
  server_.replies = {
      {.body =
           R"({"metadata":{"resourceVersion":"30","continue":"more"},"items":[{"metadata":{"name":"a","namespace":"n","resourceVersion":"3"}}]})"},
      {.body =
           R"({"metadata":{"resourceVersion":"30"},"items":[{"metadata":{"name":"b","namespace":"n","resourceVersion":"4"}}]})"},
      watch_reply({line("DELETED", "a", 31)})};
  start({.from = 0, .mark_initial_end = true});
  EXPECT_THAT(next(), ElementsAre("+a 3"));
  Result<std::vector<Event>> rest = server_.run(watch_->next(5s, {}));
  ASSERT_TRUE(rest) << rest.error().text();
  ASSERT_THAT(*rest, SizeIs(2));
  EXPECT_EQ((*rest)[1].type, EventType::kBookmark);
  EXPECT_EQ((*rest)[1].item.version, 30u);
  EXPECT_THAT(*(*rest)[1].item.bytes, HasSubstr(R"("k8s.io/initial-events-end":"true")"));
  EXPECT_THAT(next(), ElementsAre("-a 31"));
  EXPECT_THAT(server_.asked[1], HasSubstr("continue=more"));
  EXPECT_THAT(asked_from(), ElementsAre("30"));
}

}  // namespace
}  // namespace slipway::store::kube
