#include "analysis/argo/lint_argo_metrics.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

// "line field: message" of each problem.
std::vector<std::string> linted(const std::string& metric, const std::string& kind) {
  const std::string text = "apiVersion: argoproj.io/v1alpha1\nkind: " + kind +
                           "\nmetadata: {name: t}\nspec:\n  metrics:\n  - name: m\n    " + metric +
                           "\n    provider: {web: {url: u}}\n";
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << text;
  std::vector<std::string> out;
  for (const api::Problem& problem : lint_argo_metrics(documents->front())) {
    EXPECT_EQ(problem.severity, api::Problem::Severity::kError);
    out.push_back(std::to_string(problem.line) + " " + problem.field + ": " + problem.message);
  }
  return out;
}

TEST(LintArgoMetrics, SaysWhatCanNeverWork) {
  const std::pair<std::string, std::string> cases[] = {
      {"successCondition: result[0] <",
       "successCondition: \"result[0] <\" is no condition: "
       "unexpected token EOF at 1:11"},
      {"failureCondition: foo(result)",
       "failureCondition: \"foo(result)\" is no condition: unknown name foo at 1:1"},
      {"successCondition: asFloat(result)",
       "successCondition: \"asFloat(result)\" is no condition: expected bool, but got float64"},
      {"failureLimit: abc", "failureLimit: \"abc\" is not a whole number; write 3"},
      {"failureLimit: '1.5'", "failureLimit: \"1.5\" is not a whole number; write 3"},
      {"count: -1", "count: -1 measurements cannot be taken; write 1 or more, or leave it out"},
      {"count: '-1'", "count: -1 measurements cannot be taken; write 1 or more, or leave it out"},
      {"interval: -5s", "interval: \"-5s\" is less than nothing; write 10s, 5m or 1h"},
      {"initialDelay: -1m", "initialDelay: \"-1m\" is less than nothing; write 10s, 5m or 1h"}};
  for (const auto& [metric, message] : cases)
    for (const char* kind : {"AnalysisTemplate", "ClusterAnalysisTemplate", "AnalysisRun"})
      EXPECT_EQ(linted(metric, kind), std::vector<std::string>{"7 spec.metrics[0]." + message});
}

TEST(LintArgoMetrics, LeavesWhatWorksOrIsNotKnownYet) {
  for (const char* metric :
       {"successCondition: result[0] < 0.95", "successCondition: result == 'ok' || isNaN(result)",
        "successCondition: 'all(result, # > 3) and len(result) > 2'", "successCondition: result",
        "successCondition: result.status.ok", "successCondition: default(result, 0) < 0.05",
        "failureCondition: result[0] > {{args.limit}}", "failureCondition: '{{args.condition}}'",
        "failureLimit: '{{args.n}}'", "failureLimit: '3'", "failureLimit: -1",
        "count: '{{args.n}}'", "interval: '{{args.i}}'", "interval: 5m", "interval: '10'"})
    EXPECT_EQ(linted(metric, "AnalysisTemplate"), std::vector<std::string>()) << metric;
  EXPECT_EQ(linted("successCondition: '<'", "Rollout"), std::vector<std::string>());
}

}  // namespace
}  // namespace slipway::analysis
