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
        - {provider: p, interval: 1m, query: up, expected: {max: 1}, falureLimit: 3}
)"),
            "f.yaml:10: spec.pipeline.stages[0].with.metrics[0].falureLimit: warning: PipeCD knows "
            "no such field; did you mean failureLimit?\n");
}

TEST(AnalyzeFields, OtherObjectsAreNotLookedAt) {
  EXPECT_EQ(told("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndta: {}\n"), "");
}

}  // namespace
}  // namespace slipway::cli
