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

// A day of minutes, `rate` events of 1,000 requests as much as `course` says, in packs of `pack`.
std::vector<Counted> a_day(double rate, int pack, double (*course)(int) = [](int) { return 1.0; }) {
  auto random = seeded_random(3);
  std::vector<Counted> windows;
  for (int i = 0; i < 1440; ++i) {
    const int requests = static_cast<int>(1000 * course(i));
    double events = 0;
    for (int k = 0; k < requests; ++k)
      events += random->unit() < rate * course(i) / pack ? pack : 0;
    windows.push_back({.events = events, .exposure = static_cast<double>(requests)});
  }
  return windows;
}

TEST(Dispersion, IsOneUnlessCountsVaryMoreThanChance) {
  EXPECT_EQ(dispersion_of(a_day(0.01, 1)), 1);
  EXPECT_EQ(dispersion_of(a_day(0.0001, 1)), 1);
  EXPECT_NEAR(dispersion_of(a_day(0.01, 2)), 2, 0.4);
  EXPECT_NEAR(dispersion_of(a_day(0.01, 10)), 10, 2);
  // Neither the day's course, of requests and of errors, nor one bad quarter of an hour.
  const auto of_the_day = [](int minute) { return 1 + 0.8 * std::sin(minute / 229.0); };
  EXPECT_EQ(dispersion_of(a_day(0.01, 1, of_the_day)), 1);
  auto incident = a_day(0.01, 1);
  for (std::size_t i = 700; i < 715; ++i) incident[i].events += i % 2 == 0 ? 20 : 400;
  EXPECT_EQ(dispersion_of(incident), 1);
}

TEST(Dispersion, OfNothingOrNonsenseIsOne) {
  EXPECT_EQ(dispersion_of({}), 1);
  EXPECT_EQ(dispersion_of(std::vector<Counted>(1, {9, 1})), 1);
  EXPECT_EQ(dispersion_of(std::vector<Counted>(100, {0, 1})), 1);
  EXPECT_EQ(dispersion_of(std::vector<Counted>(100, {5, 0})), 1);
  std::vector<Counted> few;
  for (std::size_t i = 0; i < 2 * kMinPairs - 1; ++i) few.push_back({i % 2 == 0 ? 100.0 : 1.0, 1});
  EXPECT_EQ(dispersion_of(few), 1);
  few.push_back({1, 1});
  EXPECT_GT(dispersion_of(few), 50);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Counted bad : {Counted{kInfinity, 1}, Counted{1, kInfinity}, Counted{std::nan(""), 1},
                            Counted{1, std::nan("")}, Counted{-1, 1}, Counted{1, -1}})
    EXPECT_EQ(dispersion_of(std::vector<Counted>(100, bad)), 1)
        << bad.events << ' ' << bad.exposure;
}

TEST(TauWithCounts, SeesBurstsThatLastForSeveralSteps) {
  // Of five minutes each, quiet or not: a minute is like its neighbour, five are not.
  const auto bursts = a_day(0.01, 1, [](int minute) { return minute / 5 % 2 == 0 ? 1.4 : 0.6; });
  std::vector<Counted> steps = bursts;
  for (Counted& step : steps) step.exposure = 1000;
  const double of_looks = tau_with_counts(1, steps, 5);
  EXPECT_GT(of_looks, 2 * tau_with_counts(1, steps, 1));
  EXPECT_EQ(tau_with_counts(1000, steps, 5), 1000);
  EXPECT_EQ(tau_with_counts(0, a_day(0.01, 1), 5), 1);
  EXPECT_EQ(tau_with_counts(1, {}, 5), 1);
  EXPECT_EQ(tau_with_counts(1, steps, 0), tau_with_counts(1, steps, 1));
}

}  // namespace
}  // namespace slipway::judge
