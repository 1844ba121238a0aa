#include "analysis/kayenta/lint_kayenta.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

std::vector<std::string> linted(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << documents.error().text();
  std::vector<std::string> out;
  for (const api::Problem& problem : lint_kayenta(documents->at(0)))
    out.push_back(std::to_string(problem.line) + ": " + problem.field + ": " +
                  (problem.severity == api::Problem::Severity::kWarning ? "warning: " : "") +
                  problem.message);
  return out;
}

// A configuration with one metric, its query at line 4, and what else.
std::string config(std::string_view query, std::string_view metric = "",
                   std::string_view more = "") {
  return "{\"name\": \"c\",\n \"metrics\": [\n  {\"name\": \"m\", \"groups\": [\"g\"],\n   "
         "\"query\": " +
         std::string(query) + std::string(metric) + "}]" + std::string(more) + "}";
}
constexpr std::string_view kQuery =
    R"x({"type": "prometheus", "customInlineTemplate": "PromQL:e{v=\"${scope}\", p=\"${param}\"}"})x";

TEST(LintKayenta, HasNothingToSayOfAGoodConfiguration) {
  EXPECT_EQ(linted(config(kQuery, R"(, "analysisConfigurations": {"canary": {
      "direction": "increase", "critical": true, "nanStrategy": "replace",
      "outliers": {"strategy": "remove", "outlierFactor": 2},
      "effectSize": {"measure": "cles", "allowedIncrease": 0.6}}})",
                          R"(, "templates": {"t": "x"}, "classifier": {"groupWeights": {"g": 100},
      "scoreThresholds": {"pass": 95, "marginal": 75}}, "judge": {"name": "NetflixACAJudge-v1.0"})")),
            std::vector<std::string>());
}

TEST(LintKayenta, NamesLineAndFieldOfEachMistake) {
  const struct {
    std::string text, problem;
  } cases[] = {
      {config(R"({"type": "atlas", "q": "x"})"),
       "4: metrics[0].query.type: \"atlas\" is not a query type known here; write datadog, "
       "graphite, influxdb, newrelic, prometheus, signalfx, stackdriver or wavefront"},
      {config(R"({"type": "prometheus", "metricName": "e", "customFilterTemplate": "gone"})"),
       "4: metrics[0].query.customFilterTemplate: \"gone\" is not among the configuration's "
       "templates"},
      {config(R"({"type": "prometheus", "customInlineTemplate": "PromQL:up"})"),
       "4: metrics[0].query: warning: asks the same of control and experiment, whatever their "
       "scopes; use ${scope}"},
      {config(kQuery, R"(, "analysisConfigurations": {"canary": {"critical": "yes"}})"),
       "4: metrics[0].analysisConfigurations.canary.critical: \"yes\" is not true or false"},
      {config(kQuery, R"(, "analysisConfigurations": {"canary": {"derection": "increase"}})"),
       "4: metrics[0].analysisConfigurations.canary.derection: warning: \"derection\" is not used; "
       "did you mean \"direction\"?"},
      {config(kQuery, R"(, "analysisConfigurations": {"canary": {"direction": "up"}})"),
       "4: metrics[0].analysisConfigurations.canary.direction: warning: \"up\" is taken for "
       "\"either\"; write either, increase or decrease"},
      {config(kQuery, "", R"(, "classifier": {"groupWeights": {"g": 50, "h": 50}})"),
       "4: classifier.groupWeights.h: warning: no metric is in \"h\": its 50 are lost, and the "
       "score cannot reach 100"},
      {config(kQuery, "", R"(, "classifier": {"groupWeights": {"g": 120}})"),
       "4: classifier.groupWeights: warning: weights add up to 120, not to 100"},
      {config(kQuery, "", R"(, "classifier": {"scoreThresholds": {"pass": 50, "marginal": 75}})"),
       "4: classifier.scoreThresholds: marginal (75) is above pass (50)"},
      {config(kQuery, "", R"(, "judge": {"name": "dredd-v1.0"})"),
       "4: judge.name: warning: \"dredd-v1.0\" is not known here; NetflixACAJudge-v1.0 judges"},
      {config(kQuery, R"(}, {"name": "m", "query": {"type": "datadog"})"),
       "4: metrics[1].name: \"m\" is the name of an earlier metric; names must differ"},
  };
  for (const auto& row : cases) EXPECT_EQ(linted(row.text), std::vector<std::string>{row.problem});
}

TEST(LintKayenta, WarnsOfAMetricThatIsNotScored) {
  EXPECT_EQ(linted(R"x({"metrics": [{"name": "m", "query":
                      {"type": "datadog", "metricName": "avg:x"}}]})x"),
            std::vector<std::string>{"1: metrics[0]: warning: is in no group, so it is judged and "
                                     "not scored; give it groups"});
}

TEST(LintKayenta, ReadsTheConfigurationOfARequest) {
  const auto problems = linted(R"({"canaryConfig": {"metrics": [
    {"name": "m", "groups": ["g"], "query": {"type": "atlas"}}]}, "executionRequest": {}})");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].starts_with("2: canaryConfig.metrics[0].query.type: ")) << problems[0];
}

TEST(LintKayenta, PassesOverOtherDocuments) {
  EXPECT_EQ(linted("{apiVersion: v1, kind: Pod}"), std::vector<std::string>());
  EXPECT_EQ(linted("[1, 2]"), std::vector<std::string>());
}

}  // namespace
}  // namespace slipway::analysis
