#include "analysis/compare/score.h"

#include <gtest/gtest.h>

#include "analysis/compare/look_testing.h"

namespace slipway::analysis {
namespace {

using namespace testing;
using api::argo::AnalysisRun;
using api::argo::Metric;

constexpr std::string_view kConfig = R"({
  "name": "web", "applications": ["web"],
  "metrics": [
    {"name": "errors", "groups": ["g"], "analysisConfigurations": {"canary": {"direction": "increase"}}},
    {"name": "latency", "groups": ["g"], "analysisConfigurations": {"canary": {"direction": "increase"}}}],
  "classifier": {"groupWeights": {"g": 100}, "scoreThresholds": {"pass": 90, "marginal": 40}}})";

AnalysisRun run_of(std::int64_t count = 1) {
  AnalysisRun run;
  Metric metric{.name = "score", .interval = {"30m"}, .count = api::IntOrString::of(count)};
  auto& score = metric.provider.score.emplace();
  score.config.value = json::read(kConfig).value();
  for (const char* name : {"errors", "latency"}) {
    score.pairs.push_back({.name = name});
    score.pairs.back().control.prometheus.emplace().query = name;
    score.pairs.back().experiment.prometheus.emplace().query = name;
  }
  run.spec.metrics.push_back(std::move(metric));
  run.status.emplace().started_at = kStart;
  return run;
}

LookInput pair_of(double shift, int salt, const metrics::Range& range) {
  return {.control = answer(range, [=](Time at) { return 10 + noise(at, salt); }),
          .experiment = answer(range, [=](Time at) { return 10 + shift + noise(at, salt + 1); })};
}

TEST(Score, PassesAtPassAndIsInconclusiveAtMarginal) {
  struct Case {
    double errors, latency;
    std::string_view phase;
    double score;
  };
  for (const Case& c :
       {Case{0, 0, kSuccessful, 100}, {5, 0, kInconclusive, 50}, {5, 5, kFailed, 0}}) {
    const AnalysisRun run = run_of();
    const Time now = kStart + 30min;
    const auto range = look_range(run.spec.metrics[0], nullptr, kStart, now);
    EXPECT_EQ(range.to - range.from, Duration(30min));
    const std::vector<LookInput> inputs = {pair_of(c.errors, 1, range),
                                           pair_of(c.latency, 3, range)};
    const auto got = judge_score(run, 0, inputs, now, now).measurement;
    EXPECT_EQ(got.phase, c.phase) << got.message;
    const auto value = json::read(got.value).value();
    EXPECT_EQ(value.at("score").to_number<double>(), c.score);
    EXPECT_EQ(value.at("metrics").as_array()[0].at("label").as_string(),
              c.errors > 0 ? "High" : "Pass");
    // What is kept judges the same.
    const auto again = score_mixed(run, 0, read_mixed(got.samples.value).value(), now, now);
    EXPECT_EQ(again.measurement.value, got.value);
  }
}

// The whole range counts: a longer one has its points further apart, and says so.
TEST(Score, OfALongRangeIsOfAllOfIt) {
  const AnalysisRun run = run_of();
  const Time now = kStart + 26h;
  const auto range = look_range(run.spec.metrics[0], nullptr, kStart, now);
  EXPECT_EQ(range.from, kStart);
  EXPECT_EQ(range.step, Duration(4min));
  const std::vector<LookInput> inputs = {pair_of(0, 1, range), pair_of(0, 3, range)};
  const auto got = judge_score(run, 0, inputs, now, now).measurement;
  EXPECT_EQ(got.message,
            "score 100 reaches 90; a point every 4m0s instead of 1m0s: a look has at most 500");
  const auto mixed = read_mixed(got.samples.value).value();
  EXPECT_EQ(mixed.length, 390u);
  EXPECT_EQ(score_mixed(run, 0, mixed, now, now).measurement.message, got.message);
  const auto day = look_range(run.spec.metrics[0], nullptr, kStart, kStart + 499min);
  EXPECT_EQ(day.step, Duration(1min));
}

