#include "analysis/kayenta/looks.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

using namespace std::chrono_literals;

const Time kNow = *parse_time("2026-03-01T12:00:00Z");

std::vector<KayentaLooks> plan(KayentaOptions options) {
  options.now = kNow;
  auto looks = plan_looks(options);
  EXPECT_TRUE(looks) << looks.error().text();
  return looks ? *looks : std::vector<KayentaLooks>();
}

TEST(KayentaLooks, LooksOnceAtTheEndWithoutInterval) {
  const auto looks = plan({.lifetime = 30min});
  ASSERT_EQ(looks.size(), 1u);
  EXPECT_EQ(looks[0].delay, 30min);
  EXPECT_EQ(looks[0].window, 30min);
  EXPECT_EQ(looks[0].count, 1);
  EXPECT_TRUE(looks[0].last);
}

TEST(KayentaLooks, GrowsFromTheBeginningOfTheRun) {
  const auto looks = plan({.lifetime = 60min, .interval = 25min});
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].delay, 25min);
  EXPECT_EQ(looks[0].interval, 25min);
  EXPECT_EQ(looks[0].count, 1);
  EXPECT_EQ(looks[0].window, 0s);
  EXPECT_FALSE(looks[0].last);
  EXPECT_EQ(looks[1].delay, 50min);
  EXPECT_EQ(looks[1].window, 50min);
}

TEST(KayentaLooks, SlidesWithALookback) {
  const auto looks =
      plan({.lifetime = 60min, .interval = 10min, .begin_after = 5min, .lookback = 20min});
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].delay, 15min);
  EXPECT_EQ(looks[0].count, 5);
  EXPECT_EQ(looks[0].window, 20min);
  EXPECT_EQ(looks[1].delay, 65min);
  EXPECT_EQ(looks[1].window, 20min);
}

TEST(KayentaLooks, LeavesTheWarmUpOutOfEachLook) {
  const auto looks = plan({.lifetime = 30min, .interval = 10min, .begin_after = 5min});
  ASSERT_EQ(looks.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(looks[static_cast<std::size_t>(i)].delay, 5min + (i + 1) * 10min);
    EXPECT_EQ(looks[static_cast<std::size_t>(i)].window, (i + 1) * 10min);
    EXPECT_EQ(looks[static_cast<std::size_t>(i)].last, i == 2);
  }
}

TEST(KayentaLooks, DoesNotWaitForThePast) {
  const auto looks = plan({.start = kNow - 3h, .end = kNow - 1h, .interval = 1h});
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_EQ(looks[0].delay, 0s);
  EXPECT_EQ(looks[0].ago, 2h);
  EXPECT_EQ(looks[0].window, 1h);
  EXPECT_EQ(looks[1].ago, 1h);
  EXPECT_EQ(looks[1].window, 2h);
}

TEST(KayentaLooks, RefusesWhatCannotBeLookedAt) {
  const struct {
    KayentaOptions options;
    std::string_view where;
  } cases[] = {
      {{.start = kNow, .end = kNow - 1h, .now = kNow}, "end"},
      {{.start = kNow - 24h * 365 * 100, .now = kNow}, "start"},
      {{.lifetime = 0s, .now = kNow}, "lifetime"},
      {{.lifetime = 30s, .step = 1min, .now = kNow}, "step"},
      {{.lifetime = 24h, .interval = 1min, .now = kNow}, "interval"},
      {{.lifetime = 24h, .interval = 10min, .begin_after = 1min, .now = kNow}, "interval"},
  };
  for (const auto& row : cases) {
    auto looks = plan_looks(row.options);
    ASSERT_FALSE(looks) << row.where;
    EXPECT_EQ(looks.error().where, row.where);
  }
}

}  // namespace
}  // namespace slipway::analysis
