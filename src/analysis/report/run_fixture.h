#pragma once

#include <string>

#include "api/kinds/argo_analysis.h"
#include "api/rules/validate.h"
#include "base/yaml.h"

// Runs for tests of what is shown.
namespace slipway::analysis::report {

inline api::argo::AnalysisRun run_from(std::string_view text) {
  auto documents = yaml::read(text);
  SLIPWAY_ASSERT(documents && documents->size() == 1);
  api::Findings unfinished;  // what is not said of a metric does not matter here
  return api::decode_leniently<api::argo::AnalysisRun>(documents->front().value, "", unfinished);
}

// A comparison that failed at its second look, and a plain metric that passed.
inline constexpr std::string_view kComparedRun = R"yaml(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisRun
metadata: {name: web}
spec:
  metrics:
  - name: latency
    interval: 1m
    count: 6
    provider:
      compare:
        control: {prometheus: {address: 'http://p', query: 'lat{v="a"}'}}
        experiment: {prometheus: {address: 'http://p', query: 'lat{v="b"}'}}
  - name: error-rate
    count: 2
    successCondition: result[0] < 0.05
    provider: {prometheus: {address: 'http://p', query: errors}}
status:
  phase: Failed
  message: 'Metric "latency" assessed Failed due to failed (1) > failureLimit (0)'
  startedAt: '2026-01-02T15:00:00Z'
  completedAt: '2026-01-02T15:02:30Z'
  metricResults:
  - name: latency
    phase: Failed
    count: 2
    failed: 1
    successful: 1
    metadata: {ResolvedControlQuery: 'lat{v="a",hash="1"}', ResolvedExperimentQuery: 'lat{v="b"}'}
    measurements:
    - phase: Successful
      startedAt: '2026-01-02T15:01:00Z'
      finishedAt: '2026-01-02T15:01:00Z'
      value: >-
        {"method":"stratified-rank","direction":"increase","verdict":"pass","p":0.3,"effect":{"ratio":1.1,
        "cles":0.6,"shift":0.1,"low":-0.5,"high":0.8},"reason":"no difference shown",
        "look":{"look":1,"s":1,"v":1,"z":1.1,"boundary":2.9,"logM":0.1,"p":0.3,"alphaSpent":0.01}}
      samples: {control: [[1767366000,1],[1767366060,1.1]], experiment: [[1767366000,1.1],[1767366060,1.2]]}
    - phase: Failed
      startedAt: '2026-01-02T15:02:00Z'
      finishedAt: '2026-01-02T15:02:00Z'
      value: >-
        {"method":"stratified-rank","direction":"increase","verdict":"fail","p":0.002,"effect":{"ratio":1.5,
        "cles":0.9,"shift":0.5,"low":0.2,"high":0.8},"reason":"experiment is higher: z 3.2 reached its boundary 2.7",
        "look":{"look":2,"s":3,"v":1,"z":3.2,"boundary":2.7,"logM":"NaN","p":0.002,"alphaSpent":0.02}}
      samples: {control: [[1767366060,1.15],[1767366120,1]], experiment: [[1767366060,1.2],[1767366120,2]]}
  - name: error-rate
    phase: Successful
    count: 2
    successful: 2
    measurements:
    - {phase: Successful, finishedAt: '2026-01-02T15:01:00Z', value: '[0.01]'}
    - {phase: Successful, finishedAt: '2026-01-02T15:02:00Z', value: '[0.02]'}
)yaml";

}  // namespace slipway::analysis::report
