#include <gtest/gtest.h>

#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

struct AnalysisTest : World {
  std::vector<std::string> names(const api::Gvr& kind) {
    std::vector<std::string> found;
    for (const json::Value& one : list(kind)) found.emplace_back(api::name_of(one.get_object()));
    return found;
  }
  std::string hash() {
    return std::string(json::string_at(rollout(), {"status", "currentPodHash"}));
  }
  // The second version, some time after the first.
  void update(Duration time) {
    start();
    wait(60s);
    set_image("web:v2");
    wait(time);
  }
};

constexpr const char* kStep =
    R"({"canary":{"steps":[{"setWeight":25},{"analysis":{"templates":[{"templateName":"t"}],
    "args":[]}},{"setWeight":50}]}})";

TEST_F(AnalysisTest, AStepWaitsForItsRun) {
  create_template("t");
  create_rollout(kStep);
  update(20s);
  EXPECT_EQ(names(kAnalysisRuns), std::vector<std::string>{"web-" + hash() + "-2-1"});
  EXPECT_EQ(step(), 1);
  const json::Value run = read(kAnalysisRuns, {"shop", "web-" + hash() + "-2-1"});
  EXPECT_EQ(json::string_at(run, {"metadata", "labels", "rollout-type"}), "Step");
  EXPECT_EQ(json::string_at(run, {"metadata", "labels", "step-index"}), "1");
  EXPECT_EQ(json::string_at(run, {"metadata", "labels", "app"}), "web");
  EXPECT_EQ(api::annotation_of(run.get_object(), "rollout.argoproj.io/revision"), "2");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(names(kAnalysisRuns).size(), 1U);
}

TEST_F(AnalysisTest, AFailureAbortsAndARetryAnalysesAnew) {
  create_template("t");
  create_rollout(kStep);
  runs.verdict = [](const std::string& name) {
    return name.ends_with(".1") ? "Successful" : "Failed";
  };
  update(90s);
  EXPECT_EQ(phase(),
            "Degraded|RolloutAborted: Rollout aborted update to revision 2: Step-based analysis "
            "phase error/failed: too many errors");
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  patch_status(R"({"status":{"abort":false}})");
  wait(120s);
  EXPECT_EQ(phase(), "Healthy");
  const std::string name = "web-" + hash() + "-2-1";
  EXPECT_EQ(names(kAnalysisRuns), (std::vector<std::string>{name, name + ".1"}));
}

TEST_F(AnalysisTest, ARetryInTheSameSecondAnalysesAnew) {
  create_template("t");
  create_rollout(kStep);
  runs.verdict = [](const std::string& name) {
    return name.ends_with(".1") ? "Successful" : "Failed";
  };
  sets.ready_after = runs.takes = 10ms;
  update(400ms);
  EXPECT_EQ(phase().substr(0, 23), "Degraded|RolloutAborted");
  patch_status(R"({"status":{"abort":false}})");
  wait(120s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(names(kAnalysisRuns).size(), 2U);
}

TEST_F(AnalysisTest, AnInconclusiveRunPausesUntilSomebodyDecides) {
  create_template("t");
  create_rollout(kStep);
  runs.verdict = [](const std::string& name) {
    return name.ends_with(".1") ? "Successful" : "Inconclusive";
  };
  update(10min);
  EXPECT_EQ(phase(), "Paused|InconclusiveAnalysisRun");
  EXPECT_EQ(names(kAnalysisRuns).size(), 1U) << "no other one while it is paused";
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(120s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(names(kAnalysisRuns).size(), 2U);
}

// Two gates, and an analysis of all of it.
constexpr const char* kGates =
    R"({"canary":{"analysis":{"templates":[{"templateName":"t"}]},
    "steps":[{"setWeight":25},{"pause":{}},{"setWeight":50},{"pause":{}}]}})";

TEST_F(AnalysisTest, AnInconclusiveBackgroundRunHoldsEveryStep) {
  create_template("t");
  create_rollout(kGates);
  runs.verdict = [](const std::string& name) {
    return name.ends_with(".1") ? "Running" : "Inconclusive";
  };
  for (const Duration takes :
       {Duration(1s), Duration(120s)}) {  // before Pods are up, and at a gate
    const Count held_at = takes == 1s ? 0 : 1;
    runs.takes = takes;
    takes == 1s ? update(10min) : (set_image("web:v3"), wait(10min));
    EXPECT_EQ(phase(), "Paused|InconclusiveAnalysisRun");
    EXPECT_EQ(step(), held_at);
    wait(30min);
    EXPECT_EQ(phase(), "Paused|InconclusiveAnalysisRun");
    EXPECT_EQ(step(), held_at) << "nobody said to go on";
    patch_status(R"({"status":{"pauseConditions":null}})");
    wait(60s);
    EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
    EXPECT_EQ(step(), takes == 1s ? 1 : 3) << "the next gate holds, too";
  }
}

