#include "analysis/compare/look.h"

#include <gtest/gtest.h>

#include "analysis/compare/look_testing.h"
#include "api/schema/codec.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::Measurement;
using api::argo::Metric;

Source calm(int salt) {
  return [salt](Time at) { return 10 + noise(at, salt); };
}
Source raised(int salt, double by, Time from = {}) {
  return [=](Time at) { return 10 + noise(at, salt) + (at >= from ? by : 0); };
}
Source nothing() {
  return [](Time) { return std::nan(""); };
}
json::Value value_of(const Measurement& measurement) {
  return json::read(measurement.value).value();
}

TEST(Look, OfHealthyVariantsPassesToTheEnd) {
  Comparison comparison(comparing("m", 6));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(comparison.tick(calm(1), calm(2)).phase, kSuccessful);
  EXPECT_EQ(comparison.run.status->phase, kSuccessful);
  EXPECT_EQ(comparison.result().count, 6);
}

TEST(Look, ThatFindsADifferenceFailsTheMetricAtOnceWhateverItsFailureLimit) {
  for (std::int64_t limit : {0, 3, -1}) {
    Metric metric = comparing("m", 6);
    metric.failure_limit = api::IntOrString::of(limit);
    metric.consecutive_success_limit = api::IntOrString::of(limit < 0 ? 1000 : 0);
    Comparison comparison(metric);
    Measurement last;
    for (int i = 0; i < 6 && !is_completed(comparison.run.status->phase); ++i)
      last = comparison.tick(calm(1), raised(2, 3));
    EXPECT_EQ(last.phase, kFailed);
    EXPECT_EQ(comparison.run.status->phase, kFailed) << limit;
    EXPECT_LT(comparison.result().count, 4);
    EXPECT_EQ(comparison.run.status->message,
              "Metric \"m\" assessed Failed due to the verdict of its comparison: " + last.message);
    EXPECT_NE(last.message.find("larger than the control"), std::string::npos) << last.message;
  }
}

TEST(Look, CountsErrorsAndMissingDataAgainstTheFailureLimitAlone) {
  Metric metric = comparing("m", 6);
  metric.failure_limit = api::IntOrString::of(1);
  metric.check = {.no_data = "Fail", .errors_fail = true};
  Comparison comparison(metric);
  EXPECT_EQ(comparison.tick(nothing(), calm(2)).phase, kFailed);
  EXPECT_EQ(comparison.run.status->phase, kRunning);
  EXPECT_EQ(comparison.tick(calm(1), calm(2)).phase, kSuccessful);
  EXPECT_EQ(comparison.tick(calm(1), nothing()).phase, kFailed);
  EXPECT_EQ(comparison.run.status->phase, kFailed);
  EXPECT_NE(comparison.run.status->message.find("failed (2) > failureLimit (1)"),
            std::string::npos);
}

TEST(Look, WithoutDataIsWhatTheCheckSays) {
  struct Case {
    const char* no_data;
    bool errors_fail;
    bool control, experiment;  // has data
    std::string_view want;
  };
  for (const Case& c : {Case{"", false, false, false, kInconclusive},
                        {"Error", false, false, false, kError},
                        {"Pass", false, false, false, kSuccessful},
                        {"Fail", false, false, false, kFailed},
                        {"", true, false, false, kFailed},
                        {"Pass", true, false, false, kSuccessful},
                        {"", false, true, false, kInconclusive},
                        {"Error", false, true, false, kError},
                        {"Pass", false, false, true, kSuccessful},
                        {"Pass", true, false, true, kSuccessful},
                        {"Fail", false, true, false, kFailed}}) {
    Metric metric = comparing("m", 6);
    metric.check = {.no_data = c.no_data, .errors_fail = c.errors_fail};
    Comparison comparison(metric);
    const Measurement got =
        comparison.tick(c.control ? calm(1) : nothing(), c.experiment ? calm(2) : nothing());
    EXPECT_EQ(got.phase, c.want) << c.no_data << c.errors_fail << c.control << c.experiment;
    EXPECT_EQ(got.message.starts_with("no data for"), true) << got.message;
  }
}

