#include "judge/sequential/distribution.h"

#include <gtest/gtest.h>

#include <limits>

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

}  // namespace
}  // namespace slipway::judge
