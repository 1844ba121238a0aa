#include "analysis/flagger/lint_flagger.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

// Lints the documents of a file, each beside the others: `LINE: FIELD: [warning: ]message`.
std::vector<std::string> linted(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << documents.error().text();
  std::vector<const yaml::Document*> all;
  for (const auto& document : *documents) all.push_back(&document);
  std::vector<std::string> out;
  for (const auto& document : *documents)
    for (const api::Problem& problem : lint_flagger(document, all))
      out.push_back(std::to_string(problem.line) + ": " + problem.field + ": " +
                    (problem.severity == api::Problem::Severity::kWarning ? "warning: " : "") +
                    problem.message);
  return out;
}

std::vector<std::string> linted_metric(std::string_view metric) {
  return linted(R"(apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: podinfo, namespace: test}
spec:
  targetRef: {kind: Deployment, name: podinfo}
  service: {port: 80}
  analysis:
    interval: 1m
    threshold: 5
    stepWeight: 10
    metrics:
)" + std::string(metric));
}

TEST(LintFlagger, HasNothingToSayOfAGoodCanary) {
  EXPECT_EQ(linted_metric(R"(
      - {name: request-success-rate, thresholdRange: {min: 99}, interval: 1m}
      - {name: request-duration, threshold: 500, interval: 30s}
      - {name: mine, query: 'sum(x{ns="{{ namespace }}"}[{{ interval }}])', threshold: 1}
      - {name: elsewhere, templateRef: {name: in-the-cluster}, thresholdRange: {max: 1}}
)"),
            std::vector<std::string>());
}

TEST(LintFlagger, TakesTheWordOfTheProposal) {
  const auto problems = linted(R"(apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: podinfo, namespace: dev}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: podinfo}
  canaryAnalysis:
    metrics:
      - {name: "max database connections", templateRef: {name: max-db-con, namespace: flagger}, threshold: 100, interval: 1m}
)");
  EXPECT_EQ(problems,
            std::vector<std::string>{"6: spec.canaryAnalysis: warning: the canary never advances: "
                                     "give iterations, stepWeight or stepWeights that rise"});
}

TEST(LintFlagger, NamesLineAndFieldOfEachMistake) {
  const struct {
    std::string_view metric, problem;
  } cases[] = {
      {"      - {name: mine, threshold: 1}",
       "12: spec.analysis.metrics[0]: no usable metrics template and query were configured; give a "
       "templateRef, a query, or one of the names request-success-rate and request-duration"},
      {"      - name: mine\n        threshold: 1\n        query: '{{ nonsense }}'",
       "14: spec.analysis.metrics[0].query: template parsing failed: template: tmpl:1: function "
       "\"nonsense\" not defined"},
      {"      - name: mine\n        threshold: 1\n        query: |\n          a\n          {{ if "
       "}}",
       "16: spec.analysis.metrics[0].query: template parsing failed: template: tmpl:2: missing "
       "value for if"},
      {"      - {name: mine, query: up}",
       "12: spec.analysis.metrics[0]: warning: no thresholdRange: every value over 0 fails"},
      {"      - {name: request-success-rate}",
       "12: spec.analysis.metrics[0]: warning: no thresholdRange: every success rate passes"},
      {"      - {name: mine, query: up, thresholdRange: {min: 2, max: 1}}",
       "12: spec.analysis.metrics[0].thresholdRange: min (2) is above max (1): no value passes"},
      {"      - {name: mine, query: up, thresholdRange: {}}",
       "12: spec.analysis.metrics[0].thresholdRange: warning: neither min nor max: every value "
       "passes"},
      {"      - {name: mine, query: up, threshold: 1, interval: soon}",
       "12: spec.analysis.metrics[0].interval: \"soon\" is not a duration; write 30s, 1m or 5m"},
      {"      - {name: mine, query: up, treshold: 1, threshold: 1}",
       "12: spec.analysis.metrics[0].treshold: unknown field \"treshold\"; did you mean "
       "\"threshold\"?"},
  };
  for (const auto& row : cases)
    EXPECT_EQ(linted_metric(row.metric), std::vector<std::string>{std::string(row.problem)});
}

TEST(LintFlagger, ChecksVariablesAgainstTemplatesOfTheSameFiles) {
  const auto problems = linted(R"(apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: m, namespace: test}
spec: {provider: {type: prometheus, address: http://p}, query: '{{ variables.region }}'}
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: c, namespace: test}
spec:
  targetRef: {kind: Deployment, name: c}
  analysis:
    iterations: 3
    metrics:
      - {name: a, threshold: 1, templateRef: {name: m}, templateVariables: {region: eu}}
      - {name: b, threshold: 1, templateRef: {name: m}}
)");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].starts_with(
      "15: spec.analysis.metrics[1].templateVariables: the template \"m\" needs more: "))
      << problems[0];
}

TEST(LintFlagger, ReadsTheQueriesOfTemplatesInLists) {
  const auto problems = linted(R"(apiVersion: v1
kind: List
items:
  - apiVersion: flagger.app/v1beta1
    kind: MetricTemplate
    metadata: {name: m}
    spec:
      provider: {type: prometheus, address: http://p}
      query: |
        sum(
          {{ targt }}
        )
  - apiVersion: flagger.app/v1beta1
    kind: MetricTemplate
    metadata: {name: n}
    spec: {provider: {type: prometheus}, query: '{{ variables.any }}'}
)");
  EXPECT_EQ(problems,
            std::vector<std::string>{"11: items[0].spec.query: template parsing failed: template: "
                                     "tmpl:2: function \"targt\" not defined"});
}

TEST(LintFlagger, PassesOverOtherKinds) {
  EXPECT_EQ(linted("{apiVersion: v1, kind: Pod, spec: {analysis: 3}}"), std::vector<std::string>());
  EXPECT_EQ(linted("{apiVersion: flagger.app/v1beta1, kind: Canary, metadata: {name: c}}"),
            std::vector<std::string>{
                "1: spec: is missing; a Canary has targetRef, service and analysis"});
}

}  // namespace
}  // namespace slipway::analysis