// Values that are all NaN are no data, whatever else the source says.
TEST(Look, TakesASideOfNothingButNaNForOneWithoutData) {
  for (const char* method : {"", "stratified-rank", "mann-whitney", "kayenta"}) {
    for (const auto& [rule, want] : {std::pair("", kInconclusive), std::pair("Pass", kSuccessful),
                                     std::pair("Fail", kFailed), std::pair("Error", kError)}) {
      Metric metric = comparing("m", 6);
      metric.check = {.no_data = rule};
      metric.provider.compare->method = method;
      Comparison comparison(metric);
      comparison.now += 5min;
      const auto range = look_range(metric, nullptr, kStart, comparison.now);
      metrics::Answer absent = answer(range, calm(1));
      for (auto& point : absent.series[0].points) point.value = NAN;
      const Measurement got =
          comparison.judge({.control = answer(range, calm(2)), .experiment = absent});
      EXPECT_EQ(got.phase, want) << method << rule;
      EXPECT_EQ(got.message.starts_with("no data for the experiment"), true) << got.message;
    }
  }
}

TEST(Look, OfPipecdsPassesWhereNeitherSideHasASeries) {
  Metric metric = comparing("m", 6);
  metric.check = {.no_data = "Fail", .errors_fail = true};
  for (auto* side : {&metric.provider.compare->control, &metric.provider.compare->experiment}) {
    side->prometheus.reset();
    side->source = api::argo::SourceMetric{.type = "prometheus", .query = "a", .reading = "pipecd"};
  }
  Comparison comparison(metric);
  const metrics::Answer none{.series = {{.points = {}}}};
  comparison.now += 5min;
  EXPECT_EQ(comparison.judge({}).phase, kSuccessful);
  comparison.now += 5min;
  EXPECT_EQ(comparison.judge({.control = none, .experiment = none}).phase, kFailed);
  EXPECT_EQ(comparison.run.status->phase, kFailed);
}

// An error is asked again; nothing of it was spent, and what it would have brought is not lost.
TEST(Look, ThatWasAnErrorSpendsNothingAndLosesNothing) {
  Metric metric = comparing("m", 6);
  metric.check = {.no_data = "Error"};
  Comparison comparison(metric);
  comparison.tick(calm(1), calm(2));
  const std::string before = json::write(comparison.result().state.value);
  EXPECT_EQ(comparison.tick(nothing(), nothing()).phase, kError);
  EXPECT_EQ(json::write(comparison.result().state.value), before);
  const Measurement next = comparison.tick(calm(1), calm(2));
  EXPECT_EQ(json::at(next.samples.value, {"control"})->get_array().size(), 10u);
}

TEST(Look, TakesAPointThatTwoRangesShareOnce) {
  Comparison comparison(comparing("m", 6));
  const Measurement first = comparison.tick(calm(1), calm(2));
  const Measurement second = comparison.tick(calm(1), calm(2));
  const auto& before = json::at(first.samples.value, {"experiment"})->get_array();
  const auto& after = json::at(second.samples.value, {"experiment"})->get_array();
  EXPECT_EQ(before.size(), 6u);
  ASSERT_EQ(after.size(), 5u);
  EXPECT_LT(before.back().get_array()[0].to_number<double>(),
            after.front().get_array()[0].to_number<double>());
}

TEST(Look, KeepsToItsGridWhenTicksAreLate) {
  Comparison comparison(comparing("m", 6));
  comparison.tick(calm(1), calm(2));
  comparison.now += 7s;
  const Measurement second = comparison.tick(calm(1), calm(2));
  EXPECT_EQ(json::at(second.samples.value, {"control"})->get_array().size(), 5u);
  comparison.now -= 14s;
  const Measurement third = comparison.tick(calm(1), calm(2));
  EXPECT_EQ(json::at(third.samples.value, {"control"})->get_array().size(), 4u);
}

