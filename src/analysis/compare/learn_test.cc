#include "analysis/compare/learn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/compare/look_testing.h"
#include "analysis/replay.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::Measurement;
using api::argo::Metric;

// As high by day as low by night, and a little noise.
double of_the_day(Time at) {
  const double day = unix_seconds(at) / 86'400 * 2 * std::numbers::pi;
  return 100 + 40 * std::sin(day + 1) + noise(at, 1);
}

Comparison with_the_past(const char* ago, bool remembers) {
  Metric metric = comparing("m", 4);
  metric.provider.compare->control.ago = {ago};
  Comparison comparison(metric);
  comparison.remembers = remembers;
  return comparison;
}

Measurement last_of(Comparison& comparison, const Source& control, const Source& experiment) {
  Measurement last;
  for (int i = 0; i < 4 && !is_completed(comparison.run.status->phase); ++i)
    last = comparison.tick(control, experiment);
  return last;
}

TEST(Learn, TakesTheSeasonOutOfAComparisonWithAnotherTime) {
  for (const char* ago : {"6h", "78h", "510h", "2000h"}) {
    Comparison forgetful = with_the_past(ago, false);
    Comparison knowing = with_the_past(ago, true);
    Comparison broken = with_the_past(ago, true);
    const Measurement plain = last_of(forgetful, of_the_day, of_the_day);
    EXPECT_NE(plain.message.find("not calibrated: the record spans 0 h"), std::string::npos)
        << plain.message;
    const Measurement calm = last_of(knowing, of_the_day, of_the_day);
    EXPECT_EQ(calm.phase, kSuccessful) << ago << ": " << calm.message;
    EXPECT_NE(calm.value.find("\"seasonRemoved\":true"), std::string::npos) << calm.value;
    const Measurement found =
        last_of(broken, of_the_day, [](Time at) { return 1.5 * of_the_day(at); });
    EXPECT_EQ(found.phase, kFailed) << ago << ": " << found.message;
  }
  Comparison forgetful = with_the_past("6h", false);
  EXPECT_EQ(last_of(forgetful, of_the_day, of_the_day).phase, kFailed);
}

TEST(Learn, AsksOnceAndKeepsAFewNumbers) {
  Comparison comparison = with_the_past("6h", true);
  comparison.tick(of_the_day, of_the_day);
  EXPECT_EQ(comparison.asked_before, kHistoryWeeks);
  const auto first = read_look_state(comparison.result().state).value();
  EXPECT_TRUE(first.season && first.placebos && first.tau);
  comparison.tick(of_the_day, of_the_day);
  EXPECT_EQ(comparison.asked_before, kHistoryWeeks);
  const auto second = read_look_state(comparison.result().state).value();
  EXPECT_EQ(second.tau, first.tau);
  EXPECT_EQ(second.placebos->limit, first.placebos->limit);
  EXPECT_EQ(second.season->experiment.values, first.season->experiment.values);
  EXPECT_LT(json::write(comparison.result().state.value).size(), 8192U);
}

TEST(Learn, OfAShortOrEmptyPastChangesNothing) {
  const Source rises = of_the_day;
  const Source young = [&](Time at) { return at < kStart - 48h ? std::nan("") : of_the_day(at); };
  Comparison forgetful = with_the_past("6h", false), knowing = with_the_past("6h", true);
  const Measurement plain = last_of(forgetful, young, rises);
  const Measurement same = last_of(knowing, young, rises);
  EXPECT_EQ(same.phase, plain.phase);
  EXPECT_EQ(same.value.substr(0, same.value.find("\"reason\"")),
            plain.value.substr(0, plain.value.find("\"reason\"")));
  EXPECT_NE(same.message.find("not calibrated: the record spans 48"), std::string::npos)
      << same.message;
}

// Five minutes' average, each minute: neighbours share four fifths. The query does not say so.
double smooth(Time at, int salt) {
  double sum = 0;
  for (int i = 0; i < 5; ++i) sum += noise(at - i * 1min, salt);
  return 10 + sum / 5;
}

double tau_of(const Measurement& measurement) {
  const auto value = json::read(measurement.value).value();
  const json::Value* tau = json::at(value, {"tau"});
  return tau ? number_in(*tau).value_or(0) : 1;
}

TEST(Learn, TellsTauOfTheDifferencesBefore) {
  const Source control = [](Time at) { return smooth(at, 1); };
  const Source experiment = [](Time at) { return smooth(at, 2); };
  Comparison knowing(comparing("m", 6)), forgetful(comparing("m", 6)), told(comparing("m", 6));
  knowing.remembers = told.remembers = true;
  told.run.spec.metrics[0].provider.compare->tau = 2;
  EXPECT_NEAR(tau_of(knowing.tick(control, experiment)), 6, 2.5);
  EXPECT_EQ(tau_of(forgetful.tick(control, experiment)), 1);
  EXPECT_EQ(tau_of(told.tick(control, experiment)), 2);
  EXPECT_EQ(tau_of(knowing.tick(control, experiment)),
            read_look_state(knowing.result().state)->tau);
  // A variant that is new has no past, and its control's own may be shared with it.
  Comparison fresh(comparing("m", 6));
  fresh.remembers = true;
  EXPECT_EQ(tau_of(fresh.tick(
                control, [&](Time at) { return at < kStart ? std::nan("") : experiment(at); })),
            1);
  // What the sides share is no difference.
  Comparison shared(comparing("m", 6));
  shared.remembers = true;
  EXPECT_LT(tau_of(shared.tick([](Time at) { return 9 * smooth(at, 1) + noise(at, 3); },
                               [](Time at) { return 9 * smooth(at, 1) + noise(at, 4); })),
            2);
}

