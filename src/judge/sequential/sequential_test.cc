#include "judge/sequential/sequential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace slipway::judge {
namespace {

Evidence points(std::vector<double> control, std::vector<double> experiment) {
  return {.control = {.points = std::move(control)},
          .experiment = {.points = std::move(experiment)}};
}

Evidence counts(double control, double control_exposure, double experiment,
                double experiment_exposure) {
  return {.control = {.events = control, .exposure = control_exposure},
          .experiment = {.events = experiment, .exposure = experiment_exposure}};
}

// The five values 1 … 5 times `scale`, in a different order each look.
Evidence drifting(int look, double factor) {
  std::vector<double> control;
  std::vector<double> experiment;
  for (int i = 0; i < 5; ++i) {
    control.push_back(100 + (i * 7 + look * 3) % 11);
    experiment.push_back(factor * (100 + (i * 5 + look * 8) % 11));
  }
  return points(control, experiment);
}

Answer judged(Plan plan, std::vector<Evidence> looks) {
  auto answer = judge_sequential({.plan = plan, .looks = std::move(looks)});
  EXPECT_TRUE(answer.has_value()) << (answer ? "" : answer.error().text());
  return answer.value_or(Answer{});
}

std::vector<Evidence> drift(int looks, double factor) {
  std::vector<Evidence> all;
  for (int look = 0; look < looks; ++look) all.push_back(drifting(look, factor));
  return all;
}

TEST(SignedRank, RanksEachDifferenceAmongThoseBeforeIt) {
  const std::vector<double> logs = {.5, 1.2, -.3, .9, 1.5, .1, -.2, .8, 1.1, .7};
  std::vector<double> experiment;
  for (double log : logs) experiment.push_back(std::exp(log));
  const Answer answer = judged({.engine = Engine::kSignedRank,
                                .direction = Direction::kIncrease,
                                .monitoring = Monitoring::kAnytime,
                                .planned_looks = 6},
                               {points(std::vector<double>(10, 1.0), experiment)});
  EXPECT_NEAR(answer.looks[0].s, 3.952958152958153, 1e-12);
  EXPECT_NEAR(answer.looks[0].v, 2.8995505977107707, 1e-12);
  EXPECT_NEAR(answer.looks[0].z, 2.321436833527682, 1e-12);
}

TEST(StratifiedRank, AddsUpTheLooks) {
  const Answer answer = judged({.engine = Engine::kStratifiedRank,
                                .direction = Direction::kIncrease,
                                .monitoring = Monitoring::kAnytime,
                                .planned_looks = 6},
                               {points({4, 6.5, 5.5, 3, 7.5}, {5, 7, 9, 6, 8}),
                                points({5, 4, 6, 7, 8.5}, {9, 8, 7.2, 6.1, 5.9}),
                                points({6, 5, 4, 7, 8}, {10, 9.5, 8.8, 7.7, 6.6})});
  const std::vector<double> s = {6.5, 12, 21.5};
  const std::vector<double> z = {1.357806, 1.772517, 2.592998};
  const std::vector<double> log_m = {.6255546296, 1.1167420574, 2.5224342067};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(answer.looks[i].s, s[i]);
    EXPECT_NEAR(answer.looks[i].v, 275.0 / 12 * static_cast<double>(i + 1), 1e-9);
    EXPECT_NEAR(answer.looks[i].z, z[i], 1e-6);
    EXPECT_NEAR(answer.looks[i].log_m, log_m[i], 1e-9);
    EXPECT_NEAR(answer.looks[i].p, std::exp(-log_m[i]), 1e-9);
  }
}

TEST(Sequential, FailsAClearDifferenceAndPassesNone) {
  for (Engine engine : {Engine::kSignedRank, Engine::kStratifiedRank}) {
    for (Monitoring monitoring : {Monitoring::kGroupSequential, Monitoring::kAnytime}) {
      const Plan plan = {
          .engine = engine, .direction = Direction::kIncrease, .monitoring = monitoring};
      EXPECT_EQ(judged(plan, drift(6, 1.2)).verdict, Verdict::kFail) << to_string(engine);
      EXPECT_EQ(judged(plan, drift(6, 1)).verdict, Verdict::kPass) << to_string(engine);
      EXPECT_EQ(judged(plan, drift(6, 0.8)).verdict, Verdict::kPass) << to_string(engine);
    }
  }
}

TEST(Sequential, UsesThePlannedBoundaries) {
  const Answer answer =
      judged({.engine = Engine::kStratifiedRank, .direction = Direction::kIncrease}, drift(6, 1));
  const std::vector<double> pocock = {2.239, 2.200, 2.165, 2.137, 2.115, 2.097};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(answer.looks[i].boundary, pocock[i], 2e-2);
  EXPECT_NEAR(answer.looks[5].alpha_spent, 0.05, 1e-12);
}

