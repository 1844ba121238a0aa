#include "control/events.h"

#include <fmt/format.h>

#include "control/testing/passing_store.h"
#include "control/testing/store_fixture.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;

class RecorderTest : public StoreFixture {
 protected:
  ~RecorderTest() override { run_to_end(*loop, recorder.stop()); }

  void say(const json::Object& about, std::string reason, std::string message) {
    recorder.record(about, EventKind::kNormal, std::move(reason), std::move(message));
    loop->run_for(1s);
  }
  static std::string text(const json::Value& event, std::string_view field) {
    return std::string(json::string_at(event, {field}));
  }
  static std::int64_t count(const json::Value& event) { return event.at("count").as_int64(); }

  Recorder recorder{*loop, *store, *random, "tester"};
};

TEST_F(RecorderTest, WritesWhatDescribeShows) {
  const auto map = create_map("a");
  recorder.record(map, EventKind::kWarning, "Broken", "it does not work");
  loop->run_for(1s);
  const auto events = list(kEvents);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(text(events[0], "type"), "Warning");
  EXPECT_EQ(text(events[0], "reason"), "Broken");
  EXPECT_EQ(text(events[0], "message"), "it does not work");
  EXPECT_EQ(json::string_at(events[0], {"involvedObject", "kind"}), "ConfigMap");
  EXPECT_EQ(json::string_at(events[0], {"involvedObject", "uid"}), api::uid_of(map));
  EXPECT_EQ(json::string_at(events[0], {"source", "component"}), "tester");
  EXPECT_EQ(count(events[0]), 1);
}

TEST_F(RecorderTest, TheSameSaidAgainRaisesTheCount) {
  const auto map = create_map("a");
  say(map, "Waiting", "for b");
  loop->run_for(1min);
  say(map, "Waiting", "for b");
  say(map, "Waiting", "for b");
  const auto events = list(kEvents);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(count(events[0]), 3);
  EXPECT_LT(text(events[0], "firstTimestamp"), text(events[0], "lastTimestamp"));
}

// Patches happen, and whoever asked for them does not hear of it.
struct SilentStore : PassingStore {
  using PassingStore::PassingStore;
  Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                  store::WriteOptions options) override {
    auto done = co_await below_.patch(std::move(kind), std::move(key), std::move(patch),
                                      std::move(options));
    EXPECT_TRUE(done);
    co_return fail(ErrorCode::kUnavailable, "no answer");
  }
};

TEST_F(RecorderTest, WithoutAnAnswerNothingIsCountedTwice) {
  SilentStore silent(*store);
  Recorder unheard(*loop, silent, *random, "tester");
  const auto map = create_map("a");
  for (int i = 0; i < 3; ++i) {
    unheard.record(map, EventKind::kNormal, "Waiting", "for b");
    loop->run_for(1s);
  }
  const auto events = list(kEvents);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(count(events[0]), 3);
  run_to_end(*loop, unheard.stop());
}

TEST_F(RecorderTest, ItsListenerHearsEveryTime) {
  const auto map = create_map("a");
  std::vector<std::string> heard;
  recorder.on_record([&](const json::Object& about, EventKind kind, const std::string& reason) {
    heard.push_back(fmt::format("{} {} {}", api::name_of(about), reason,
                                kind == EventKind::kWarning ? "warns" : "tells"));
  });
  say(map, "Waiting", "for b");
  say(map, "Waiting", "for b");
  recorder.record(map, EventKind::kWarning, "Broken", "it does not work");
  loop->run_for(1s);
  EXPECT_EQ(heard,
            (std::vector<std::string>{"a Waiting tells", "a Waiting tells", "a Broken warns"}));
}

TEST_F(RecorderTest, AnotherObjectReasonOrMessageIsAnotherEvent) {
  const auto a = create_map("a");
  const auto b = create_map("b");
  say(a, "Waiting", "for c");
  say(b, "Waiting", "for c");
  say(a, "Done", "for c");
  say(a, "Waiting", "for d");
  EXPECT_EQ(list(kEvents).size(), 4u);
}

TEST_F(RecorderTest, WhatHasBeenRemovedIsWrittenAnew) {
  const auto map = create_map("a");
  say(map, "Waiting", "for b");
  const auto first = list(kEvents);
  remove(kEvents, {"default", std::string(json::string_at(first[0], {"metadata", "name"}))});
  say(map, "Waiting", "for b");
  const auto events = list(kEvents);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(count(events[0]), 1);
}