TEST(Look, WithTooLittleIsAPassSoFarAndInconclusiveAtTheEnd) {
  Metric metric = comparing("m", 2, "1m");
  Comparison comparison(metric);
  const auto one = [&] {
    comparison.now += 1min;
    const auto range = look_range(metric, result_of(comparison.run, "m"), kStart, comparison.now);
    return comparison.judge(
        {.control = answer(range, calm(1)), .experiment = answer(range, calm(2))});
  };
  const Measurement early = one();
  EXPECT_EQ(early.phase, kSuccessful);
  EXPECT_EQ(early.message,
            "too little to judge so far: 2 points are too few: at least 5 are needed");
  EXPECT_EQ(value_of(early).at("verdict").as_string(), "inconclusive");
  EXPECT_EQ(comparison.run.status->phase, kRunning);
  EXPECT_EQ(one().phase, kInconclusive);
  EXPECT_EQ(comparison.run.status->phase, kInconclusive);
}

TEST(Look, ChoosesItsEngineAtTheFirstDataAndStaysWithIt) {
  Comparison comparison(comparing("m", 6));
  EXPECT_EQ(value_of(comparison.tick(calm(1), calm(2))).at("method").as_string(), "signed-rank");
  // Sides on different clocks would be stratified-rank, were they the first.
  const auto shifted = [](Time at) { return unix_seconds(at); };
  comparison.now += 5min;
  const auto range = look_range(comparison.run.spec.metrics[0], result_of(comparison.run, "m"),
                                kStart, comparison.now);
  metrics::Answer late = answer(range, shifted);
  for (auto& point : late.series[0].points) point.time += 29s;
  const Measurement second =
      comparison.judge({.control = answer(range, calm(1)), .experiment = late});
  EXPECT_EQ(value_of(second).at("method").as_string(), "signed-rank");
  EXPECT_EQ(second.phase, kSuccessful);
}

TEST(Look, ChoosesStratifiedRanksForAnotherTime) {
  Metric metric = comparing("m", 6);
  metric.provider.compare->control.ago = {"24h"};
  Comparison comparison(metric);
  const Measurement first = comparison.tick(calm(1), calm(2));
  EXPECT_EQ(value_of(first).at("method").as_string(), "stratified-rank");
  // Times of the two sides line up.
  EXPECT_EQ(json::at(first.samples.value, {"control"})->get_array()[0].get_array()[0],
            json::at(first.samples.value, {"experiment"})->get_array()[0].get_array()[0]);
}

TEST(Look, TakesTheRecordWhereTheSourceHasNothing) {
  Metric metric = comparing("m", 6);
  auto& control = metric.provider.compare->control;
  control.ago = {"24h"};
  json::Array points;
  for (int i = 0; i <= 30; ++i)
    points.push_back(
        json::Array{unix_seconds(kStart - 24h + i * 1min), 10 + noise(kStart + i * 1min, 7)});
  control.recorded.emplace().points.value = points;
  Comparison comparison(metric);
  for (int i = 0; i < 6; ++i) {
    const Measurement got = comparison.tick(nothing(), calm(2));
    EXPECT_EQ(got.phase, kSuccessful) << got.message;
    EXPECT_EQ(value_of(got).at("method").as_string(), "stratified-rank");
    EXPECT_EQ(json::at(got.samples.value, {"control"})->get_array().size(), i == 0 ? 6u : 5u);
  }
  EXPECT_EQ(comparison.run.status->phase, kSuccessful);
}

TEST(Look, WithoutAnythingToCompareWithPassesAndKeepsTheExperiment) {
  Metric metric = comparing("m", 2);
  metric.provider.compare->control = {};
  metric.provider.compare->control.recorded.emplace().points.value = json::Array{};
  Comparison comparison(metric);
  const Measurement got = comparison.tick(nothing(), calm(2));
  EXPECT_EQ(got.phase, kSuccessful);
  EXPECT_EQ(got.message, "nothing to compare with yet: no earlier run is recorded");
  EXPECT_EQ(json::at(got.samples.value, {"experiment"})->get_array().size(), 6u);
  EXPECT_EQ(json::at(comparison.tick(nothing(), calm(2)).samples.value, {"experiment"})
                ->get_array()
                .size(),
            5u);
  EXPECT_EQ(comparison.run.status->phase, kSuccessful);
}

