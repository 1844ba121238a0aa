#include "judge/kayenta/score.h"

#include <gtest/gtest.h>

#include "judge/kayenta/config.h"

namespace slipway::judge::kayenta {
namespace {

constexpr auto P = Label::kPass;
constexpr auto H = Label::kHigh;
constexpr auto L = Label::kLow;
constexpr auto N = Label::kNodata;

MetricResult in(std::string group, Label label, bool critical = false) {
  return {.name = "m",
          .groups = {std::move(group)},
          .label = label,
          .critical = critical,
          .reason = "it is"};
}

TEST(KayentaScore, TotalsAsKayenta) {
  struct Case {
    std::vector<MetricResult> results;
    std::map<std::string, double> weights;
    double total;
  };
  for (const auto& c : std::vector<Case>{
           {{in("g", P)}, {}, 100},
           {{in("g", H)}, {}, 0},
           {{in("g", N)}, {}, 0},
           {{in("a", P), in("a", P), in("b", N)}, {}, 100},
           {{in("g", P), in("g", H)}, {}, 50},
           {{in("g", P), in("g", H), in("g", L)}, {}, 33.33},
           {{in("g1", P), in("g1", P), in("g2", H)}, {{"g1", 75}, {"g2", 25}}, 75},
           {{in("g1", P), in("g1", H), in("g2", H)}, {{"g1", 50}, {"g2", 50}}, 25},
           {{in("g1", P), in("g1", N), in("g2", H)}, {{"g1", 50}, {"g2", 50}}, 50},
           {{in("g", P), in("g", H, true)}, {}, 0},
           {{in("g", L), in("g", P, true)}, {}, 50},
           {{in("g", P), in("g", N, true)}, {}, 0},
           {{in("g1", H), in("g1", L), in("g1", P), in("g2", H)}, {{"g1", 15}, {"g2", 85}}, 5},
           {{in("g", P), in("g", Label::kNodataFailMetric)}, {}, 50},
           {{in("g", P), in("g", Label::kError, false)}, {}, 100},
           {{in("g", P)}, {{"g", 60}, {"gone", 40}}, 60},
           {{}, {}, 0}})
    EXPECT_EQ(score(c.results, c.weights, {}).total, c.total);
}

TEST(KayentaScore, LeavesOutTheMuted) {
  auto muted = in("g", H, true);
  muted.muted = true;
  EXPECT_EQ(score({in("g", P), muted}, {}, {}).total, 100);
}

TEST(KayentaScore, LabelsByThresholds) {
  const Thresholds thresholds{.pass = 75, .marginal = 50};
  EXPECT_EQ(score({in("g", P)}, {}, thresholds).label, ScoreLabel::kPass);
  EXPECT_EQ(score({in("g", P), in("g", H)}, {}, thresholds).label, ScoreLabel::kMarginal);
  EXPECT_EQ(score({in("g", H)}, {}, thresholds).label, ScoreLabel::kFail);
  EXPECT_TRUE(stops_early(50, thresholds));
  EXPECT_FALSE(stops_early(50.01, thresholds));
  EXPECT_FALSE(passes_finally(74.99, thresholds));
  EXPECT_TRUE(passes_finally(75, thresholds));
}

TEST(KayentaScore, SaysWhy) {
  EXPECT_EQ(score({in("g", H, true)}, {}, {}).reason, "Canary Failed: it is");
  EXPECT_EQ(score({in("g", N), in("g", P)}, {}, {}).reason, "no data for 1 of 2 metrics");
  EXPECT_EQ(lost_weights({in("g", P)}, {{"g", 60}, {"gone", 40}}),
            std::vector<std::string>{"gone"});
}

TEST(KayentaConfig, IsReadAndJudged) {
  const auto json = json::read(R"({
    "name": "web", "metrics": [
      {"name": "errors", "groups": ["Errors"], "analysisConfigurations": {"canary": {
        "direction": "increase", "critical": true, "nanStrategy": "replace",
        "effectSize": {"allowedIncrease": 2, "criticalIncrease": 10}}}},
      {"name": "latency", "groups": ["Latency"], "analysisConfigurations": {"canary": {
        "direction": "sideways", "outliers": {"strategy": "remove", "outlierFactor": 2}}}},
      {"name": "memory", "groups": ["Latency"]}],
    "classifier": {"groupWeights": {"Errors": 60, "Latency": 40},
                   "scoreThresholds": {"pass": 80, "marginal": 50}}})");
  const auto config = read_config(*json);
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->metrics[1].metric.direction, Direction::kEither);
  EXPECT_EQ(config->metrics[1].metric.outlier_factor, 2);
  const std::vector<double> low{1, 2, 3, 4, 5, 6};
  const std::vector<double> top{40, 50, 60, 70, 80, 90};
  const auto judged = [&](const std::vector<double>& errors, const std::vector<double>& latency) {
    return judge_canary(*config, config->thresholds,
                        {{"errors", low, errors}, {"latency", low, latency}, {"memory", low, low}});
  };
  EXPECT_EQ(judged(low, low)->score.total, 100);
  EXPECT_EQ(judged(low, top)->score.total, 80);
  EXPECT_EQ(judged(low, top)->score.label, ScoreLabel::kPass);
  EXPECT_EQ(judged(top, low)->score.total, 0);
  EXPECT_EQ(judged(top, low)->score.reason.substr(0, 14), "Canary Failed:");
  EXPECT_FALSE(judge_canary(*config, {}, {{"disk", low, low}}));
}

TEST(KayentaConfig, NamesWhatIsWrong) {
  for (const auto& [text, where] : std::vector<std::pair<std::string, std::string>>{
           {R"({})", "metrics"},
           {R"({"metrics":[{}]})", "metrics[0].name"},
           {R"({"metrics":[{"name":"a"},{"name":"a"}]})", "metrics[1].name"},
           {R"({"metrics":[{"name":"a","groups":"g"}]})", "metrics[0].groups"},
           {R"({"metrics":[{"name":"a","analysisConfigurations":{"canary":{"critical":"true"}}}]})",
            "metrics[0].analysisConfigurations.canary.critical"},
           {R"({"metrics":[{"name":"a","analysisConfigurations":{"canary":{"outliers":
               {"strategy":"remove","outlierFactor":0}}}}]})",
            "metrics[0].analysisConfigurations.canary.outliers.outlierFactor"},
           {R"({"metrics":[{"name":"a"}],"classifier":{"groupWeights":{"g":"x"}}})",
            "classifier.groupWeights.g"}}) {
    const auto config = read_config(*json::read(text));
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().where, where);
  }
}

}  // namespace
}  // namespace slipway::judge::kayenta