TEST_F(RecorderTest, ManyMessagesOfOneReasonAreFolded) {
  const auto map = create_map("a");
  for (int i = 0; i < 99; ++i) say(map, "Retry", fmt::format("attempt {}", i));
  loop->run_for(Recorder::kRefill);
  say(map, "Retry", "attempt 99");
  const auto events = list(kEvents);
  ASSERT_EQ(events.size(), 10u);
  int folded = 0;
  for (const auto& event : events) {
    if (text(event, "message") != "(combined from similar events): attempt 99") continue;
    ++folded;
    EXPECT_EQ(count(event), 91);
  }
  EXPECT_EQ(folded, 1);
}

TEST_F(RecorderTest, WhatIsSaidAgainAndAgainCostsFewWrites) {
  const auto map = create_map("a");
  const auto other = create_map("b");
  const auto written = [&] { return count(list(kEvents).at(0)); };
  for (int i = 0; i < 200; ++i) say(map, "Circling", "again");
  EXPECT_EQ(written(), 1 + Recorder::kBurst);
  const auto version = run_to_end(*loop, store->list(kEvents, {}))->version;
  for (int i = 0; i < 50; ++i) say(map, "Circling", "again");
  EXPECT_EQ(run_to_end(*loop, store->list(kEvents, {}))->version, version);
  loop->run_for(Recorder::kRefill);
  say(map, "Circling", "again");
  EXPECT_EQ(written(), 251) << "none is forgotten";
  say(map, "Circling", "again");
  EXPECT_EQ(written(), 251);

  // What is new is written at once, and so is what others have to say.
  say(map, "Stopped", "at last");
  say(other, "Circling", "again");
  say(other, "Circling", "again");
  EXPECT_EQ(list(kEvents).size(), 3u);
  std::int64_t twice = 0;
  for (const auto& event : list(kEvents)) twice += count(event) == 2;
  EXPECT_EQ(twice, 1);
}

TEST_F(RecorderTest, CutsLongMessagesBetweenCharacters) {
  const auto map = create_map("a");
  const std::string euro = "\xe2\x82\xac";
  for (const std::size_t before : {1020u, 1021u, 1022u, 1023u, 1024u})
    say(map, fmt::format("R{}", before), std::string(before, 'x') + euro + euro);
  const auto events = list(kEvents);
  EXPECT_EQ(events.size(), 5u);
  for (const auto& event : events) {
    std::string message = text(event, "message");
    EXPECT_LE(message.size(), 1024u);
    EXPECT_GE(message.size(), 1022u) << text(event, "reason");
    if (message.ends_with(euro)) message.resize(message.size() - euro.size());
    EXPECT_TRUE(message.ends_with('x')) << text(event, "reason");
  }
}

TEST_F(RecorderTest, SaysThingsAboutObjectsWithTheLongestNames) {
  const auto map = create_map(std::string(235, 'a') + "-" + std::string(17, 'b'));
  say(map, "Waiting", "for b");
  EXPECT_EQ(list(kEvents).size(), 1u);
}

class ExpireEventsTest : public RecorderTest {
 protected:
  ExpireEventsTest() {
    manager.add_job([this](std::stop_token stop) { return expire_events(manager, 1h, stop); });
    manager.start();
  }
  ~ExpireEventsTest() override { run_to_end(*loop, manager.stop()); }
  Manager manager{*loop, *store, *registry};
};

TEST_F(ExpireEventsTest, RemovesWhatLastHappenedTooLongAgo) {
  const auto map = create_map("a");
  for (int i = 0; i < 450; ++i) {
    json::Object event = named("Event", fmt::format("e{}", i));
    event["involvedObject"] =
        json::Object{{"kind", "ConfigMap"}, {"name", "a"}, {"namespace", "default"}};
    event["lastTimestamp"] = format_time(loop->clock().now());
    create(kEvents, "default", event);
  }
  say(map, "Early", "once");
  say(map, "Again", "and again");
  loop->run_for(8min);
  say(map, "Again", "and again");
  loop->run_for(46min);
  EXPECT_EQ(list(kEvents).size(), 452u);
  loop->run_for(10min);
  const auto left = list(kEvents);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(text(left[0], "reason"), "Again");
  loop->run_for(10min);
  EXPECT_TRUE(list(kEvents).empty());
}

}  // namespace
}  // namespace slipway::control
