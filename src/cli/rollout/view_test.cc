#include "cli/rollout/view.h"

#include <gtest/gtest.h>

#include "cli/exit_code.h"
#include "cli/rollout/health.h"
#include "cli/yaml_testing.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;

const Time kNow{1'767'225'600s};  // 2026-01-01T00:00:00Z

ShownRollout rollout_from(std::string_view text) {
  auto read = read_rollout(from_yaml(text).at(0));
  EXPECT_TRUE(read) << text;
  return read ? *read : ShownRollout();
}

constexpr std::string_view kCanary = R"(
metadata: {name: web, namespace: shop, uid: w, generation: 3, creationTimestamp: "2025-12-31T23:50:00Z"}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template: {spec: {containers: [{name: web, image: "web:2"}]}}
  strategy:
    canary:
      steps: [{setWeight: 25}, {pause: {duration: 10m}}, {setWeight: 50}]
status:
  observedGeneration: "3"
  phase: Paused
  message: CanaryPauseStep
  currentStepIndex: 1
  currentPodHash: b
  stableRS: a
  replicas: 4
  updatedReplicas: 1
  readyReplicas: 4
  availableReplicas: 4
  controllerPause: true
  pauseConditions: [{reason: CanaryPauseStep, startTime: "2025-12-31T23:58:00Z"}]
)";

Grove canary_grove() {
  Grove all{.now = kNow};
  all.replica_sets = from_yaml(R"(
metadata: {name: web-a, uid: ra, creationTimestamp: "2025-12-31T23:50:00Z",
  labels: {rollouts-pod-template-hash: a}, annotations: {rollout.argoproj.io/revision: "1"},
  ownerReferences: [{uid: w, controller: true}]}
spec: {replicas: 3, template: {spec: {containers: [{image: "web:1"}]}}}
status: {replicas: 3, availableReplicas: 3}
---
metadata: {name: web-b, uid: rb, creationTimestamp: "2025-12-31T23:57:00Z",
  labels: {rollouts-pod-template-hash: b}, annotations: {rollout.argoproj.io/revision: "2"},
  ownerReferences: [{uid: w, controller: true}]}
spec: {replicas: 1, template: {spec: {containers: [{image: "web:2"}]}}}
status: {replicas: 1, availableReplicas: 1}
---
metadata: {name: web-b-2-1-base, uid: rx, creationTimestamp: "2025-12-31T23:59:00Z",
  annotations: {experiment.argoproj.io/template-name: base},
  ownerReferences: [{uid: e, controller: true}]}
spec: {replicas: 1, template: {spec: {containers: [{image: "web:1"}]}}}
status: {replicas: 1}
---
metadata: {name: other, uid: ro, ownerReferences: [{uid: x, controller: true}]}
)");
  all.experiments = from_yaml(R"(
metadata: {name: web-b-2-1, uid: e, creationTimestamp: "2025-12-31T23:59:00Z",
  annotations: {rollout.argoproj.io/revision: "2"}, ownerReferences: [{uid: w, controller: true}]}
status: {phase: Running}
)");
  all.runs = from_yaml(R"(
metadata: {name: web-b-2, uid: n, creationTimestamp: "2025-12-31T23:59:00Z",
  annotations: {rollout.argoproj.io/revision: "2"}, ownerReferences: [{uid: w, controller: true}]}
spec: {metrics: [{name: errors, provider: {web: {url: "http://x"}}}]}
status: {phase: Running, metricResults: [{name: errors, phase: Running, count: 2, successful: 2,
  measurements: [{phase: Successful, value: "0.01"}]}]}
)");
  all.pods = from_yaml(R"(
metadata: {name: web-b-x, uid: p, creationTimestamp: "2025-12-31T23:57:00Z",
  ownerReferences: [{uid: rb, controller: true}]}
spec: {containers: [{name: web}]}
status: {phase: Running, conditions: [{type: Ready, status: "False"}],
  containerStatuses: [{ready: false, restartCount: 0, state: {running: {}}}]}
)");
  all.warnings = from_yaml(R"(
involvedObject: {uid: p}
lastTimestamp: "2025-12-31T23:59:00Z"
message: "Readiness probe failed: 503"
---
involvedObject: {uid: p}
lastTimestamp: "2025-12-31T23:58:00Z"
message: long ago
)");
  return all;
}

