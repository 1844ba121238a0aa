#include "judge/sequential/tau.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"

namespace slipway::judge {
namespace {

using namespace std::chrono_literals;

TEST(LongestRange, FindsRangesAndSubqueries) {
  const std::vector<std::pair<std::string, Duration>> rows = {
      {"rate(http_requests_total[5m])", 5min},
      {"rate(a[1m]) / rate(b[1h30m])", 90min},
      {"max_over_time(rate(x[1m])[30m:1m])", 30min},
      {"rate(x[ 90s ])", 90s},
      {"rate(x[500ms])", 500ms},
      {"rate(x[1d])", 24h},
      {"rate(x[120])", 120s},
      {"up", 0s},
      {R"(x{path="[1h]"} offset 5m)", 0s},
      {R"(x{path='a\'[1h]'}[2m])", 2min},
      {"x{path=`a\\`}[2m]", 2min},
      {"rate(x[1m]) # not [1h]\n + rate(y[2m])", 2min},
      {"rate(x[{{ interval }}])", 0s},
      {"rate(x[$__rate_interval])", 0s},
      {"rate(x[5m", 5min},
      {"[][[]m[5]m]", 5s},
      {"rate(x[999999999999999999999y])", 100 * 365 * 24h},
  };
  for (const auto& [query, want] : rows) {
    auto found = longest_range(query);
    ASSERT_TRUE(found) << query;
    EXPECT_EQ(*found, want) << query << ": " << format_duration(*found);
  }
  EXPECT_FALSE(longest_range(std::string(kMaxQueryBytes + 1, '[')));
}

TEST(RangeOverStep, IsAtLeastOne) {
  EXPECT_EQ(range_over_step(5min, 1min), 5);
  EXPECT_EQ(range_over_step(1min, 5min), 1);
  EXPECT_EQ(range_over_step(0s, 1min), 1);
  EXPECT_EQ(range_over_step(5min, 0s), 1);
}

std::vector<double> autoregressive(double rho, std::size_t count) {
  auto random = seeded_random(11);
  std::vector<double> points;
  double value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double step = -6;
    for (int k = 0; k < 12; ++k) step += random->unit();
    value = rho * value + std::sqrt(1 - rho * rho) * step;
    points.push_back(value);
  }
  return points;
}

TEST(TauOfHistory, IsTheSumOfTheCorrelations) {
  EXPECT_NEAR(*tau_of_history(autoregressive(0, 20000)), 1, 0.1);
  EXPECT_NEAR(*tau_of_history(autoregressive(0.5, 20000)), 3, 0.5);
  // 19, and one standard error above it.
  EXPECT_NEAR(*tau_of_history(autoregressive(0.9, 20000)), 21.7, 4);
}

TEST(TauOfHistory, NeedsFourHours) {
  EXPECT_FALSE(tau_of_history(autoregressive(0.5, 239)));
  EXPECT_TRUE(tau_of_history(autoregressive(0.5, 240)));
  EXPECT_EQ(tau_of_history(std::vector<double>(300, 7.0)), 1);
  EXPECT_FALSE(tau_of_history(std::vector<double>(300, NAN)));
}

TEST(TauOfHistory, DoesNotKnowTheUnit) {
  auto points = autoregressive(0.7, 500);
  const auto want = tau_of_history(points);
  for (double& point : points) point *= 1e9;
  EXPECT_EQ(tau_of_history(points), want);
}

TEST(TauWithHistory, IsTheLargestOfWhatIsKnownAndShown) {
  const auto slow = autoregressive(0.7, 1440);
  EXPECT_EQ(tau_with_history(0, {}), 1);
  EXPECT_EQ(tau_with_history(5, std::vector<double>(239, 1.0)), 5);
  EXPECT_EQ(tau_with_history(1, std::span(slow).last(240)),
            *tau_of_history(std::span(slow).last(240)));
  EXPECT_NEAR(tau_with_history(1, slow), 5.7, 3);
  EXPECT_EQ(tau_with_history(50, slow), 50);
}

// A release that changed the level is in most histories, and says nothing about neighbours.
TEST(TauWithHistory, DoesNotTakeAStepForAutocorrelation) {
  auto points = autoregressive(0, 1440);
  for (std::size_t i = 0; i < 700; ++i) points[i] += 20;
  EXPECT_GT(*tau_of_history(points), 50);
  EXPECT_LT(tau_with_history(1, points), 2);
}

TEST(DispersionOfHistory, IsOneUnlessCountsVaryMoreThanChance) {
  auto random = seeded_random(3);
  std::vector<double> even;
  std::vector<double> bursts;
  for (int i = 0; i < 200; ++i) {
    double events = 0;
    for (int k = 0; k < 1000; ++k) events += random->unit() < 0.01 ? 1 : 0;
    even.push_back(events);
    bursts.push_back(i % 2 == 0 ? 2 * events : 0);
  }
  EXPECT_EQ(dispersion_of_history(even), 1);
  EXPECT_NEAR(*dispersion_of_history(bursts), 12, 2);
  EXPECT_FALSE(dispersion_of_history(std::vector<double>(100, 0.0)));
  EXPECT_FALSE(dispersion_of_history(std::vector<double>(29, 5.0)));
}

}  // namespace
}  // namespace slipway::judge
