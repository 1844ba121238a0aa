#include "runtime/node/usage.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

TEST(Usage, ReadsTimesAfterANameThatHoldsAnything) {
  EXPECT_EQ(parse_cpu_ticks("7 (a) b) c) S 1 7 7 0 -1 0 1 2 3 4 100 23 5 6 20 0 1 0 99 0 0"), 123U);
  for (const char* wrong : {"", "7 (a", "7 (a) S 1 2"}) EXPECT_FALSE(parse_cpu_ticks(wrong));
  EXPECT_EQ(parse_private_pages("1000 300 100 1 0 200 0\n"), 200U);
  EXPECT_EQ(parse_private_pages("1000 100 300"), 0U);
  EXPECT_FALSE(parse_private_pages("1000"));
}

TEST(Usage, RatesCountWhatWasUsedSinceTheLastLook) {
  const ProcessUse old{.pid = 1, .start_ticks = 5, .cpu_ticks = 100};
  const ProcessUse later{.pid = 1, .start_ticks = 5, .cpu_ticks = 150};
  const ProcessUse fresh{.pid = 2, .start_ticks = 9, .cpu_ticks = 50};
  const ProcessUse same_number{.pid = 1, .start_ticks = 8, .cpu_ticks = 20};
  EXPECT_EQ(cpu_rate({old}, {later}, 1s, 100), 500'000'000);
  EXPECT_EQ(cpu_rate({old}, {later, fresh}, 10s, 100), 100'000'000);
  EXPECT_EQ(cpu_rate({old}, {same_number}, 2s, 100), 100'000'000);
  EXPECT_EQ(cpu_rate({old}, {}, 1s, 100), 0);
  EXPECT_EQ(cpu_rate({}, {old}, 0s, 100), 0);
}

}  // namespace
}  // namespace slipway::runtime
