#include "judge/sequential/detectable.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/sequential/sequential.h"

namespace slipway::judge {
namespace {

// Points of a look: both sides the same noise, `shift` between them.
Evidence noise(int look, double shift, double scale = 1) {
  Evidence evidence;
  for (int i = 0; i < 8; ++i) {
    const double a = std::sin(12.9898 * (look * 8 + i));
    const double b = std::sin(78.233 * (look * 8 + i) + 1);
    evidence.control.points.push_back(scale * (10 + a));
    evidence.experiment.points.push_back(scale * (10 + b + shift));
  }
  return evidence;
}

Answer after(const Plan& plan, int looks, double shift, double scale = 1) {
  State state;
  Answer answer;
  for (int i = 0; i < looks; ++i) {
    auto taken = step(plan, state, noise(i, shift, scale));
    state = taken->state;
    answer = taken->answer;
  }
  return answer;
}

TEST(DetectableShift, IsTheShiftAtWhichALookBeginsToFail) {
  for (Engine engine : {Engine::kSignedRank, Engine::kStratifiedRank}) {
    for (double margin : {0.0, 0.05}) {
      const Plan plan{.engine = engine,
                      .direction = Direction::kIncrease,
                      .margin = margin,
                      .planned_looks = 6};
      const Answer calm = after(plan, 6, 0);
      ASSERT_EQ(calm.verdict, Verdict::kPass);
      const double mde = calm.effect.mde;
      ASSERT_GT(mde, 0) << to_string(engine);
      // What is there already adds to what is put on top of it.
      EXPECT_EQ(after(plan, 6, 1.3 * mde - calm.effect.shift).verdict, Verdict::kFail)
          << to_string(engine) << " margin " << margin << " mde " << mde;
      EXPECT_EQ(after(plan, 6, 0.5 * mde - calm.effect.shift).verdict, Verdict::kPass)
          << to_string(engine) << " margin " << margin << " mde " << mde;
    }
  }
}

TEST(DetectableShift, ShrinksWithDataAndScalesWithTheUnit) {
  const Plan plan{.engine = Engine::kStratifiedRank, .planned_looks = 30};
  const double early = after(plan, 5, 0).effect.mde;
  const double late = after(plan, 30, 0).effect.mde;
  EXPECT_LT(late, 0.7 * early);
  EXPECT_NEAR(after(plan, 5, 0, 1e6).effect.mde, 1e6 * early, 1e-3 * early * 1e6);
}

TEST(DetectableShift, OfCountsIsARateAndKnownWithoutAnyDifference) {
  const Plan plan{.engine = Engine::kCounts, .direction = Direction::kIncrease, .planned_looks = 1};
  auto judged = [&](double events) {
    return step(plan, {},
                {.control = {.events = 100, .exposure = 10'000},
                 .experiment = {.events = events, .exposure = 10'000}})
        ->answer;
  };
  const double mde = judged(100).effect.mde;
  EXPECT_NEAR(mde, judged(80).effect.mde, 1e-12);
  EXPECT_EQ(judged(std::ceil(100 + 10'000 * mde) + 1).verdict, Verdict::kFail) << mde;
  EXPECT_EQ(judged(std::floor(100 + 10'000 * mde) - 2).verdict, Verdict::kPass) << mde;
}

TEST(DetectableShift, IsUnknownBeforeThereIsABoundary) {
  const Plan plan{.engine = Engine::kStratifiedRank, .planned_looks = 6};
  const auto taken =
      step(plan, {}, {.control = {.points = {1, 2}}, .experiment = {.points = {1, 3}}});
  EXPECT_TRUE(std::isnan(taken->answer.effect.mde));
  EXPECT_EQ(json::write(*json::at(to_json(taken->answer), {"effect", "mde"})), "\"NaN\"");
}

}  // namespace
}  // namespace slipway::judge
