#include "cli/experiment_view.h"

#include <gtest/gtest.h>

#include "cli/exit_code.h"
#include "cli/yaml_testing.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;

const Time kNow{1'767'225'600s};  // 2026-01-01T00:00:00Z

constexpr std::string_view kExperiment = R"(
metadata: {name: exp, namespace: shop, uid: e, creationTimestamp: "2025-12-31T23:58:00Z"}
spec:
  duration: 5m
  templates:
  - {name: baseline, template: {spec: {containers: [{image: "web:1"}]}}}
  - {name: canary, template: {spec: {containers: [{image: "web:2"}, {image: sidecar}]}}}
status: {phase: Running, message: all is well, availableAt: "2025-12-31T23:59:00Z"}
)";

Grove grove() {
  Grove all{.now = kNow};
  all.replica_sets = from_yaml(R"(
metadata: {name: exp-canary, uid: r2, creationTimestamp: "2025-12-31T23:59:00Z",
  ownerReferences: [{uid: e, controller: true}]}
spec: {replicas: 1}
---
metadata: {name: exp-baseline, uid: r1, creationTimestamp: "2025-12-31T23:58:30Z",
  annotations: {scale-down-deadline: "2026-01-01T00:00:20Z"},
  ownerReferences: [{uid: e, controller: true}]}
spec: {replicas: 1}
status: {replicas: 1, availableReplicas: 1}
---
metadata: {name: other, uid: r3, ownerReferences: [{uid: x, controller: true}]}
spec: {replicas: 1}
)");
  all.pods = from_yaml(R"(
metadata: {name: exp-baseline-x, uid: p, creationTimestamp: "2025-12-31T23:58:30Z",
  ownerReferences: [{uid: r1, controller: true}]}
spec: {containers: [{name: web}]}
status: {phase: Running, containerStatuses: [{ready: true, restartCount: 2, state: {running: {}}}]}
)");
  all.runs = from_yaml(R"(
metadata: {name: exp-errors, uid: a, creationTimestamp: "2025-12-31T23:59:00Z",
  ownerReferences: [{uid: e, controller: true}]}
spec: {metrics: [{name: errors, successCondition: "result < 1", provider: {web: {url: "http://x"}}}]}
status:
  phase: Running
  runSummary: {count: 1, successful: 1}
  metricResults:
  - name: errors
    phase: Running
    count: 4
    successful: 3
    failed: 1
    measurements:
    - {phase: Successful, value: "0.25", startedAt: "2025-12-31T23:59:10Z",
       finishedAt: "2025-12-31T23:59:11Z"}
)");
  all.jobs = from_yaml(R"(
metadata: {name: bench, uid: j, creationTimestamp: "2025-12-31T23:59:00Z",
  ownerReferences: [{uid: a, controller: true}]}
)");
  return all;
}

TEST(ExperimentView, ShowsTheTree) {
  EXPECT_EQ(experiment_text(from_yaml(kExperiment)[0], grove(), {}),
            "Name:            exp\n"
            "Namespace:       shop\n"
            "Status:          ◌ Running\n"
            "Message:         all is well\n"
            "Duration:        5m (remaining: 4m)\n"
            "Images:          web:1 (Σ:baseline)\n"
            "                 web:2 (Σ:canary)\n"
            "                 sidecar (Σ:canary)\n"
            "\n"
            "NAME                    KIND         STATUS         AGE  INFO\n"
            "Σ exp                   Experiment   ◌ Running      2m\n"
            "├──⧉ exp-baseline       ReplicaSet   ✔ Healthy      90s  delay:20s\n"
            "│  └──□ exp-baseline-x  Pod          ✔ Running      90s  ready:1/1,restarts:2\n"
            "├──⧉ exp-canary         ReplicaSet   ◌ Progressing  60s\n"
            "└──α exp-errors         AnalysisRun  ◌ Running      60s  ✔ 3,✖ 1 errors=0.25\n"
            "   └──⊞ bench           Job          ◌ Running      60s\n");
}

TEST(ExperimentView, ListsWhatIsLeftOfTheirTime) {
  auto all = from_yaml(kExperiment);
  all.push_back(
      from_yaml("metadata: {name: endless, namespace: shop}\nstatus: {phase: Failed}")[0]);
  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(experiment_rows(all, false, kNow),
            (Rows{{"NAME", "STATUS", "DURATION", "REMAINING", "AGE"},
                  {"exp", "Running", "5m", "4m", "2m"},
                  {"endless", "Failed", "-", "-", "<unknown>"}}));
  EXPECT_EQ(experiment_rows(all, true, kNow)[1].front(), "shop");
}

TEST(ExperimentView, ExitCodesSayHowItEnded) {
  EXPECT_EQ(exit_code_of_phase("Successful"), kExitDone);
  EXPECT_EQ(exit_code_of_phase("Failed"), kExitFailed);
  EXPECT_EQ(exit_code_of_phase("Error"), kExitFailed);
  EXPECT_EQ(exit_code_of_phase("Inconclusive"), kExitInconclusive);
  EXPECT_FALSE(has_ended(from_yaml(kExperiment)[0]));
}

TEST(ExperimentView, SaysWhyNobodyCarriesItOut) {
  const auto wrong = from_yaml(R"(
metadata: {name: x}
status: {conditions: [{type: InvalidSpec, status: "True", message: no name}]}
)")[0];
  EXPECT_EQ(status_text(wrong), "InvalidSpec: no name");
  EXPECT_EQ(status_text(from_yaml(kExperiment)[0]), "Running: all is well");
}

TEST(ExperimentView, GivesATerminalNothingToObey) {
  const json::Value odd = json::Object{
      {"status", json::Object{{"phase", "x\x1b[2J"}, {"message", "tail\x1b[2J\nof a log"}}}};
  EXPECT_EQ(status_text(odd), "x [2J: tail [2J of a log");
  EXPECT_EQ(experiment_rows({odd}, false, kNow)[1][1], "x [2J");
}

}  // namespace
}  // namespace slipway::cli
