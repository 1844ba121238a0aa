#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "judge/sequential/sequential.h"

// What must not change a verdict: the unit of the values, which side is called which, when it was.
namespace slipway::judge {
namespace {

// Positive values, some of them tied, with a shift of the experiment now and then.
std::vector<Evidence> draw(Random& random, Engine engine, int looks) {
  const double most = engine == Engine::kDistribution ? 2.5 : 0.9;
  const double shift = random.unit() < 0.5 ? 0 : most * (random.unit() - 0.5);
  const bool signs = random.unit() < 0.3;
  const bool coarse = random.unit() < 0.3;
  std::vector<Evidence> all;
  for (int look = 0; look < looks; ++look) {
    Evidence one;
    auto value = [&](double more) {
      double drawn = 1 + random.unit() + more;
      if (coarse) drawn = std::round(drawn * 8) / 8;
      return signs ? drawn - 1.5 : drawn;
    };
    const int points = engine == Engine::kDistribution ? 60 : 5;
    for (int i = 0; i < points; ++i) {
      one.control.points.push_back(value(0));
      one.experiment.points.push_back(value(shift));
    }
    if (engine == Engine::kCounts) {
      one.control = {.events = std::floor(20 * random.unit()), .exposure = 950};
      one.experiment = {.events = std::floor((20 + 40 * shift) * random.unit()),
                        .exposure = 1000 * (0.5 + random.unit())};
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Evidence> changed(std::vector<Evidence> looks,
                              const std::function<void(Evidence&)>& change) {
  for (Evidence& one : looks) change(one);
  return looks;
}

std::vector<Verdict> verdicts(const Plan& plan, const std::vector<Evidence>& looks) {
  auto answer = judge_sequential({.plan = plan, .looks = looks});
  EXPECT_TRUE(answer);
  std::vector<Verdict> all = {answer->verdict};
  for (const Look& look : answer->looks) all.push_back(look.verdict);
  return all;
}

class Invariance : public testing::TestWithParam<Engine> {
 protected:
  template <class Check>
  void for_many(const Check& check) {
    const auto source = seeded_random(20240601);
    Random& random = *source;
    int failures = 0;
    for (int i = 0; i < 40; ++i) {
      Plan plan = {.engine = GetParam(), .planned_looks = 6, .describe = false};
      const double which = random.unit();
      plan.direction = which < 0.3   ? Direction::kIncrease
                       : which < 0.6 ? Direction::kDecrease
                                     : Direction::kEither;
      plan.monitoring = random.unit() < 0.5 ? Monitoring::kGroupSequential : Monitoring::kAnytime;
      plan.margin = random.unit() < 0.5 ? 0 : 0.05;
      plan.late_onset = random.unit() < 0.3;
      const auto looks = draw(random, GetParam(), 6);
      check(plan, looks);
      failures += verdicts(plan, looks)[0] == Verdict::kFail;
    }
    // The cases must hold both answers, or nothing was shown.
    EXPECT_GT(failures, 3);
    EXPECT_LT(failures, 37);
  }
};

TEST_P(Invariance, OfTheUnit) {
  for_many([](const Plan& plan, const std::vector<Evidence>& looks) {
    const auto want = verdicts(plan, looks);
    for (double scale : {1e-9, 1e9, 3.7}) {
      EXPECT_EQ(want, verdicts(plan, changed(looks,
                                             [&](Evidence& one) {
                                               for (Side* side : {&one.control, &one.experiment}) {
                                                 for (double& point : side->points) point *= scale;
                                                 side->exposure *= scale;
                                               }
                                             })))
          << fingerprint(plan) << " times " << scale;
    }
  });
}

TEST_P(Invariance, OfTheNamesOfTheSides) {
  for_many([](const Plan& plan, const std::vector<Evidence>& looks) {
    Plan other = plan;
    other.direction = mirrored(plan.direction);
    EXPECT_EQ(
        verdicts(plan, looks),
        verdicts(other,
                 changed(looks, [](Evidence& one) { std::swap(one.control, one.experiment); })))
        << fingerprint(plan);
  });
}

// Looks without data before the first: the clock that began earlier changes nothing that was seen.
TEST_P(Invariance, OfWhenItBegan) {
  for_many([](const Plan& plan, const std::vector<Evidence>& looks) {
    if (plan.monitoring == Monitoring::kGroupSequential || plan.late_onset) return;
    auto later = looks;
    later.insert(later.begin(), 3, Evidence{});
    auto want = verdicts(plan, looks);
    auto got = verdicts(plan, later);
    want.erase(want.begin());
    got.erase(got.begin(), got.begin() + 4);
    EXPECT_EQ(want, got) << fingerprint(plan);
  });
}

TEST_P(Invariance, OfAskingTwice) {
  for_many([](const Plan& plan, const std::vector<Evidence>& looks) {
    EXPECT_EQ(verdicts(plan, looks), verdicts(plan, looks));
  });
}

INSTANTIATE_TEST_SUITE_P(Engines, Invariance,
                         testing::Values(Engine::kSignedRank, Engine::kStratifiedRank,
                                         Engine::kCounts, Engine::kDistribution));

}  // namespace
}  // namespace slipway::judge
