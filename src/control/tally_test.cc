#include "control/tally.h"

#include "control/testing/store_fixture.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;

TEST(Histogram, CountsWhatIsAtMostItsBound) {
  static constexpr double kBounds[] = {1, 10};
  Histogram histogram(kBounds);
  for (const double value : {0.5, 1.0, 2.0, 10.0, 11.0}) histogram.observe(value);
  EXPECT_EQ(histogram.counts()[0], 2u);
  EXPECT_EQ(histogram.counts()[1], 2u);
  EXPECT_EQ(histogram.count(), 5u);
  EXPECT_DOUBLE_EQ(histogram.sum(), 24.5);
}

class TallyTest : public StoreFixture {
 protected:
  void look(const store::Key& key, Duration took, bool failed = false) {
    tally.begin_look(key);
    tally.count_look(key, took, failed);
  }

  const store::Key a{"default", "a"};
  Tally tally{loop->clock()};
};

TEST_F(TallyTest, CountsLooksFailuresAndEventsByObject) {
  look(a, 5ms);
  look(a, 200ms, true);
  tally.count_event(a, EventKind::kNormal, "Done");
  tally.count_event(a, EventKind::kNormal, "Done");
  tally.count_event(a, EventKind::kWarning, "Done");
  look({"default", "b"}, 1ms);
  ASSERT_EQ(tally.done().size(), 2u);
  const auto& done = tally.done().at(a);
  EXPECT_EQ(done.looks.count(), 2u);
  EXPECT_EQ(done.failures, 1u);
  EXPECT_EQ(done.events.at({EventKind::kNormal, "Done"}), 2u);
  EXPECT_EQ(done.events.at({EventKind::kWarning, "Done"}), 1u);
}

TEST_F(TallyTest, WhatHasGoneIsKeptForAWhile) {
  look(a, 1ms);
  tally.mark_gone(a);
  loop->run_for(64s);
  EXPECT_EQ(tally.done().size(), 1u);
  loop->run_for(1s);
  EXPECT_TRUE(tally.done().empty());
}

TEST_F(TallyTest, WhatHasComeBackStays) {
  look(a, 1ms);
  tally.mark_gone(a);
  loop->run_for(30s);
  look(a, 1ms);
  loop->run_for(60s);
  EXPECT_EQ(tally.done().at(a).looks.count(), 2u);
}

TEST_F(TallyTest, AnEventAboutWhatHasGoneDoesNotKeepIt) {
  look(a, 1ms);
  tally.mark_gone(a);
  tally.count_event(a, EventKind::kNormal, "Late");
  loop->run_for(65s);
  tally.count_event(a, EventKind::kNormal, "TooLate");
  EXPECT_TRUE(tally.done().empty());
}

TEST_F(TallyTest, ReasonsAreBounded) {
  look(a, 1ms);
  for (std::size_t i = 0; i < Tally::kMaxReasons + 50; ++i)
    tally.count_event(a, EventKind::kNormal, "Reason" + std::to_string(i));
  const auto& events = tally.done().at(a).events;
  EXPECT_EQ(events.size(), Tally::kMaxReasons + 1);
  EXPECT_EQ(events.at({EventKind::kNormal, "Other"}), 50u);
}

class Answering : public Reconciler {
 public:
  Task<Result<Outcome>> reconcile(store::Key) override { co_return answer; }
  Result<Outcome> answer = Outcome{};
};

TEST_F(TallyTest, ALookIsCountedAsFailedUnlessSomebodyElseWasFirst) {
  create_map("a");
  Manager manager(*loop, *store, *registry);
  Answering inner;
  CountedReconciler counted(manager, kConfigMaps, inner, tally);
  manager.cache(kConfigMaps);
  manager.start();
  loop->run_for(1ms);
  const auto answer = [&](Result<Outcome> with) {
    inner.answer = std::move(with);
    (void)run_to_end(*loop, counted.reconcile(a));
  };
  answer(Outcome{});
  answer(fail(ErrorCode::kConflict, "somebody was first"));
  answer(fail(ErrorCode::kCancelled, "the end"));
  EXPECT_EQ(tally.done().at(a).failures, 0u);
  answer(fail(ErrorCode::kUnavailable, "nobody there"));
  EXPECT_EQ(tally.done().at(a).failures, 1u);
  EXPECT_EQ(tally.done().at(a).looks.count(), 4u);
  EXPECT_FALSE(tally.done().at(a).gone);
  remove(kConfigMaps, a);
  loop->run_for(1ms);
  answer(Outcome{});
  EXPECT_TRUE(tally.done().at(a).gone);
  run_to_end(*loop, manager.stop());
}

}  // namespace
}  // namespace slipway::control