TEST_F(AnalysisTest, AnInconclusiveRunHoldsThePromotion) {
  create_template("t");
  create_rollout(R"({"canary":{"analysis":{"templates":[{"templateName":"t"}]},
      "maxSurge":"100%","maxUnavailable":0}})");
  runs.verdict = [](const std::string&) { return "Inconclusive"; };
  sets.ready_after = 60s;
  runs.takes = 30s;
  start();
  wait(2min);
  set_image("web:v2");
  wait(30min);
  EXPECT_EQ(sizes(), "v1:4/4 v2:4/4") << "all of them are there";
  EXPECT_EQ(phase(), "Paused|InconclusiveAnalysisRun");
  EXPECT_NE(json::string_at(rollout(), {"status", "stableRS"}), hash());
}

TEST_F(AnalysisTest, AFailureAbortsDuringAnInconclusivePause) {
  create_template("t");
  create_rollout(R"({"canary":{"analysis":{"templates":[{"templateName":"t"}]},
      "steps":[{"setWeight":25},{"analysis":{"templates":[{"templateName":"t"}]}}]}})");
  runs.verdict = [](const std::string& name) {
    return name.ends_with("-2-1") ? "Inconclusive" : "Running";
  };
  update(5min);
  EXPECT_EQ(phase(), "Paused|InconclusiveAnalysisRun");
  auto done = run_to_end(
      *loop, store->patch(kAnalysisRuns, {"shop", "web-" + hash() + "-2"},
                          {.type = store::PatchType::kMerge,
                           .body = read_json(R"({"status":{"phase":"Failed","message":"bad"}})")},
                          {}));
  ASSERT_TRUE(done);
  wait(30s);
  EXPECT_EQ(phase(),
            "Degraded|RolloutAborted: Rollout aborted update to revision 2: Background analysis "
            "phase error/failed: bad");
}

constexpr const char* kBackground =
    R"({"canary":{"analysis":{"startingStep":1,"templates":[{"templateName":"t"}]},
    "steps":[{"setWeight":25},{"setWeight":50},{"pause":{"duration":300}}]}})";

TEST_F(AnalysisTest, ABackgroundRunEndsWithTheUpdate) {
  create_template("t");
  create_rollout(kBackground);
  runs.takes = 1h;
  update(60s);
  EXPECT_EQ(names(kAnalysisRuns), std::vector<std::string>{"web-" + hash() + "-2"});
  wait(400s);
  EXPECT_EQ(phase(), "Healthy");
  const json::Value run = read(kAnalysisRuns, {"shop", "web-" + hash() + "-2"});
  EXPECT_EQ(json::at(run, {"spec", "terminate"})->as_bool(), true);
}

TEST_F(AnalysisTest, ABackgroundFailureAbortsDuringAPause) {
  create_template("t");
  create_rollout(kBackground);
  runs.takes = 120s;
  runs.verdict = [](const std::string&) { return "Error"; };
  update(200s);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
}

TEST_F(AnalysisTest, TheFirstDeploymentIsNotAnalysed) {
  create_template("t");
  create_rollout(kBackground);
  start();
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_TRUE(names(kAnalysisRuns).empty());
}

// Without a verdict nothing becomes stable, however old it is.
TEST_F(AnalysisTest, ARefusedVersionHasNoQuickWayBack) {
  runs.verdict = [](const std::string&) { return "Failed"; };
  create_template("t");
  create_rollout(kStep, 4, R"(,"rollbackWindow":{"revisions":5})");
  start();
  wait(60s);
  set_image("web:v2");
  wait(3min);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
  runs.verdict = [](const std::string&) { return "Successful"; };
  set_image("web:v3");
  wait(3min);
  EXPECT_EQ(phase(), "Healthy");
  runs.verdict = [](const std::string&) { return "Failed"; };
  set_image("web:v2");
  wait(3min);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
  EXPECT_EQ(names(kAnalysisRuns).size(), 3U);
  set_image("web:v1");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy") << "which was stable";
  EXPECT_EQ(names(kAnalysisRuns).size(), 3U);
}

TEST_F(AnalysisTest, AMissingTemplateIsNamed) {
  create_rollout(kStep);
  start();
  wait(10s);
  EXPECT_TRUE(phase().ends_with("AnalysisTemplate 't' not found")) << phase();
  create_template("t");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
}