TEST(Look, AveragesSeveralSeriesOfASideAtEachTime) {
  Comparison comparison(comparing("m", 6));
  comparison.now += 5min;
  const auto range = look_range(comparison.run.spec.metrics[0], nullptr, kStart, comparison.now);
  metrics::Answer two = answer(range, [](Time) { return 1.0; }, {{"pod", "a"}});
  two.series.push_back(answer(range, [](Time) { return 3.0; }, {{"pod", "b"}}).series[0]);
  const Measurement got = comparison.judge({.control = two, .experiment = two});
  const auto& points = json::at(got.samples.value, {"control"})->get_array();
  ASSERT_EQ(points.size(), 6u);
  EXPECT_EQ(points[0].get_array()[1].to_number<double>(), 2);
}

TEST(Look, OfMannWhitneyIsPipecdsTickAlone) {
  Metric metric = comparing("m", 6);
  metric.provider.compare->method = "mann-whitney";
  metric.failure_limit = api::IntOrString::of(1);
  Comparison comparison(metric);
  comparison.now += 5min;
  const auto range = look_range(metric, nullptr, kStart, comparison.now);
  EXPECT_EQ(range.to - range.from, Duration(5min));
  // Concatenated: two Pods of two points are four points, fully apart: p = 1/70.
  const auto side = [&](double base) {
    metrics::Answer both;
    for (int pod = 0; pod < 2; ++pod)
      both.series.push_back({.points = {{range.from, base + pod}, {range.to, base + pod + 0.25}}});
    return both;
  };
  const Measurement first = comparison.judge({.control = side(0), .experiment = side(10)});
  EXPECT_EQ(first.phase, kFailed);
  EXPECT_NEAR(value_of(first).at("p").to_number<double>(), 1.0 / 70, 1e-15);
  EXPECT_TRUE(comparison.result().state.empty());
  EXPECT_EQ(comparison.run.status->phase, kRunning);
  comparison.now += 5min;
  EXPECT_EQ(comparison.judge({.control = side(0), .experiment = side(0)}).phase, kSuccessful);
  EXPECT_EQ(comparison.judge({.control = side(0), .experiment = side(10)}).phase, kFailed);
  EXPECT_EQ(comparison.run.status->phase, kFailed);
}

// Two stray errors and a point that is missing: PipeCD's two-sided p is 0 there, the right one
// 4/11.
TEST(Look, OfTheReleasedMannWhitneyHasPipecdsOwnP) {
  for (const auto& [method, p, phase] : {std::tuple("mann-whitney", 4.0 / 11, kSuccessful),
                                         std::tuple("mann-whitney-released", 0.0, kFailed)}) {
    Metric metric = comparing("m", 6);
    metric.provider.compare->method = method;
    metric.provider.compare->deviation = "EITHER";
    Comparison comparison(metric);
    comparison.now += 5min;
    const auto range = look_range(metric, nullptr, kStart, comparison.now);
    EXPECT_EQ(range.to - range.from, Duration(5min));
    const auto control = answer(range, [](Time) { return 0.0; });
    const auto experiment = answer(range, [&](Time at) {
      return at == range.from ? NAN : at == range.to ? 2.0 : at == range.to - 1min ? 1.0 : 0.0;
    });
    const Measurement got = comparison.judge({.control = control, .experiment = experiment});
    EXPECT_NEAR(value_of(got).at("p").to_number<double>(), p, 1e-12) << method;
    EXPECT_EQ(got.phase, phase) << method;
  }
}

