#include "judge/kayenta/classify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace slipway::judge::kayenta {
namespace {

using Numbers = std::vector<double>;
const Numbers e1{20, 22, 21, 25, 30};
const Numbers c1{1, 2.2, 1.1, 2.5, 3};
const Numbers late{54.9, 54.5, 55.1, 55.6, 57.4};
const Numbers zeros(5, 0);

Metric with(EffectSize size, bool critical = false) {
  return {.critical = critical, .effect_size = size, .tolerance = 0.1, .confidence = 0.95};
}

Classification ask(const Numbers& experiment, const Numbers& control, Metric metric) {
  auto out = classify(control, experiment, metric);
  EXPECT_TRUE(out);
  return *out;
}

struct Case {
  Numbers experiment, control;
  Metric metric;
  Label label;
  bool critical = false;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {e1, c1, with({.allowed_increase = 1.2, .allowed_decrease = .8}), Label::kHigh},
      {{10, 12.2, 10.1, 12.5, 23}, e1, with({.allowed_decrease = .5}), Label::kPass},
      {e1, c1, with({.critical_increase = 1.2}, true), Label::kHigh, true},
      {{2, 2, 2, 2, 3},
       {10, 20.2, 10.1, 20.5, 30},
       with({.critical_decrease = 1.2}, true),
       Label::kLow,
       true},
      {e1, c1, with({.allowed_increase = 5, .critical_increase = 13}, true), Label::kHigh},
      {e1, c1, with({.allowed_increase = 13, .critical_increase = 15}, true), Label::kPass},
      {e1, c1, with({}, true), Label::kHigh, true},
      {e1, c1, with({.measure = Measure::kCles, .allowed_increase = .8}), Label::kHigh},
      {{1, 1, 1}, {1, 1}, with({}), Label::kPass},
      {{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, with({}), Label::kPass},
      {{0, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, with({}), Label::kPass},
      {{1, 1, 1, 1, 10}, {1, 1, 1, 1, 1}, with({}), Label::kPass},
      {Numbers(5, 10), Numbers(5, 1), with({}), Label::kHigh},
      {Numbers(5, 10), zeros, with({}), Label::kHigh},
      {late, zeros, with({.allowed_increase = 1.2, .allowed_decrease = .8}), Label::kHigh},
      {zeros, late, with({.allowed_increase = 1.2, .allowed_decrease = .8}), Label::kLow},
      {zeros, zeros, with({}), Label::kPass},
  };
  return all;
}

TEST(Kayenta, LabelsAsKayentaWithEitherSolver) {
  for (auto solver : {Solver::kExact, Solver::kLegacy})
    for (std::size_t i = 0; i < cases().size(); ++i) {
      auto c = cases()[i];
      c.metric.solver = solver;
      const auto got = ask(c.experiment, c.control, c.metric);
      EXPECT_EQ(to_string(got.label), to_string(c.label)) << "case " << i << got.answer.reason;
      EXPECT_EQ(got.critical, c.critical) << "case " << i;
      EXPECT_EQ(got.answer.label, to_string(c.label));
    }
}

TEST(Kayenta, FailsOnlyInTheDirectionAsked) {
  for (const auto& [direction, high, low] :
       {std::tuple{Direction::kIncrease, Label::kHigh, Label::kPass},
        {Direction::kDecrease, Label::kPass, Label::kLow},
        {Direction::kEither, Label::kHigh, Label::kLow}}) {
    Metric metric{.direction = direction};
    EXPECT_EQ(ask(late, zeros, metric).label, high);
    EXPECT_EQ(ask(zeros, late, metric).label, low);
  }
}

TEST(Kayenta, HasLabelsForNoData) {
  struct NoData {
    Metric metric;
    Label label;
    bool critical;
    Verdict verdict;
  };
  for (const auto& c :
       {NoData{{}, Label::kNodata, false, Verdict::kInconclusive},
        {{.critical = true}, Label::kNodata, true, Verdict::kFail},
        {{.must_have_data = true}, Label::kNodataFailMetric, false, Verdict::kFail},
        {{.critical = true, .must_have_data = true}, Label::kNodata, true, Verdict::kFail},
        {{.nan_strategy = NanStrategy::kReplace, .critical = true},
         Label::kPass,
         false,
         Verdict::kPass}}) {
    const auto got = ask({}, e1, c.metric);
    EXPECT_EQ(to_string(got.label), to_string(c.label));
    EXPECT_EQ(got.critical, c.critical);
    EXPECT_EQ(got.answer.verdict, c.verdict);
    EXPECT_EQ(got.ratio, 1);
  }
  EXPECT_EQ(ask({NAN, NAN}, e1, {}).label, Label::kNodata);
}

// The difference is noise of the solver where the true interval is [0,0]; and what users of Kayenta
// asked for: 7 of 10 points 100 times as high.
TEST(Kayenta, ExactIntervalIsNotTheSolversNoise) {
  const auto metric = [](Solver solver) { return Metric{.solver = solver}; };
  const Numbers some{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  const auto got = ask(some, Numbers(25, 0), metric(Solver::kExact));
  EXPECT_EQ(got.answer.effect.low, 0);
  EXPECT_EQ(got.answer.effect.high, 0);
  EXPECT_NE(ask(some, Numbers(25, 0), metric(Solver::kLegacy)).answer.effect.high, 0);
}

TEST(Kayenta, TooFewPointsForAnIntervalAreInconclusive) {
  const auto got = ask({10, 20, 30, 40}, {1, 2, 3, 4}, {});
  EXPECT_EQ(got.label, Label::kPass);
  EXPECT_EQ(got.answer.verdict, Verdict::kInconclusive);
  EXPECT_EQ(got.answer.effect.low, -INFINITY);
  EXPECT_NE(got.answer.reason.find("too few"), std::string::npos);
}

TEST(Kayenta, LegacySolverWithoutAnAnswerIsAnError) {
  const auto got = ask({5}, {1}, {.critical = true, .solver = Solver::kLegacy});
  EXPECT_EQ(got.label, Label::kError);
  EXPECT_FALSE(got.critical);
  EXPECT_EQ(got.answer.verdict, Verdict::kInconclusive);
}

// Also where the interval's end lies exactly on the band, or the effect on its gate.
TEST(Kayenta, ExactLabelDependsNeitherOnScaleNorOnWhichSideIsFirst) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 400; ++round) {
    Numbers x(5 + random() % 25), y(5 + random() % 25);
    const double shift = static_cast<double>(random() % 5);
    for (double& value : x) value = shift + static_cast<double>(random() % 8) / 10 + 0.1;
    for (double& value : y) value = static_cast<double>(random() % 8) / 10 + 0.1;
    Metric metric{.remove_outliers = round % 2 == 0,
                  .outlier_factor = 0.5,
                  .effect_size = {.allowed_increase = 2},
                  .tolerance = round % 3 == 0 ? 0.5 : 0.25};
    const auto first = ask(x, y, metric);
    for (double factor : {1e-9, 1e-6, 0.7, 1e9}) {
      auto scaled_x = x;
      auto scaled_y = y;
      for (auto* side : {&scaled_x, &scaled_y})
        for (double& value : *side) value *= factor;
      const auto scaled = ask(scaled_x, scaled_y, metric);
      EXPECT_EQ(scaled.label, first.label) << round << " x " << factor;
      EXPECT_EQ(scaled.answer.control_points, first.answer.control_points);
    }
    metric.effect_size = {};
    const auto here = ask(x, y, metric);
    const auto mirror = ask(y, x, metric);
    EXPECT_EQ(here.label == Label::kHigh, mirror.label == Label::kLow);
    EXPECT_EQ(here.label == Label::kLow, mirror.label == Label::kHigh);
  }
}

TEST(Kayenta, RefusesOptionsThatCannotBe) {
  for (const auto& [metric, where] : {std::pair{Metric{.tolerance = -1}, "options.tolerance"},
                                      {Metric{.confidence = 1}, "options.confidence"},
                                      {Metric{.outlier_factor = 0}, "options.outlierFactor"}}) {
    const auto got = classify(e1, c1, metric);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().where, where);
  }
}

}  // namespace
}  // namespace slipway::judge::kayenta