constexpr const char* kExperiment =
    R"({"canary":{"steps":[{"setWeight":25},{"experiment":{"duration":"1h","templates":[
    {"name":"baseline","specRef":"stable","replicas":1,"metadata":{"labels":{"role":"baseline"}}},
    {"name":"canary","specRef":"canary"}],"analyses":[{"name":"a","templateName":"t","args":[
    {"name":"h","valueFrom":{"podTemplateHashValue":"Latest"}}]}]}}]}})";

TEST_F(AnalysisTest, AnExperimentStepMakesItsExperiment) {
  create_template("t");
  create_rollout(kExperiment);
  update(20s);
  const std::string name = "web-" + hash() + "-2-1";
  ASSERT_EQ(names(kExperiments), std::vector<std::string>{name});
  EXPECT_EQ(json::string_at(rollout(), {"status", "canary", "currentExperiment"}), name);
  const json::Value made = read(kExperiments, {"shop", name});
  EXPECT_EQ(made.at_pointer("/spec/templates/0/template/spec/containers/0/image"), "web:v1");
  EXPECT_EQ(made.at_pointer("/spec/templates/0/template/metadata/labels/role"), "baseline");
  EXPECT_EQ(made.at_pointer("/spec/templates/0/selector/matchLabels/role"), "baseline");
  EXPECT_EQ(made.at_pointer("/spec/templates/1/template/spec/containers/0/image"), "web:v2");
  EXPECT_EQ(made.at_pointer("/spec/analyses/0/args/0/value").as_string(), hash());
  EXPECT_EQ(json::string_at(made, {"metadata", "labels", "rollouts-pod-template-hash"}), hash());
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(reasons().count("ExperimentCreated"), 1U);
}

TEST_F(AnalysisTest, AnExperimentThatEndsWhileAPersonHoldsItsStepIsToldOfOnce) {
  create_template("t");
  create_rollout(kExperiment);
  update(20s);
  patch(R"({"spec":{"paused":true}})");
  wait(10min);
  EXPECT_EQ(step(), 1);
  EXPECT_EQ(names(kExperiments).size(), 1U);
  EXPECT_EQ(reasons().count("ExperimentCreated"), 1U);
  patch(R"({"spec":{"paused":false}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(AnalysisTest, AFailedExperimentAborts) {
  create_template("t");
  create_rollout(kExperiment);
  experiments.verdict = [](const std::string&) { return "Failed"; };
  update(90s);
  EXPECT_EQ(phase(),
            "Degraded|RolloutAborted: Rollout aborted update to revision 2: Experiment analysis "
            "phase is error/failed: too many errors");
}

TEST_F(AnalysisTest, AnInconclusiveExperimentPausesAndIsNotMadeAgain) {
  create_template("t");
  create_rollout(kExperiment);
  experiments.verdict = [](const std::string& name) {
    return name.ends_with("-1-1") ? "Successful" : "Inconclusive";
  };
  update(10min);
  EXPECT_EQ(phase(), "Paused|InconclusiveExperiment");
  EXPECT_EQ(names(kExperiments).size(), 1U);
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(90s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(names(kExperiments).size(), 2U);
}

TEST_F(AnalysisTest, AnAbortEndsTheExperiment) {
  create_template("t");
  create_rollout(kExperiment);
  experiments.takes = 1h;
  update(30s);
  patch_status(R"({"status":{"abort":true}})");
  wait(30s);
  const json::Value made = read(kExperiments, {"shop", "web-" + hash() + "-2-1"});
  EXPECT_EQ(json::at(made, {"spec", "terminate"})->as_bool(), true);
}

TEST_F(AnalysisTest, RunsOfASetThatIsGoneAreRemovedThoughOthersWriteFirst) {
  create_template("t");
  create_rollout(kStep);
  update(120s);
  const std::string old = "web-" + hash();
  set_image("web:v3");
  wait(120s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(names(kAnalysisRuns).size(), 2U);
  life->store.conflicts = 3;
  remove(kReplicaSets, {"shop", old});
  wait(60s);
  EXPECT_EQ(life->store.conflicts, 0);
  EXPECT_EQ(names(kAnalysisRuns), std::vector<std::string>{"web-" + hash() + "-3-1"});
}

TEST_F(AnalysisTest, OldRunsAreRemovedBeyondTheHistory) {
  create_template("t");
  create_rollout(kStep, 4, R"(,"analysis":{"successfulRunHistoryLimit":2})");
  start();
  for (int i = 2; i <= 6; ++i) {
    wait(60s);
    set_image("web:v" + std::to_string(i));
    wait(120s);
  }
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_LE(names(kAnalysisRuns).size(), 3U) << "the newest two, and one not yet looked at";
}

}  // namespace
}  // namespace slipway::rollout