TEST(Score, OfASideOfNothingButNaNHasNoDataOfThatMetric) {
  const AnalysisRun run = run_of();
  const Time now = kStart + 30min;
  const auto range = look_range(run.spec.metrics[0], nullptr, kStart, now);
  std::vector<LookInput> inputs = {pair_of(0, 1, range), pair_of(0, 3, range)};
  for (auto& point : inputs[0].experiment.series[0].points) point.value = NAN;
  const auto value = json::read(judge_score(run, 0, inputs, now, now).measurement.value).value();
  EXPECT_EQ(value.at("metrics").as_array()[0].at("label").as_string(), "Nodata");
  EXPECT_EQ(value.at("metrics").as_array()[1].at("label").as_string(), "Pass");
}

TEST(Score, FromMarginalOnGoesOnBeforeTheLastLook) {
  AnalysisRun run = run_of(2);
  const Time now = kStart + 30min;
  const auto range = look_range(run.spec.metrics[0], nullptr, kStart, now);
  const std::vector<LookInput> half = {pair_of(5, 1, range), pair_of(0, 3, range)};
  EXPECT_EQ(judge_score(run, 0, half, now, now).measurement.phase, kSuccessful);
  run.spec.metrics[0].provider.score->marginal = 50;
  EXPECT_EQ(judge_score(run, 0, half, now, now).measurement.phase, kSuccessful);
  run.spec.metrics[0].provider.score->marginal = 51;
  EXPECT_EQ(judge_score(run, 0, half, now, now).measurement.phase, kFailed);
  run.spec.metrics[0].provider.score->marginal = 50;
  run.status->metric_results.push_back({.name = "score", .count = 1});
  EXPECT_EQ(judge_score(run, 0, half, now, now).measurement.phase, kInconclusive);
}

metrics::Answer tagged(std::vector<metrics::Labels> labels) {
  metrics::Answer answer;
  for (auto& one : labels)
    answer.series.push_back({.labels = std::move(one), .points = {{kStart, 1.0}}});
  return answer;
}

TEST(Mixer, PairsSeriesByTheirTags) {
  struct Case {
    metrics::Answer control, experiment;
    std::vector<std::pair<bool, bool>> want;  // which sides have points, pair by pair
  };
  const metrics::Labels a{{"__name__", "x"}, {"zone", "a"}}, b{{"zone", "b"}}, none{};
  api::argo::ScoreMetric score;
  score.pairs.push_back({.name = "m"});
  const metrics::Range range{.from = kStart, .to = kStart + 10min, .step = 1min};
  for (const Case& c : {Case{tagged({a, b}), tagged({b, a}), {{true, true}, {true, true}}},
                        Case{tagged({a}), tagged({a, b}), {{true, true}, {false, true}}},
                        Case{tagged({none}), tagged({none}), {{true, true}}},
                        Case{tagged({none}), tagged({a, b}), {{false, true}, {false, true}}},
                        Case{tagged({}), tagged({a}), {{false, true}}},
                        Case{tagged({}), tagged({}), {{false, false}}}}) {
    const LookInput input{.control = c.control, .experiment = c.experiment};
    const auto mixed = mix(score, std::span(&input, 1), range);
    ASSERT_TRUE(mixed);
    EXPECT_EQ(mixed->length, 10u);
    std::vector<std::pair<bool, bool>> got;
    for (const MixedPair& pair : mixed->pairs)
      got.emplace_back(!pair.control.values.empty(), !pair.experiment.values.empty());
    EXPECT_EQ(got, c.want);
  }
  const LookInput other{.control = tagged({a}), .experiment = tagged({{{"pod", "a"}}})};
  EXPECT_EQ(mix(score, std::span(&other, 1), range).error().message,
            "metric m: the control's series have the tags zone, the experiment's pod");
}

TEST(Mixer, PutsWhatLacksAtTheEnd) {
  const auto values = padded({.times = {1, 2}, .values = {5, 6}}, 4);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[1], 6);
  EXPECT_TRUE(std::isnan(values[2]) && std::isnan(values[3]));
}

}  // namespace
}  // namespace slipway::analysis