TEST(RolloutView, ShowsACanaryWithAllThatBelongsToIt) {
  EXPECT_EQ(rollout_text(rollout_from(kCanary), canary_grove(), {}),
            "Name:            web\n"
            "Namespace:       shop\n"
            "Status:          ॥ Paused\n"
            "Message:         CanaryPauseStep\n"
            "Problem:         Pod web-b-x: Readiness probe failed: 503\n"
            "Strategy:        Canary\n"
            "  Step:          1/3 (pause: 10m, 8m left)\n"
            "  SetWeight:     25\n"
            "  ActualWeight:  25\n"
            "Images:          web:1 (stable, Σ:base)\n"
            "                 web:2 (canary)\n"
            "Replicas:\n"
            "  Desired:       4\n"
            "  Current:       4\n"
            "  Updated:       1\n"
            "  Ready:         4\n"
            "  Available:     4\n"
            "\n"
            "NAME                       KIND         STATUS         AGE  INFO\n"
            "⟳ web                      Rollout      ॥ Paused       10m\n"
            "├──# revision:2\n"
            "│  ├──⧉ web-b              ReplicaSet   ✔ Healthy      3m   canary\n"
            "│  │  └──□ web-b-x         Pod          ◌ Running      3m   ready:0/1 Readiness "
            "probe failed: 503\n"
            "│  ├──Σ web-b-2-1          Experiment   ◌ Running      60s\n"
            "│  │  └──⧉ web-b-2-1-base  ReplicaSet   ◌ Progressing  60s\n"
            "│  └──α web-b-2            AnalysisRun  ◌ Running      60s  ✔ 2 errors=0.01\n"
            "└──# revision:1\n"
            "   └──⧉ web-a              ReplicaSet   ✔ Healthy      10m  stable\n");
  EXPECT_EQ(state_line(rollout_from(kCanary), canary_grove()),
            "Paused - CanaryPauseStep (step 1/3, weight 25 of 25)");
}

TEST(RolloutView, WhatContainersSayIsOneLineThatNoTerminalObeys) {
  Grove grove = canary_grove();
  grove.warnings[0].get_object()["message"] = "503 \x1b[2J\nof a log";
  EXPECT_EQ(problem_of(rollout_from(kCanary), grove, 0s), "Pod web-b-x: 503 [2J of a log");
  EXPECT_EQ(health_line({"Degraded", "RolloutAborted:\n\x1b[2Jx"}),
            "Degraded - RolloutAborted: [2Jx");
  ShownRollout odd = rollout_from(kCanary);
  odd.view.status.phase = "x\x1b[2J";
  EXPECT_EQ(rollout_rows({odd}, false)[1][2], "x [2J");
}

constexpr std::string_view kBlueGreen = R"(
metadata: {name: shop, namespace: default, uid: w, creationTimestamp: "2025-12-31T23:59:30Z"}
spec:
  replicas: 1
  template: {spec: {containers: [{name: web, image: "web:2"}]}}
  strategy: {blueGreen: {activeService: active, previewService: preview, autoPromotionSeconds: 30}}
status:
  observedGeneration: "1"
  phase: Paused
  message: BlueGreenPause
  currentPodHash: b
  stableRS: a
  blueGreen: {activeSelector: a, previewSelector: b}
  controllerPause: true
  pauseConditions: [{reason: BlueGreenPause, startTime: "2025-12-31T23:59:50Z"}]
)";

