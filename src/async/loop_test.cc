#include "async/loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "async/real_loop.h"
#include "async/sim_loop.h"

namespace slipway {
namespace {

using namespace std::chrono_literals;

using MakeLoop = std::unique_ptr<Loop> (*)();
std::unique_ptr<Loop> make_sim() { return make_sim_loop(); }

// What holds on the real loop and on the simulated one.
class EitherLoop : public testing::TestWithParam<MakeLoop> {
 protected:
  std::unique_ptr<Loop> loop_ = GetParam()();
};
INSTANTIATE_TEST_SUITE_P(Real, EitherLoop, testing::Values(&make_loop));
INSTANTIATE_TEST_SUITE_P(Simulated, EitherLoop, testing::Values(&make_sim));

Task<int> give(int value) { co_return value; }
Task<std::uint64_t> sum_of_many(int count) {
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<std::uint64_t>(co_await give(1));
  co_return sum;
}
Task<int> nest(int depth) {
  if (depth == 0) co_return 0;
  co_return co_await nest(depth - 1) + 1;
}

TEST_P(EitherLoop, RunsWorkInTheOrderPosted) {
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) loop_->post([&order, i] { order.push_back(i); });
  loop_->post([this, &order] {
    loop_->post([this, &order] {
      order.push_back(6);
      loop_->stop();
    });
    order.push_back(5);
  });
  loop_->run();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST_P(EitherLoop, KeepsWhatAStopLeftForTheNextRun) {
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    loop_->post([this, &order, i] {
      order.push_back(i);
      if (i == 1) loop_->stop();
      if (i == 3) loop_->stop();
    });
  }
  loop_->run();
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
  loop_->run();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST_P(EitherLoop, AStopBeforeTheRunEndsIt) {
  loop_->stop();
  bool ran = false;
  loop_->post([&ran] { ran = true; });
  loop_->run();
  EXPECT_FALSE(ran);
}

TEST_P(EitherLoop, DoesNotGrowTheStackOverAMillionAwaits) {
  EXPECT_EQ(run_to_end(*loop_, sum_of_many(1'000'000)), 1'000'000u);
}

TEST_P(EitherLoop, ReturnsFromDeepNests) { EXPECT_EQ(run_to_end(*loop_, nest(10'000)), 10'000); }

TEST_P(EitherLoop, FiresTimersInTheOrderDue) {
  std::vector<int> order;
  auto late = loop_->clock().call_after(30ms, [this, &order] {
    order.push_back(3);
    loop_->stop();
  });
  auto early = loop_->clock().call_after(10ms, [&order] { order.push_back(1); });
  auto middle = loop_->clock().call_after(20ms, [&order] { order.push_back(2); });
  loop_->run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_P(EitherLoop, ADestroyedTimerDoesNotFireEvenWhenItIsDue) {
  bool fired = false;
  std::unique_ptr<Clock::Timer> second;
  auto first = loop_->clock().call_after(1ms, [this, &second] {
    // On the real loop, until the second is due as well; simulated time stands still.
    Duration until = loop_->clock().uptime() + 3ms;
    for (int i = 0; i < 1'000'000 && loop_->clock().uptime() < until; ++i) continue;
    second.reset();
  });
  second = loop_->clock().call_after(1ms, [&fired] { fired = true; });
  auto last = loop_->clock().call_after(20ms, [this] { loop_->stop(); });
  loop_->run();
  EXPECT_FALSE(fired);
}

TEST_P(EitherLoop, ATimerMayDestroyItself) {
  std::unique_ptr<Clock::Timer> timer;
  int fired = 0;
  timer = loop_->clock().call_after(1ms, [this, &timer, &fired] {
    timer.reset();
    ++fired;
    loop_->stop();
  });
  loop_->run();
  EXPECT_EQ(fired, 1);
}

Task<Duration> measure_sleep(Loop& loop, Duration duration) {
  Duration before = loop.clock().uptime();
  EXPECT_TRUE(co_await sleep_for(loop, duration));
  co_return loop.clock().uptime() - before;
}
Task<bool> sleep_until_stopped(Loop& loop, std::stop_token stop) {
  co_return co_await sleep_for(loop, 1h, stop);
}

TEST_P(EitherLoop, SleepsAtLeastAsLongAsAsked) {
  EXPECT_GE(run_to_end(*loop_, measure_sleep(*loop_, 10ms)), 10ms);
}

TEST_P(EitherLoop, AStopEndsASleep) {
  std::stop_source source;
  auto timer = loop_->clock().call_after(5ms, [&source] { source.request_stop(); });
  Duration before = loop_->clock().uptime();
  EXPECT_FALSE(run_to_end(*loop_, sleep_until_stopped(*loop_, source.get_token())));
  EXPECT_LT(loop_->clock().uptime() - before, 1min);
}

TEST_P(EitherLoop, ASleepThatIsAlreadyStoppedDoesNotWait) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(run_to_end(*loop_, sleep_until_stopped(*loop_, source.get_token())));
}

Task<> note_sleep(Loop& loop, std::stop_token stop, std::vector<std::string>& journal) {
  co_await sleep_for(loop, 1h, stop);
  journal.push_back("woken");
}
Task<> request_stop(Loop& loop, std::stop_source source, std::vector<std::string>& journal) {
  co_await next_turn(loop);
  source.request_stop();
  journal.push_back("requested");
  co_await sleep_for(loop, 5ms);
}

TEST_P(EitherLoop, ASleeperIsNotResumedInsideRequestStop) {
  std::stop_source source;
  std::vector<std::string> journal;
  spawn(*loop_, note_sleep(*loop_, source.get_token(), journal));
  run_to_end(*loop_, request_stop(*loop_, source, journal));
  EXPECT_EQ(journal, (std::vector<std::string>{"requested", "woken"}));
}

struct Noted {
  explicit Noted(int& count) : count_(&count) { ++count; }
  Noted(Noted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
  ~Noted() {
    if (count_) --*count_;
  }
  int* count_;
};
Task<> hold(Noted noted, bool& ran) {
  ran = noted.count_ != nullptr;
  co_return;
}

TEST_P(EitherLoop, WhatNeverRanIsFreedWithTheLoop) {
  int alive = 0;
  bool ran = false;
  spawn(*loop_, hold(Noted(alive), ran));
  auto timer = loop_->clock().call_after(1h, [noted = Noted(alive)] {});
  EXPECT_EQ(alive, 2);
  timer.reset();
  loop_.reset();
  EXPECT_EQ(alive, 0);
  EXPECT_FALSE(ran);
}

TEST(RealLoop, RunsWhatOtherThreadsPostInTheirOrder) {
  constexpr int kThreads = 4;
  constexpr int kEach = 2000;
  auto loop = make_loop();
  std::vector<std::vector<int>> seen(kThreads);
  int left = kThreads * kEach;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        loop->post([&, t, i] {
          seen[static_cast<std::size_t>(t)].push_back(i);
          if (--left == 0) loop->stop();
        });
      }
    });
  }
  loop->run();
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : seen) {
    ASSERT_EQ(one.size(), static_cast<std::size_t>(kEach));
    for (int i = 0; i < kEach; ++i) ASSERT_EQ(one[static_cast<std::size_t>(i)], i);
  }
}

TEST(RealLoop, StopsWhenAnotherThreadSaysSo) {
  auto loop = make_loop();
  std::atomic<bool> running = false;
  loop->post([&running] { running = true; });
  std::thread other([&] {
    while (!running) std::this_thread::yield();
    loop->stop();
  });
  loop->run();
  other.join();
}

TEST(RealLoop, LetsTimersInWhileWorkPostsMoreWork) {
  auto loop = make_loop();
  bool fired = false;
  auto timer = loop->clock().call_after(5ms, [&] {
    fired = true;
    loop->stop();
  });
  std::function<void()> again = [&] {
    if (!fired) loop->post(again);
  };
  loop->post(again);
  loop->run();
  EXPECT_TRUE(fired);
}

}  // namespace
}  // namespace slipway
