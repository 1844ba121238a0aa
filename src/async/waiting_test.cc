// Signal, Gate, Completion, Limit, wait_all and blocking, on a simulated loop where time does not
// matter.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "async/blocking.h"
#include "async/gate.h"
#include "async/limit.h"
#include "async/real_loop.h"
#include "async/signal.h"
#include "async/sim_loop.h"
#include "async/wait_all.h"

namespace slipway {
namespace {

using namespace std::chrono_literals;
using Journal = std::vector<std::string>;
using Wake = Signal::Wake;

class Waiting : public testing::Test {
 protected:
  std::unique_ptr<SimLoop> loop_ = make_sim_loop();
  Journal journal_;
};

Task<> note_wake(Signal& signal, std::string name, Journal& journal) {
  co_await signal.wait();
  journal.push_back(std::move(name));
}
Task<> keep_wake(Signal& signal, Duration timeout, std::stop_token stop,
                 std::optional<Wake>& wake) {
  wake = co_await signal.wait(timeout, std::move(stop));
}
Task<> keep_wake_untimed(Signal& signal, std::stop_token stop, std::optional<Wake>& wake) {
  wake = co_await signal.wait(std::move(stop));
}

TEST_F(Waiting, NotifyWakesThoseWaitingNowOnALaterTurn) {
  Signal signal(*loop_);
  signal.notify_all();
  spawn(*loop_, note_wake(signal, "a", journal_));
  spawn(*loop_, note_wake(signal, "b", journal_));
  loop_->run_for(1s);
  EXPECT_EQ(journal_, Journal{});
  EXPECT_TRUE(signal.has_waiters());
  signal.notify_all();
  EXPECT_EQ(journal_, Journal{});
  EXPECT_FALSE(signal.has_waiters());
  loop_->run_for(1s);
  EXPECT_EQ(journal_, (Journal{"a", "b"}));
}

TEST_F(Waiting, NotifyOneWakesTheLongestWaiting) {
  Signal signal(*loop_);
  spawn(*loop_, note_wake(signal, "a", journal_));
  spawn(*loop_, note_wake(signal, "b", journal_));
  loop_->run_for(1s);
  EXPECT_TRUE(signal.notify_one());
  loop_->run_for(1s);
  EXPECT_EQ(journal_, Journal{"a"});
  EXPECT_TRUE(signal.notify_one());
  EXPECT_FALSE(signal.notify_one());
  loop_->run_for(1s);
  EXPECT_EQ(journal_, (Journal{"a", "b"}));
}

TEST_F(Waiting, ASignalMayGoBeforeThoseItWokeHaveRun) {
  auto signal = std::make_unique<Signal>(*loop_);
  spawn(*loop_, note_wake(*signal, "a", journal_));
  loop_->run_for(1s);
  signal->notify_all();
  signal.reset();
  loop_->run_for(1s);
  EXPECT_EQ(journal_, Journal{"a"});
}

TEST_F(Waiting, TheFirstOfNotifyTimeoutAndStopCounts) {
  struct Case {
    const char* name;
    std::optional<Duration> notify_at, stop_at;
    Wake expected;
  };
  for (const Case& c :
       {Case{"timeout", {}, {}, Wake::kTimeout}, Case{"notify", 1s, 2s, Wake::kNotified},
        Case{"stop", 2s, 1s, Wake::kStopped}, Case{"late", 20s, 30s, Wake::kTimeout},
        Case{"both, notify first", 1s, 1s, Wake::kNotified},
        Case{"stopped before", {}, 0s, Wake::kStopped}}) {
    auto loop = make_sim_loop();
    Signal signal(*loop);
    std::stop_source source;
    std::optional<Wake> wake;
    std::unique_ptr<Clock::Timer> notify, stop;
    if (c.notify_at) notify = loop->clock().call_after(*c.notify_at, [&] { signal.notify_all(); });
    if (c.stop_at) stop = loop->clock().call_after(*c.stop_at, [&] { source.request_stop(); });
    if (c.stop_at == 0s) source.request_stop();
    spawn(*loop, keep_wake(signal, 10s, source.get_token(), wake));
    loop->run();
    EXPECT_EQ(wake, c.expected) << c.name;
  }
}

TEST_F(Waiting, AStopEndsAWaitWithoutTimeout) {
  Signal signal(*loop_);
  std::stop_source source;
  std::optional<Wake> wake;
  spawn(*loop_, keep_wake_untimed(signal, source.get_token(), wake));
  loop_->run();
  EXPECT_EQ(wake, std::nullopt);
  source.request_stop();
  EXPECT_EQ(wake, std::nullopt);
  loop_->run();
  EXPECT_EQ(wake, Wake::kStopped);
}

TEST_F(Waiting, DestroyingASignalSomebodyWaitsForIsABug) {
  EXPECT_DEATH(
      {
        Signal signal(*loop_);
        spawn(*loop_, note_wake(signal, "a", journal_));
        loop_->run_for(1s);
      },
      "waiters_");
}

Task<> work_until_stopped(Loop& loop, std::stop_token stop, Journal& journal) {
  while (co_await sleep_for(loop, 1s, stop)) continue;
  co_await sleep_for(loop, 5s);
  journal.push_back("work ended");
}
Task<> stop_and_close(Gate& gate, Journal& journal) {
  gate.request_stop();
  co_await gate.close();
  journal.push_back("closed");
}

TEST_F(Waiting, AGateClosesWhenTheLastHasLeft) {
  Gate gate(*loop_);
  gate.spawn(work_until_stopped(*loop_, gate.stop(), journal_));
  gate.spawn(work_until_stopped(*loop_, gate.stop(), journal_));
  loop_->run_for(1min);
  spawn(*loop_, stop_and_close(gate, journal_));
  spawn(*loop_, stop_and_close(gate, journal_));
  loop_->run_for(1s);
  EXPECT_EQ(journal_, Journal{});
  loop_->run_for(1min);
  EXPECT_EQ(journal_, (Journal{"work ended", "work ended", "closed", "closed"}));
}

TEST_F(Waiting, AClosedGateLetsNothingInAndAnEmptyOneClosesAtOnce) {
  Gate gate(*loop_);
  run_to_end(*loop_, stop_and_close(gate, journal_));
  gate.spawn(work_until_stopped(*loop_, gate.stop(), journal_));
  loop_->run_for(1min);
  EXPECT_EQ(journal_, Journal{"closed"});
}

struct NotesItsEnd {
  explicit NotesItsEnd(Journal& j) : journal(&j) {}
  NotesItsEnd(NotesItsEnd&& other) noexcept : journal(std::exchange(other.journal, nullptr)) {}
  ~NotesItsEnd() {
    if (journal) journal->push_back("argument gone");
  }
  Journal* journal;
};
Task<> hold_argument(NotesItsEnd argument) {
  EXPECT_NE(argument.journal, nullptr);
  co_return;
}

TEST_F(Waiting, WhatATaskHoldsIsGoneBeforeItsGateCloses) {
  Gate gate(*loop_);
  gate.spawn(hold_argument(NotesItsEnd(journal_)));
  run_to_end(*loop_, stop_and_close(gate, journal_));
  EXPECT_EQ(journal_, (Journal{"argument gone", "closed"}));
}

TEST_F(Waiting, DestroyingAGateWithWorkInsideIsABug) {
  EXPECT_DEATH(
      {
        Gate gate(*loop_);
        gate.spawn(work_until_stopped(*loop_, gate.stop(), journal_));
      },
      "inside_");
}

Task<std::string> await_text(Completion<std::string> done) { co_return co_await done; }

TEST_F(Waiting, ACompletionGivesItsFirstValueBeforeOrAfterTheWait) {
  Completion<std::string> before(*loop_);
  before.set("one");
  before.set("two");
  EXPECT_EQ(run_to_end(*loop_, await_text(before)), "one");

  Completion<std::string> after(*loop_);
  auto timer = loop_->clock().call_after(1s, [&after] { after.set("three"); });
  EXPECT_EQ(run_to_end(*loop_, await_text(after)), "three");
}

Task<> enter_and_hold(Loop& loop, Limit& limit, std::string name, std::stop_token stop,
                      Journal& journal) {
  auto permit = co_await limit.enter(std::move(stop));
  if (!permit) {
    journal.push_back(name + " gave up");
    co_return;
  }
  journal.push_back(name + " in");
  co_await sleep_for(loop, 10s);
}

TEST_F(Waiting, ALimitLetsInInOrderAndSkipsThoseWhoGaveUp) {
  Limit limit(*loop_, 2);
  std::stop_source impatient;
  auto enter = [&](std::string name, std::stop_token stop = {}) {
    spawn(*loop_, enter_and_hold(*loop_, limit, std::move(name), std::move(stop), journal_));
  };
  enter("a");
  enter("b");
  enter("c", impatient.get_token());
  enter("d");
  enter("e");
  loop_->run_for(1s);
  EXPECT_EQ(journal_, (Journal{"a in", "b in"}));
  EXPECT_FALSE(limit.try_enter());
  impatient.request_stop();
  loop_->run_for(20s);
  EXPECT_EQ(journal_, (Journal{"a in", "b in", "c gave up", "d in", "e in"}));
  loop_->run_for(1min);
  EXPECT_TRUE(limit.try_enter());
}

TEST_F(Waiting, APlaceFreedInTheMomentOfAStopIsNotLost) {
  Limit limit(*loop_, 1);
  std::stop_source source;
  spawn(*loop_, enter_and_hold(*loop_, limit, "a", {}, journal_));
  spawn(*loop_, enter_and_hold(*loop_, limit, "b", source.get_token(), journal_));
  auto stop = loop_->clock().call_after(10s, [&source] { source.request_stop(); });
  loop_->run();
  EXPECT_TRUE(limit.try_enter());
}

Task<int> give_later(Loop& loop, Duration wait, int value) {
  co_await sleep_for(loop, wait);
  co_return value;
}
Task<std::vector<int>> wait_for_three(Loop& loop) {
  std::vector<Task<int>> tasks;
  tasks.push_back(give_later(loop, 3s, 1));
  tasks.push_back(give_later(loop, 1s, 2));
  tasks.push_back(give_later(loop, 2s, 3));
  co_return co_await wait_all(loop, std::move(tasks));
}

TEST_F(Waiting, WaitAllRunsSideBySideAndKeepsTheOrder) {
  EXPECT_EQ(run_to_end(*loop_, wait_for_three(*loop_)), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(loop_->clock().uptime(), 3s);
  EXPECT_TRUE(run_to_end(*loop_, wait_all(*loop_, std::vector<Task<int>>())).empty());
}

Task<std::thread::id> where_blocking_runs(Loop& loop, Pool& pool, std::thread::id& resumed_on) {
  auto ran_on = co_await blocking(loop, pool, [] { return std::this_thread::get_id(); });
  resumed_on = std::this_thread::get_id();
  co_return ran_on;
}

TEST(Blocking, RunsOnThePoolAndResumesOnTheLoop) {
  auto loop = make_loop();
  auto pool = make_thread_pool(2);
  std::thread::id resumed_on;
  EXPECT_NE(run_to_end(*loop, where_blocking_runs(*loop, *pool, resumed_on)),
            std::this_thread::get_id());
  EXPECT_EQ(resumed_on, std::this_thread::get_id());
  auto inline_pool = make_inline_pool();
  EXPECT_EQ(run_to_end(*loop, where_blocking_runs(*loop, *inline_pool, resumed_on)),
            std::this_thread::get_id());
}

Task<int> add_on_pool(Loop& loop, Pool& pool, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += co_await blocking(loop, pool, [held = std::make_unique<int>(i)] { return *held; });
    co_await blocking(loop, pool, [] {});
  }
  co_return sum;
}

TEST(Blocking, ManyAtOnceLoseNothing) {
  auto loop = make_loop();
  auto pool = make_thread_pool(4);
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 20; ++i) tasks.push_back(add_on_pool(*loop, *pool, 50));
  for (int sum : run_to_end(*loop, wait_all(*loop, std::move(tasks)))) EXPECT_EQ(sum, 49 * 50 / 2);
}

TEST(Blocking, DestroyingThePoolWaitsForWhatWasGiven) {
  std::atomic<int> ran = 0;
  {
    auto pool = make_thread_pool(2);
    for (int i = 0; i < 100; ++i) pool->submit([&ran] { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace slipway
