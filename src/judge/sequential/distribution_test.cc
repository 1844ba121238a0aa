#include "judge/sequential/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "judge/sequential/sequential.h"

namespace slipway::judge {
namespace {

Side histogram(double fast) {
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  return {.buckets = {{0.1, 1000 * fast}, {0.5, 1000 * (0.95 - fast)}, {kEnd, 50}}};
}

// The ends of buckets are coarser than a margin: read at the next end above, nothing would be seen.
TEST(Distribution, WithAMarginStillSeesWhatMovesToTheNextBucket) {
  const Plan plan{.engine = Engine::kDistribution,
                  .direction = Direction::kIncrease,
                  .margin = 0.05,
                  .planned_looks = 6};
  const auto judged = [&](double control, double experiment) {
    return step(plan, {}, {.control = histogram(control), .experiment = histogram(experiment)})
        ->answer.verdict;
  };
  EXPECT_EQ(judged(0.8, 0.2), Verdict::kFail);
  EXPECT_EQ(judged(0.8, 0.8), Verdict::kPass);
  EXPECT_EQ(judged(0.2, 0.8), Verdict::kPass);
}

TEST(Distribution, OfAFewPointsSaysThatTheyAreTooFew) {
  const Plan plan{.engine = Engine::kDistribution};
  const auto few = step(
      plan, {},
      {.control = {.points = {1, 2, 3, 4, 5, 6}}, .experiment = {.points = {7, 8, 9, 10, 11, 12}}});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->answer.verdict, Verdict::kInconclusive);
  EXPECT_EQ(few->answer.reason, "6 against 6 points are too few to tell two distributions apart");
}

// Requests of both sides from one log-normal, in the buckets that Prometheus has by default.
TEST(Distribution, HardlyEverFailsTwoSidesOfOneDistribution) {
  constexpr double kEnds[] = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, HUGE_VAL};
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> seconds(std::log(0.12), 0.8);
  const auto drawn = [&](double factor) {
    Side side;
    for (double end : kEnds) side.buckets.push_back({.upper = end, .count = 0});
    for (int i = 0; i < 200; ++i)
      ++std::ranges::lower_bound(side.buckets, factor * seconds(random), {}, &Bucket::upper)->count;
    return side;
  };
  const auto failures = [&](double margin, double factor, int runs) {
    int failed = 0;
    for (int run = 0; run < runs; ++run) {
      auto monitor = Monitor::start({.engine = Engine::kDistribution,
                                     .margin = margin,
                                     .planned_looks = 12,
                                     .describe = false});
      for (int look = 0; look < 12; ++look)
        EXPECT_TRUE(monitor->look({.control = drawn(1), .experiment = drawn(factor)}));
      failed += monitor->state().failed;
    }
    return failed;
  };
  // One in twenty, and two standard errors, of 200 would be 16.
  EXPECT_LE(failures(0, 1, 200), 16);
  EXPECT_LE(failures(0.05, 1, 200), 16);
  EXPECT_GE(failures(0.05, 2, 20), 19);
}

}  // namespace
}  // namespace slipway::judge