// One look of counts against a hundred a minute, with a day before it of the control.
Measurement first_of_counts(Comparison& comparison, const Source& events) {
  auto& compare = *comparison.run.spec.metrics[0].provider.compare;
  compare.control.exposure = compare.experiment.exposure = "n";
  const Source hundred = [](Time) { return 100.0; };
  comparison.now += 5min;
  const auto& metric = comparison.run.spec.metrics[0];
  const metrics::Range range = look_range(metric, nullptr, kStart, comparison.now);
  LookInput input{.control = answer(range, events),
                  .experiment = answer(range, events),
                  .control_exposure = answer(range, hundred),
                  .experiment_exposure = answer(range, hundred)};
  for (const metrics::Range& part : history_wanted(metric, nullptr, range).ranges) {
    input.control_history.push_back(answer(part, events));
    input.control_exposure_history.push_back(answer(part, hundred));
  }
  return comparison.judge(input);
}

TEST(Learn, TellsHowMuchMoreThanByChanceCountsVary) {
  // Two events a minute in the mean: one by one, or ten together.
  const Source single = [](Time at) {
    double events = 0;
    for (int i = 0; i < 20; ++i) events += noise(at, 50 + i) > 0.8 ? 1 : 0;
    return events;
  };
  const Source together = [](Time at) { return noise(at, 7) > 0.6 ? 10.0 : 0.0; };
  Comparison even(comparing("m", 6)), packed(comparing("m", 6)), told(comparing("m", 6));
  EXPECT_EQ(tau_of(first_of_counts(even, single)), 1);
  const double tau = tau_of(first_of_counts(packed, together));
  EXPECT_NEAR(tau, 9, 3);
  EXPECT_EQ(read_look_state(packed.result().state)->tau, tau);
  told.run.spec.metrics[0].provider.compare->tau = 2;
  EXPECT_EQ(tau_of(first_of_counts(told, together)), 2);
}

TEST(Learn, IsRepeatedByAReplayFromWhatIsRecorded) {
  Comparison comparison = with_the_past("6h", true);
  last_of(comparison, of_the_day, of_the_day);
  ASSERT_EQ(comparison.run.status->phase, kSuccessful);
  const auto again = replay(comparison.run, comparison.run.spec);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->phase, kSuccessful);
  const auto& was = comparison.result().measurements;
  const auto& is = again->metric_results.at(0).measurements;
  ASSERT_EQ(is.size(), was.size());
  for (std::size_t i = 0; i < was.size(); ++i) {
    EXPECT_EQ(is[i].value, was[i].value);
    EXPECT_EQ(is[i].message, was[i].message);
  }
  auto stricter = comparison.run.spec;
  stricter.metrics[0].provider.compare->alpha = 0.01;
  const auto other = replay(comparison.run, stricter);
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_NE(other->metric_results.at(0).measurements.back().message.find("for another plan"),
            std::string::npos);
}

TEST(HistoryWanted, IsBoundedAndOnlyOfWhatCanLearn) {
  const metrics::Range minutes{.from = kStart, .to = kStart + 5min, .step = 1min};
  const auto wanted = [&](auto change, const metrics::Range& look) {
    Metric metric = comparing("m", 6);
    change(*metric.provider.compare);
    return history_wanted(metric, nullptr, look);
  };
  const auto ago = [](auto& compare) { compare.control.ago = {"6h"}; };
  for (const auto& [step, parts, longer] :
       {std::tuple<Duration, std::size_t, Duration>(1min, 4, 1min),
        {5min, 1, 5min},
        {7s, 4, 63s},
        {1s, 4, 60s}}) {
    const auto past = wanted(ago, {.from = kStart, .to = kStart + 5min, .step = step});
    ASSERT_EQ(past.ranges.size(), parts) << step.count();
    EXPECT_FALSE(past.experiment);
    for (const metrics::Range& range : past.ranges) {
      EXPECT_EQ(range.step, longer);
      EXPECT_LE((range.to - range.from) / range.step, static_cast<std::int64_t>(kMaxHistorySteps));
      EXPECT_LT(range.to, kStart);
      EXPECT_GE(range.from, kStart - 24h * 7 * kHistoryWeeks);
      EXPECT_LT(range.from, range.to);
    }
  }
  EXPECT_EQ(wanted([](auto&) {}, minutes).ranges.size(), 1U);
  EXPECT_TRUE(wanted([](auto&) {}, minutes).experiment);
  EXPECT_TRUE(wanted([](auto& compare) { compare.tau = 3; }, minutes).ranges.empty());
  EXPECT_TRUE(
      wanted([](auto& compare) { compare.method = "mann-whitney"; }, minutes).ranges.empty());
  EXPECT_TRUE(
      wanted([](auto& compare) { compare.control.exposure = "n"; }, minutes).ranges.empty());
  EXPECT_TRUE(
      wanted([](auto& compare) { compare.experiment.web.emplace(); }, minutes).ranges.empty());
  const auto counted = [&](auto change) {
    return wanted(
        [&](auto& compare) {
          compare.control.exposure = compare.experiment.exposure = "n";
          change(compare);
        },
        minutes);
  };
  const auto counts = counted([](auto&) {});
  EXPECT_EQ(counts.ranges.size(), 1U);
  EXPECT_TRUE(counts.exposure && !counts.experiment);
  EXPECT_EQ(counted([](auto& compare) { compare.method = "counts"; }).ranges.size(), 1U);
  EXPECT_TRUE(counted([](auto& compare) { compare.method = "signed-rank"; }).ranges.empty());
  EXPECT_TRUE(counted([](auto& compare) { compare.tau = 3; }).ranges.empty());
  EXPECT_TRUE(counted(ago).ranges.empty());
}

}  // namespace
}  // namespace slipway::analysis