TEST(RolloutView, ShowsWhatIsActiveAndWhatIsPreview) {
  const std::string text = rollout_text(rollout_from(kBlueGreen), canary_grove(), {});
  EXPECT_NE(text.find("Strategy:        BlueGreen\n  AutoPromotion: 20s left\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("web:2 (preview)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("web:1 (stable, active, Σ:base)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("stable,active\n"), std::string::npos) << text;
}

TEST(RolloutView, WeightsOfARouterAreWhatItWasToldLast) {
  ShownRollout rollout = rollout_from(kCanary);
  auto& canary = *rollout.view.spec.strategy.canary;
  canary.traffic_routing.emplace();
  rollout.view.status.canary.weights.emplace().canary.weight = 7;
  EXPECT_EQ(state_line(rollout, {}), "Paused - CanaryPauseStep (step 1/3, weight 7 of 25)");
  rollout.view.status.stable_rs = "b";
  rollout.view.status.current_step_index = 3;
  EXPECT_EQ(state_line(rollout, {}), "Paused - CanaryPauseStep (step 3/3, weight 100 of 100)");
}

TEST(RolloutView, APodIsGivenTimeUnlessTheUpdateHasFailed) {
  Grove grove = canary_grove();
  for (json::Value& pod : grove.pods)
    pod.at("metadata").get_object()["creationTimestamp"] = "2025-12-31T23:59:55Z";
  ShownRollout rollout = rollout_from(kCanary);
  EXPECT_EQ(rollout_text(rollout, grove, {}).find("Problem:"), std::string::npos);
  EXPECT_EQ(problem_of(rollout, grove, 0s), "Pod web-b-x: Readiness probe failed: 503");
  rollout.view.status.phase = "Degraded";
  rollout.view.status.message = "ProgressDeadlineExceeded: x";
  const std::string text = rollout_text(rollout, grove, {});
  EXPECT_NE(text.find("Problem:         Pod web-b-x: Readiness probe failed: 503\n"),
            std::string::npos)
      << text;
}

TEST(RolloutView, APodMadeSinceTheAbortIsGivenTime) {
  Grove grove = canary_grove();
  for (json::Value& pod : grove.pods)
    pod.at("metadata").get_object()["creationTimestamp"] = "2025-12-31T23:59:55Z";
  ShownRollout rollout = rollout_from(kCanary);
  rollout.view.status.phase = "Degraded";
  rollout.view.status.abort = true;
  rollout.view.status.aborted_at = parse_time("2025-12-31T23:59:56Z").value();
  EXPECT_NE(problem_of(rollout, grove, 0s), "");
  rollout.view.status.aborted_at = parse_time("2025-12-31T23:59:55Z").value();
  EXPECT_EQ(problem_of(rollout, grove, 0s), "");
  grove.now += 5s;
  EXPECT_NE(problem_of(rollout, grove, 0s), "");
}

TEST(RolloutView, ASetThatCannotHaveItsPodsIsAProblem) {
  Grove grove = canary_grove();
  for (json::Value& set : grove.replica_sets)
    if (json::string_at(set, {"metadata", "name"}) == "web-a")
      set.at("status").get_object()["conditions"] =
          from_yaml("[{type: ReplicaFailure, status: 'True', message: 'pods are forbidden'}]")[0];
  EXPECT_EQ(problem_of(rollout_from(kCanary), grove, 1h), "ReplicaSet web-a: pods are forbidden");
}

TEST(RolloutView, ListsThem) {
  using Rows = std::vector<std::vector<std::string>>;
  const std::vector<ShownRollout> all{rollout_from(kCanary), rollout_from(kBlueGreen)};
  EXPECT_EQ(rollout_rows(all, false),
            (Rows{{"NAME", "STRATEGY", "STATUS", "STEP", "SET-WEIGHT", "READY", "DESIRED",
                   "UP-TO-DATE", "AVAILABLE"},
                  {"web", "Canary", "Paused", "1/3", "25", "4/4", "4", "1", "4"},
                  {"shop", "BlueGreen", "Paused", "-", "-", "0/0", "1", "0", "0"}}));
  EXPECT_EQ(rollout_rows(all, true)[1].front(), "shop");
}

TEST(RolloutView, KindGivesWayWhereThereIsNoRoom) {
  const std::string text = rollout_text(rollout_from(kCanary), canary_grove(), {.columns = 60});
  EXPECT_EQ(text.find("KIND"), std::string::npos) << text;
  EXPECT_NE(text.find("⧉ web-a              ✔ Healthy      10m  stable"), std::string::npos)
      << text;
}

TEST(RolloutHealth, IsNotTheOldOneWhileSomethingNewIsAskedFor) {
  struct Case {
    std::string_view change, expected;
  };
  const Case cases[] = {
      {"{}", "Paused - CanaryPauseStep"},
      {"{observedGeneration: '2'}", "Progressing - waiting for rollout spec update to be observed"},
      {"{observedGeneration: ''}", "Progressing - waiting for rollout spec update to be observed"},
      {"{observedGeneration: 5d8f7c}", "Paused - CanaryPauseStep"},
      {"{pauseConditions: []}", "Progressing - waiting for rollout to unpause"},
      {"{pauseConditions: [], conditions: [{type: InvalidSpec, status: 'True', message: x}]}",
       "Degraded - InvalidSpec: x"},
      {"{abort: true}", "Progressing - waiting for rollout to be aborted"},
      {"{abort: true, abortedAt: '2025-12-31T23:59:00Z', phase: Degraded, message: "
       "'RolloutAborted: "
       "x'}",
       "Degraded - RolloutAborted: x"},
      {"{phase: Degraded, message: 'RolloutAborted: x', conditions: [{type: Progressing, reason: "
       "RolloutAborted}]}",
       "Progressing - waiting for rollout to be retried"},
      {"{abort: true, conditions: [{type: InvalidSpec, message: wrong}]}",
       "Degraded - InvalidSpec: wrong"},
      {"{phase: '', pauseConditions: [], controllerPause: false}",
       "Progressing - more replicas need to be updated"},
  };
  for (const Case& one : cases) {
    json::Value document = from_yaml(kCanary)[0];
    const json::Value changes = from_yaml(one.change)[0];
    for (const auto& [key, value] : changes.get_object())
      document.get_object()["status"].get_object()[key] = value;
    const auto rollout = read_rollout(std::move(document));
    ASSERT_TRUE(rollout) << one.change;
    EXPECT_EQ(health_line(health_of(rollout->view)), one.expected) << one.change;
  }
}

TEST(RolloutHealth, IsNotTheOldOneWhileTheWorkloadIsNotSeen) {
  struct Case {
    std::string_view status, workload, expected;
  };
  constexpr std::string_view kWaits =
      "Progressing - waiting for rollout spec update to be observed for the reference workload";
  const Case cases[] = {
      {"{workloadObservedGeneration: '4'}", "metadata: {generation: 5}", kWaits},
      {"{workloadObservedGeneration: '5'}", "metadata: {generation: 5}",
       "Paused - CanaryPauseStep"},
      {"{workloadObservedGeneration: '6'}", "metadata: {generation: 5}",
       "Paused - CanaryPauseStep"},
      {"{}", "metadata: {generation: 5}", "Paused - CanaryPauseStep"},
      {"{workloadObservedGeneration: '4'}", "metadata: {name: a PodTemplate has none}",
       "Paused - CanaryPauseStep"},
      {"{workloadObservedGeneration: '4'}", "null", "Paused - CanaryPauseStep"},
      {"{workloadObservedGeneration: '4', observedGeneration: '2'}", "metadata: {generation: 5}",
       "Progressing - waiting for rollout spec update to be observed"},
      {"{workloadObservedGeneration: '4', conditions: [{type: InvalidSpec, message: x}]}",
       "metadata: {generation: 5}", "Degraded - InvalidSpec: x"},
  };
  for (const Case& one : cases) {
    json::Value document = from_yaml(kCanary)[0];
    const json::Value changes = from_yaml(one.status)[0];
    for (const auto& [key, value] : changes.get_object())
      document.get_object()["status"].get_object()[key] = value;
    const auto rollout = read_rollout(std::move(document));
    ASSERT_TRUE(rollout) << one.status;
    const json::Value workload =
        one.workload == "null" ? json::Value() : from_yaml(one.workload)[0];
    EXPECT_EQ(health_line(health_of(rollout->view, workload)), one.expected)
        << one.status << one.workload;
  }
}

TEST(RolloutHealth, ExitCodesSayHowItEnded) {
  EXPECT_TRUE(is_settled({"Healthy", ""}));
  EXPECT_TRUE(is_settled({"Degraded", ""}));
  EXPECT_FALSE(is_settled({"Paused", ""}));
  EXPECT_EQ(exit_code_of_health({"Healthy", ""}), kExitDone);
  EXPECT_EQ(exit_code_of_health({"Degraded", ""}), kExitFailed);
}

}  // namespace
}  // namespace slipway::cli
