#include "async/sim_loop.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace slipway {
namespace {

using namespace std::chrono_literals;

Task<> note_after(Loop& loop, Duration wait, int id, std::vector<int>& order) {
  co_await sleep_for(loop, wait);
  order.push_back(id);
}

// Ten tasks that sleep equally long, then ten pieces of work posted at one moment.
std::vector<int> order_of(SimOptions options, std::uint64_t* steps = nullptr) {
  auto loop = make_sim_loop(options);
  std::vector<int> order;
  for (int i = 0; i < 10; ++i) spawn(*loop, note_after(*loop, 1h, i, order));
  loop->run_for(2h);
  for (int i = 10; i < 20; ++i) loop->post([&order, i] { order.push_back(i); });
  loop->run();
  if (steps) *steps = loop->steps();
  return order;
}

TEST(SimLoop, SameSeedSameOrderAndSteps) {
  std::uint64_t first_steps = 0;
  std::uint64_t second_steps = 0;
  SimOptions options{.shuffle = true, .seed = 7};
  EXPECT_EQ(order_of(options, &first_steps), order_of(options, &second_steps));
  EXPECT_EQ(first_steps, second_steps);
  EXPECT_EQ(first_steps, 30u);
}

TEST(SimLoop, ShuffleVariesWithTheSeedAndLosesNothing) {
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto order = order_of({.shuffle = true, .seed = seed});
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 20u);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 15u);
}

TEST(SimLoop, WithoutShuffleTheOrderIsTheOnePosted) {
  auto order = order_of({.seed = 3});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(SimLoop, TimeJumpsToTheNextTimerAndStandsStillOtherwise) {
  auto loop = make_sim_loop();
  Time start = loop->clock().now();
  std::vector<Duration> at;
  auto note = [&] { at.push_back(loop->clock().now() - start); };
  loop->post(note);
  auto a = loop->clock().call_after(36h, note);
  auto b = loop->clock().call_after(5s, note);
  loop->run();
  EXPECT_EQ(at, (std::vector<Duration>{0s, 5s, 36h}));
  EXPECT_EQ(loop->clock().uptime(), 36h);
}

TEST(SimLoop, RunForEndsOnTheMomentAndGoesOn) {
  auto loop = make_sim_loop();
  int ticks = 0;
  auto early = loop->clock().call_after(10s, [&ticks] { ++ticks; });
  auto late = loop->clock().call_after(10s + 1ns, [&ticks] { ++ticks; });
  loop->run_for(10s);
  EXPECT_EQ(ticks, 1);
  EXPECT_EQ(loop->clock().uptime(), 10s);
  loop->run_for(1min);
  EXPECT_EQ(ticks, 2);
  EXPECT_EQ(loop->clock().uptime(), 70s);
}

Task<> tick_forever(Loop& loop, std::stop_token stop, int& ticks) {
  while (co_await sleep_for(loop, 1h, stop)) ++ticks;
}

TEST(SimLoop, TheRunLimitEndsWhatWouldNeverEnd) {
  auto loop = make_sim_loop({.run_limit = 24h});
  std::stop_source source;
  int ticks = 0;
  spawn(*loop, tick_forever(*loop, source.get_token(), ticks));
  loop->run();
  EXPECT_EQ(ticks, 24);
  source.request_stop();
  loop->run();
  EXPECT_EQ(ticks, 24);
}

TEST(SimLoop, AWaitForeverDoesNotOverflow) {
  auto loop = make_sim_loop();
  bool fired = false;
  auto timer = loop->clock().call_after(Duration::max(), [&fired] { fired = true; });
  loop->run_for(1h);
  EXPECT_FALSE(fired);
}

}  // namespace
}  // namespace slipway