TEST(Look, OfCountsSumsEventsAndTakesNoEventsForNone) {
  Metric metric = comparing("m", 3);
  auto& compare = *metric.provider.compare;
  compare.control.exposure = compare.experiment.exposure = "sum(increase(requests[1m]))";
  Comparison comparison(metric);
  Measurement last;
  for (int i = 0; i < 3 && !is_completed(comparison.run.status->phase); ++i) {
    comparison.now += 5min;
    const auto range = look_range(metric, result_of(comparison.run, "m"), kStart, comparison.now);
    const auto requests = answer(range, [](Time) { return 1000.0; });
    last = comparison.judge({.control = {},
                             .experiment = answer(range, [](Time) { return 5.0; }),
                             .control_exposure = requests,
                             .experiment_exposure = requests});
  }
  EXPECT_EQ(last.phase, kFailed) << last.message;
  EXPECT_EQ(value_of(last).at("method").as_string(), "counts");
  EXPECT_EQ(json::at(last.samples.value, {"controlExposure"})->get_array().size(), 6u);
}

TEST(Look, OfHistogramsComparesWholeDistributions) {
  Metric metric = comparing("m", 6);
  Comparison comparison(metric);
  Measurement last;
  for (int i = 0; i < 6 && !is_completed(comparison.run.status->phase); ++i) {
    comparison.now += 5min;
    const auto range = look_range(metric, result_of(comparison.run, "m"), kStart, comparison.now);
    const auto histogram = [&](double fast) {
      metrics::Answer answers;
      for (const auto& [le, share] :
           {std::pair("0.1", fast), std::pair("0.5", 0.9), std::pair("+Inf", 1.0)})
        answers.series.push_back(
            answer(range, [&](Time) { return 200 * share; }, {{"le", le}}).series[0]);
      return answers;
    };
    last = comparison.judge({.control = histogram(0.8), .experiment = histogram(0.2)});
    EXPECT_EQ(value_of(last).at("method").as_string(), "distribution");
  }
  EXPECT_EQ(last.phase, kFailed) << last.message;
  const auto& buckets = json::at(last.samples.value, {"controlBuckets"})->get_array();
  ASSERT_EQ(buckets.size(), 3u);
  EXPECT_EQ(buckets[2].get_array()[0].as_string(), "+Inf");
}

TEST(Look, LetsConditionsDecideOverTheAnswer) {
  Metric metric = comparing("m", 6);
  metric.failure_condition = "result.effect.ratio > 2";
  metric.success_condition = "result.p > 0.0001";
  Comparison comparison(metric);
  EXPECT_EQ(comparison.tick(calm(1), calm(2)).phase, kSuccessful);
  metric.failure_condition = "result.verdict == 'pass'";
  Comparison other(metric);
  EXPECT_EQ(other.tick(calm(1), calm(2)).phase, kFailed);
  EXPECT_FALSE(json::at(other.result().state.value, {"failed"}));
}

TEST(Look, SaysWhatIsWrongWithTheMetric) {
  const auto message = [](auto change) {
    Metric metric = comparing("m", 6);
    change(*metric.provider.compare);
    Comparison comparison(metric);
    const Measurement got = comparison.tick(calm(1), calm(2));
    EXPECT_EQ(got.phase, kError);
    return got.message;
  };
  EXPECT_EQ(message([](auto& c) { c.method = "t-test"; }),
            "compare.method: \"t-test\" is not known; write signed-rank, stratified-rank, counts, "
            "distribution, mann-whitney, mann-whitney-released or kayenta");
  EXPECT_EQ(message([](auto& c) { c.method = "counts"; }),
            "compare.method: counts are counted against something: give both sides an exposure");
  EXPECT_EQ(message([](auto& c) { c.deviation = "UP"; }),
            "compare.deviation: \"UP\" is not known; write HIGH, LOW or EITHER");
  EXPECT_EQ(message([](auto& c) { c.alpha = 2; }),
            "alpha: 2 is not a false-alarm rate; write a number above 0 up to 0.5");
}

}  // namespace
}  // namespace slipway::analysis
