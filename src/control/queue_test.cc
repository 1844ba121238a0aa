#include "control/queue.h"

#include <gtest/gtest.h>

#include "async/gate.h"
#include "async/sim_loop.h"

namespace slipway::control {
namespace {

using namespace std::chrono_literals;

struct Fixture : testing::Test {
  std::unique_ptr<SimLoop> loop = make_sim_loop();
  Queue<std::string> queue{*loop, {.first = 100ms, .most = 1s}};
  std::stop_source stop;

  std::optional<std::string> take_now() {
    std::optional<std::string> taken;
    spawn(*loop, take_into(taken));
    loop->run_for(1ms);
    return taken;
  }
  Task<> take_into(std::optional<std::string>& taken) {
    std::stop_source soon;
    auto timer = loop->clock().call_after(Duration(1), [&soon] { soon.request_stop(); });
    taken = co_await queue.take(soon.get_token());
  }
};
using QueueTest = Fixture;

TEST_F(QueueTest, HoldsAKeyOnceHoweverOftenItIsAdded) {
  queue.add("a");
  queue.add("b");
  queue.add("a");
  EXPECT_EQ(take_now(), "a");
  EXPECT_EQ(take_now(), "b");
  EXPECT_EQ(take_now(), std::nullopt);
  queue.done("a");
  queue.done("b");
}

TEST_F(QueueTest, NeverGivesAKeyToTwoWorkersAndBringsItAgainAfterwards) {
  queue.add("a");
  ASSERT_EQ(take_now(), "a");
  queue.add("a");
  EXPECT_EQ(take_now(), std::nullopt) << "somebody works on it";
  queue.done("a");
  EXPECT_EQ(take_now(), "a");
  queue.done("a");
  EXPECT_EQ(queue.size(), 0u);
}

TEST_F(QueueTest, WaitsLongerAfterEachFailureAndForgetsAfterSuccess) {
  queue.add("a");
  for (const Duration wait : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    ASSERT_EQ(take_now(), "a");
    queue.failed("a");
    loop->run_for(wait - 10ms);
    EXPECT_EQ(take_now(), std::nullopt) << "too early";
    loop->run_for(10ms);
  }
  ASSERT_EQ(take_now(), "a");
  queue.done("a");
  queue.add("a");
  ASSERT_EQ(take_now(), "a");
  queue.failed("a");
  loop->run_for(100ms);
  EXPECT_EQ(take_now(), "a") << "the count began anew";
  queue.done("a");
}

TEST_F(QueueTest, TheEarliestTimerOfAKeyWins) {
  queue.add_after("a", 10s);
  queue.add_after("a", 1s);
  queue.add_after("a", 5s);
  loop->run_for(1s);
  EXPECT_EQ(take_now(), "a");
  queue.done("a");
  loop->run_for(20s);
  EXPECT_EQ(take_now(), std::nullopt) << "the later ones are gone";
}

TEST_F(QueueTest, AnAddNowReplacesTheTimer) {
  queue.add_after("a", 1s);
  queue.add("a");
  EXPECT_EQ(take_now(), "a");
  queue.done("a");
  loop->run_for(2s);
  EXPECT_EQ(take_now(), std::nullopt);
}

TEST_F(QueueTest, GivesNothingOnceStopped) {
  queue.add("a");
  stop.request_stop();
  std::optional<std::string> taken = run_to_end(*loop, queue.take(stop.get_token()));
  EXPECT_EQ(taken, std::nullopt);
}

}  // namespace
}  // namespace slipway::control
