#include "cli/analyze_fields.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

std::string told(std::string_view text) {
  std::vector<Manifest> manifests;
  auto documents = yaml::read(text);
  SLIPWAY_ASSERT(documents.has_value());
  for (auto& document : *documents) manifests.push_back({"f.yaml", std::move(document)});
  const auto doubts = check_fields(manifests);
  if (!doubts) return "refused: " + doubts.error().text();
  std::string all;
  for (const auto& doubt : *doubts) all += doubt + "\n";
  return all;
}

TEST(AnalyzeFields, AConditionThatNobodyReadsIsRefused) {
  EXPECT_EQ(told(R"(apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: t}
spec:
  metrics:
  - name: m
    succesCondition: result[0] < 1
    provider: {prometheus: {address: 'http://p', query: up}}
)"),
            "refused: f.yaml:7: spec.metrics[0].succesCondition: unknown field "
            "\"succesCondition\"; did you mean \"successCondition\"?");
}

TEST(AnalyzeFields, SoIsAMisspeltFieldOfACanary) {
  EXPECT_EQ(told(R"(apiVersion: v1
kind: ConfigMap
metadata: {name: whatever}
dta: {}
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: web}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  service: {port: 80}
  analysis:
    metrics:
    - {name: a, query: up, tresholdRange: {max: 1}}
)"),
            "refused: f.yaml:14: spec.analysis.metrics[0].tresholdRange: unknown field "
            "\"tresholdRange\"; did you mean \"thresholdRange\"?");
}

TEST(AnalyzeFields, WhatPipecdPassesOverIsTold) {
  EXPECT_EQ(told(R"(apiVersion: pipecd.dev/v1beta1
kind: KubernetesApp
spec:
  pipeline:
    stages:
    - name: ANALYSIS
      with:
        duration: 10m
        metrics:
        - {provider: p, interval: 1m, query: up, expected: {max: 1}, owner: me}
)"),
            "f.yaml:10: spec.pipeline.stages[0].with.metrics[0].owner: warning: PipeCD knows "
            "no such field\n");
}

TEST(AnalyzeFields, AMisspeltFieldOfPipecdsIsRefused) {
  const struct {
    const char* with;
    const char* refused;
  } cases[] = {
      {"{duration: 3s, metricss: []}",
       "metricss: PipeCD knows no such field; did you mean metrics?"},
      {"{duration: 3s, metrics: [{provider: p, interval: 1m, query: up, devation: HIGH}]}",
       "metrics[0].devation: PipeCD knows no such field; did you mean deviation?"},
      {"{duration: 3s, checks: []}", "checks: PipeCD knows no such field"},
      {"{duration: 3s, dynamic: {metrics: []}}",
       "dynamic: PipeCD knows no such field; write its metrics under metrics, each with a strategy "
       "such as CANARY_BASELINE"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(told(std::string("apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec:\n"
                               "  pipeline:\n    stages:\n    - name: ANALYSIS\n      with: ") +
                   c.with),
              std::string("refused: f.yaml:7: spec.pipeline.stages[0].with.") + c.refused);
  EXPECT_EQ(told("apiVersion: pipecd.dev/v1beta1\nkind: AnalysisTemplate\nspec: {bogus: 1}\n"),
            "refused: f.yaml:3: spec.bogus: PipeCD knows no such field");
}

TEST(AnalyzeFields, OtherObjectsAreNotLookedAt) {
  EXPECT_EQ(told("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndta: {}\n"), "");
}

}  // namespace
}  // namespace slipway::cli