TEST(Sequential, IsAtMostAlphaExactlyWhenItFails) {
  for (double factor : {1.0, 1.02, 1.03, 1.05, 1.1}) {
    for (Direction direction : {Direction::kIncrease, Direction::kEither}) {
      const Answer answer =
          judged({.engine = Engine::kStratifiedRank, .direction = direction}, drift(6, factor));
      for (const Look& look : answer.looks) {
        EXPECT_EQ(look.p <= 0.05 * (1 + 1e-5), look.verdict == Verdict::kFail)
            << factor << " look " << look.look << " p " << look.p;
      }
    }
  }
}

TEST(Sequential, IgnoresWhatTheMarginAllows) {
  for (Engine engine : {Engine::kSignedRank, Engine::kStratifiedRank}) {
    const Plan strict = {.engine = engine, .direction = Direction::kIncrease, .planned_looks = 30};
    Plan lenient = strict;
    lenient.margin = 0.1;
    EXPECT_EQ(judged(strict, drift(30, 1.08)).verdict, Verdict::kFail);
    EXPECT_EQ(judged(lenient, drift(30, 1.08)).verdict, Verdict::kPass);
    EXPECT_EQ(judged(lenient, drift(30, 1.2)).verdict, Verdict::kFail);
  }
  const Plan counted = {.engine = Engine::kCounts,
                        .direction = Direction::kIncrease,
                        .margin = 1,
                        .planned_looks = 3};
  EXPECT_EQ(judged(counted, {counts(100, 1000, 180, 1000)}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(counted, {counts(100, 1000, 300, 1000)}).verdict, Verdict::kFail);
}

TEST(Counts, AreJudgedAgainstTheirExposure) {
  const Plan plan = {.engine = Engine::kCounts, .direction = Direction::kIncrease};
  EXPECT_EQ(judged(plan, {counts(95, 9500, 5, 500)}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(plan, {counts(95, 9500, 20, 500)}).verdict, Verdict::kFail);
  // Sixteen events of sixteen on the larger side are no wonder.
  EXPECT_EQ(judged(plan, {counts(0, 10, 16, 9990)}).verdict, Verdict::kPass);
}

TEST(Counts, PassWithoutEventsAndWaitForExposure) {
  const Plan plan = {.engine = Engine::kCounts, .direction = Direction::kIncrease};
  EXPECT_EQ(judged(plan, {counts(0, 1000, 0, 1000)}).verdict, Verdict::kPass);
  EXPECT_EQ(judged(plan, {counts(5, 1000, 0, 0)}).verdict, Verdict::kInconclusive);
  EXPECT_FALSE(judge_sequential({.plan = plan, .looks = {counts(5, 0, 0, 1)}}));
  EXPECT_FALSE(judge_sequential({.plan = plan, .looks = {counts(-1, 5, 0, 1)}}));
}

TEST(Distribution, SeesASpreadThatRanksDoNot) {
  std::vector<double> narrow;
  std::vector<double> wide;
  for (int i = 0; i < 1000; ++i) {
    narrow.push_back(100 + (i % 100) * 0.1);
    wide.push_back(55 + (i % 100));
  }
  const Plan plan = {.engine = Engine::kDistribution};
  EXPECT_EQ(judged(plan, {points(narrow, wide)}).verdict, Verdict::kFail);
  EXPECT_EQ(judged(plan, {points(narrow, narrow)}).verdict, Verdict::kPass);
  EXPECT_EQ(judged({.engine = Engine::kStratifiedRank}, {points(narrow, wide)}).verdict,
            Verdict::kPass);
}

TEST(Distribution, ReadsBuckets) {
  const Plan plan = {.engine = Engine::kDistribution, .direction = Direction::kIncrease};
  const std::vector<Bucket> fast = {{0.1, 800}, {0.5, 150}, {1, 50}, {INFINITY, 0}};
  const std::vector<Bucket> slow = {{0.1, 500}, {0.5, 300}, {1, 150}, {INFINITY, 50}};
  EXPECT_EQ(judged(plan, {{.control = {.buckets = fast}, .experiment = {.buckets = slow}}}).verdict,
            Verdict::kFail);
  EXPECT_EQ(judged(plan, {{.control = {.buckets = slow}, .experiment = {.buckets = fast}}}).verdict,
            Verdict::kPass);
  EXPECT_FALSE(
      judge_sequential({.plan = plan, .looks = {{.control = {.buckets = {{1, 1}, {0.5, 1}}}}}}));
}

TEST(Sequential, RefusesMoreThanCanBeCounted) {
  const auto judged_count = [](Engine engine, Side side) {
    return judge_sequential({.plan = {.engine = engine, .planned_looks = 6},
                             .looks = {{.control = side, .experiment = std::move(side)}}})
        .has_value();
  };
  EXPECT_TRUE(judged_count(Engine::kDistribution, {.buckets = {{1, 1e13}, {2, 1e13}}}));
  EXPECT_FALSE(judged_count(Engine::kDistribution, {.buckets = {{1, 6e13}, {2, 6e13}}}));
  EXPECT_TRUE(judged_count(Engine::kCounts, {.events = 1e14, .exposure = 1e15}));
  EXPECT_FALSE(judged_count(Engine::kCounts, {.events = 2e14, .exposure = 1e15}));
}

TEST(Sequential, SpendsNothingWithoutData) {
  const Plan plan = {.engine = Engine::kStratifiedRank, .direction = Direction::kIncrease};
  const Answer answer =
      judged(plan, {points({}, {}), points({1, 2, 3, 4, 5}, {}), drifting(0, 1), points({}, {})});
  EXPECT_EQ(answer.looks[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(answer.looks[1].verdict, Verdict::kInconclusive);
  EXPECT_EQ(answer.looks[1].alpha_spent, 0);
  EXPECT_EQ(answer.looks[2].verdict, Verdict::kPass);
  EXPECT_GT(answer.looks[2].alpha_spent, 0);
  EXPECT_EQ(answer.looks[3].verdict, Verdict::kInconclusive);
  EXPECT_EQ(answer.looks[3].alpha_spent, answer.looks[2].alpha_spent);
  EXPECT_EQ(answer.verdict, Verdict::kPass);
  EXPECT_EQ(judged(plan, {}).verdict, Verdict::kInconclusive);
}

TEST(Sequential, IsInconclusiveWithTooFewIndependentPoints) {
  Plan plan = {.engine = Engine::kSignedRank, .direction = Direction::kIncrease};
  EXPECT_EQ(judged(plan, {points({1, 2, 3, 4}, {11, 12, 13, 14})}).verdict, Verdict::kInconclusive);
  plan.tau = 5;
  EXPECT_EQ(judged(plan, drift(4, 1.2)).verdict, Verdict::kInconclusive);
  EXPECT_EQ(judged(plan, drift(6, 1)).verdict, Verdict::kPass);
}

TEST(Sequential, SpendsNothingBeyondThePlan) {
  const Answer answer = judged(
      {.engine = Engine::kStratifiedRank, .direction = Direction::kIncrease, .planned_looks = 2},
      drift(4, 1));
  EXPECT_TRUE(std::isinf(answer.looks[3].boundary));
  EXPECT_NEAR(answer.looks[3].alpha_spent, 0.05, 1e-12);
}

TEST(Sequential, RefusesPairsThatAreNone) {
  auto answer = judge_sequential({.plan = {.engine = Engine::kSignedRank},
                                  .looks = {drifting(0, 1), points({1, 2}, {1, 2, 3})}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(answer.error().where, "looks[1]");
}

TEST(Sequential, LeavesOutPairsWithAMissingHalf) {
  const Plan plan = {.engine = Engine::kSignedRank};
  const Answer with = judged(plan, {points({1, 2, NAN, 4, 5, 6, 8}, {2, 4, 9, 4.5, 7, 5, NAN})});
  const Answer without = judged(plan, {points({1, 2, 4, 5, 6}, {2, 4, 4.5, 7, 5})});
  EXPECT_EQ(with.looks[0].s, without.looks[0].s);
  EXPECT_EQ(with.control_points, 5u);
}

TEST(Sequential, FindsADifferenceThatBeginsLate) {
  std::vector<Evidence> looks = drift(20, 1);
  for (int look = 20; look < 30; ++look) looks.push_back(drifting(look, 1.06));
  Plan plan = {.engine = Engine::kStratifiedRank,
               .direction = Direction::kIncrease,
               .monitoring = Monitoring::kAnytime,
               .planned_looks = 30};
  const Answer plain = judged(plan, looks);
  plan.late_onset = true;
  const Answer restarting = judged(plan, looks);
  EXPECT_GT(restarting.looks.back().log_m, plain.looks.back().log_m + 1);
  EXPECT_EQ(restarting.verdict, Verdict::kFail);
  plan.monitoring = Monitoring::kGroupSequential;
  EXPECT_EQ(judged(plan, looks).verdict, Verdict::kFail);
}

TEST(Sequential, KeepsTheEffectInsideItsInterval) {
  for (Engine engine : {Engine::kSignedRank, Engine::kStratifiedRank}) {
    const Answer answer = judged({.engine = engine}, drift(6, 1.1));
    EXPECT_NEAR(answer.effect.ratio, 1.1, 0.02);
    EXPECT_NEAR(answer.effect.shift, 10, 2.5);
    EXPECT_LT(answer.effect.low, answer.effect.shift);
    EXPECT_GT(answer.effect.high, answer.effect.shift);
    EXPECT_GT(answer.effect.low, 0);
    EXPECT_GT(answer.effect.cles, 0.8);
  }
  for (Monitoring monitoring : {Monitoring::kGroupSequential, Monitoring::kAnytime}) {
    const Answer answer = judged({.engine = Engine::kCounts, .monitoring = monitoring},
                                 {counts(100, 1000, 200, 1000), counts(101, 1010, 210, 1000)});
    EXPECT_NEAR(answer.effect.ratio, 2.05, 0.01);
    EXPECT_LT(answer.effect.low, answer.effect.shift);
    EXPECT_GT(answer.effect.low, 0);
    EXPECT_GT(answer.effect.high, answer.effect.shift);
    EXPECT_LT(answer.effect.high, 0.25);
  }
}

}  // namespace
}  // namespace slipway::judge
