#include "cli/rollout/changes.h"

#include <gtest/gtest.h>

#include "api/schema/codec.h"
#include "base/yaml.h"

namespace slipway::cli {
namespace {

json::Value from_yaml(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents && documents->size() == 1) << text;
  return documents && !documents->empty() ? std::move(documents->front().value) : json::Value();
}

api::argo::Rollout rollout_from(std::string_view spec, std::string_view status) {
  json::Value document = from_yaml("metadata: {name: web}");
  document.get_object()["spec"] = from_yaml(spec);
  document.get_object()["status"] = from_yaml(status);
  auto view = api::decode<api::argo::Rollout>(document);
  EXPECT_TRUE(view) << spec << status;
  return view ? *view : api::argo::Rollout();
}

constexpr std::string_view kSteps =
    "{strategy: {canary: {steps: [{setWeight: 20}, {pause: {}}, {setWeight: 50}]}}}";
constexpr std::string_view kPausedSteps =
    "{paused: true, strategy: {canary: {steps: [{setWeight: 20}, {pause: {}}]}}}";
constexpr std::string_view kBlueGreen = "{strategy: {blueGreen: {activeService: a}}}";

TEST(Promote, SendsWhatArgosClientSends) {
  struct Case {
    std::string_view spec, status;
    bool full = false;
    std::string_view to_status, to_spec, both;
  };
  const Case cases[] = {
      {kSteps,
       "{currentPodHash: b, stableRS: a, currentStepIndex: 1, controllerPause: true, "
       "pauseConditions: [{reason: CanaryPauseStep, startTime: '2026-01-01T00:00:00Z'}]}",
       false, R"({"status":{"pauseConditions":null}})", "",
       R"({"spec":{"paused":false},"status":{"pauseConditions":null}})"},
      {kSteps, "{currentPodHash: b, stableRS: a, currentStepIndex: 0}", false,
       R"({"status":{"pauseConditions":null,"currentStepIndex":1}})", "",
       R"({"spec":{"paused":false},"status":{"pauseConditions":null,"currentStepIndex":1}})"},
      {kSteps,
       "{currentPodHash: b, stableRS: a, currentStepIndex: 0, controllerPause: true, "
       "pauseConditions: [{reason: InconclusiveAnalysisRun, startTime: "
       "'2026-01-01T00:00:00Z'}], canary: {currentStepAnalysisRunStatus: {name: x, status: "
       "Inconclusive}}}",
       false, R"({"status":{"pauseConditions":null,"controllerPause":false,"currentStepIndex":1}})",
       "",
       R"({"spec":{"paused":false},"status":{"pauseConditions":null,"controllerPause":false,"currentStepIndex":1}})"},
      {kPausedSteps, "{currentPodHash: b, stableRS: a, currentStepIndex: 0}", false, "",
       R"({"spec":{"paused":false}})",
       R"({"spec":{"paused":false},"status":{"pauseConditions":null}})"},
      {kPausedSteps, "{currentPodHash: b, stableRS: a, currentStepIndex: 0}", true,
       R"({"status":{"promoteFull":true}})", R"({"spec":{"paused":false}})",
       R"({"spec":{"paused":false},"status":{"promoteFull":true}})"},
      {kBlueGreen,
       "{currentPodHash: b, stableRS: a, controllerPause: true, pauseConditions: "
       "[{reason: BlueGreenPause, startTime: '2026-01-01T00:00:00Z'}]}",
       false, R"({"status":{"pauseConditions":null}})", "",
       R"({"spec":{"paused":false},"status":{"pauseConditions":null}})"},
  };
  for (const Case& one : cases) {
    const auto change = decide_promote(rollout_from(one.spec, one.status), one.full);
    ASSERT_TRUE(change) << one.status;
    EXPECT_EQ(change->status, one.to_status) << one.status;
    EXPECT_EQ(change->spec, one.to_spec) << one.status;
    EXPECT_EQ(change->both, one.both) << one.status;
  }
}

TEST(Promote, IsOfTheVersionThatWasSeen) {
  auto rollout = rollout_from(kSteps, "{currentPodHash: b, stableRS: a, currentStepIndex: 0}");
  rollout.metadata.value.get_object()["resourceVersion"] = "17";
  const auto step = decide_promote(rollout, false);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->status, R"({"metadata":{"resourceVersion":"17"},)"
                          R"("status":{"pauseConditions":null,"currentStepIndex":1}})");
  EXPECT_TRUE(step->both.starts_with(R"({"metadata":{"resourceVersion":"17"},"spec":)"));
  const auto full = decide_promote(rollout, true);
  ASSERT_TRUE(full);
  EXPECT_EQ(full->status, R"({"metadata":{"resourceVersion":"17"},"status":{"promoteFull":true}})");
}

TEST(Promote, ThatWasRefusedIsTriedAgainUnlessItIsPast) {
  constexpr std::string_view kPaused =
      "{currentPodHash: b, stableRS: a, currentStepIndex: 1, pauseConditions: "
      "[{reason: CanaryPauseStep, startTime: '2026-01-01T00:00:00Z'}]}";
  constexpr std::string_view kAtStart = "{currentPodHash: b, stableRS: a, currentStepIndex: 0}";
  constexpr std::string_view kFurther = "{currentPodHash: b, stableRS: a, currentStepIndex: 2}";
  struct Case {
    std::string_view seen, now;
    bool full = false, past = false;
  };
  const Case cases[] = {
      {kPaused, kPaused, false, false},
      {kPaused, "{currentPodHash: b, stableRS: a, currentStepIndex: 1}", false, true},
      {kPaused, kFurther, false, true},
      {kAtStart, kAtStart, false, false},
      {kAtStart, kPaused, false, true},
      {kFurther, kAtStart, false, false},  // it was begun anew
      {kAtStart, "{currentPodHash: b, stableRS: b, currentStepIndex: 3}", false, true},
      {kAtStart, kFurther, true, false},
      {kAtStart, "{currentPodHash: b, stableRS: b, currentStepIndex: 3}", true, true},
  };
  for (const Case& one : cases) {
    const auto past =
        has_gone_past(rollout_from(kSteps, one.seen), rollout_from(kSteps, one.now), one.full);
    ASSERT_TRUE(past) << one.seen << one.now;
    EXPECT_EQ(*past, one.past) << one.seen << one.now;
  }
  const auto other = has_gone_past(rollout_from(kSteps, kAtStart),
                                   rollout_from(kSteps, "{currentPodHash: c, stableRS: a}"), false);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kConflict);
}

TEST(Promote, LeavesAloneWhatNeedsNone) {
  for (const bool full : {false, true}) {
    const auto change =
        decide_promote(rollout_from(kSteps, "{currentPodHash: a, stableRS: a}"), full);
    ASSERT_TRUE(change);
    EXPECT_TRUE(change->is_nothing());
    EXPECT_EQ(change->done, "is promoted already");
  }
  const auto waits =
      decide_promote(rollout_from(kBlueGreen, "{currentPodHash: b, stableRS: a}"), false);
  ASSERT_TRUE(waits);
  EXPECT_TRUE(waits->is_nothing());
}

TEST(Promote, RefusesAnAbortedUpdate) {
  const auto change =
      decide_promote(rollout_from(kSteps, "{abort: true, currentPodHash: b, stableRS: a}"), false);
  ASSERT_FALSE(change);
  EXPECT_NE(change.error().message.find("slipway rollout retry web"), std::string::npos);
}

TEST(Abort, NeedsAnUpdate) {
  EXPECT_EQ(decide_abort(rollout_from(kSteps, "{currentPodHash: b, stableRS: a}"))->status,
            R"({"status":{"abort":true}})");
  EXPECT_EQ(decide_abort(rollout_from(kSteps, "{abort: true}"))->done, "is aborted already");
  const auto none = decide_abort(rollout_from(kSteps, "{currentPodHash: a, stableRS: a}"));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("slipway rollout undo web"), std::string::npos);
}

TEST(Retry, NeedsAnAbort) {
  EXPECT_EQ(decide_retry(rollout_from(kSteps, "{abort: true}"))->status,
            R"({"status":{"abort":false}})");
  EXPECT_FALSE(decide_retry(rollout_from(kSteps, "{}")));
}

TEST(Pause, IsWrittenOnce) {
  EXPECT_EQ(decide_pause(rollout_from(kSteps, "{}")).spec, R"({"spec":{"paused":true}})");
  EXPECT_TRUE(decide_pause(rollout_from(kPausedSteps, "{}")).is_nothing());
}

TEST(Restart, HasATime) {
  EXPECT_EQ(decide_restart(Time(std::chrono::seconds(1'767'225'600))).spec,
            R"({"spec":{"restartAt":"2026-01-01T00:00:00Z"}})");
}

TEST(Restart, ReplacesWhatWasMadeWithinTheSecond) {
  EXPECT_EQ(decide_restart(Time(std::chrono::milliseconds(1'767'225'600'001))).spec,
            R"({"spec":{"restartAt":"2026-01-01T00:00:01Z"}})");
}

struct History {
  json::Value first = from_yaml(R"(
metadata: {annotations: {rollout.argoproj.io/revision: "1",
  rollout.argoproj.io/ephemeral-metadata: '{"labels":{"role":"stable"}}'}}
spec:
  template:
    metadata: {labels: {app: web, role: stable, rollouts-pod-template-hash: a}}
    spec:
      containers: [{name: web, image: "web:1"}]
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
        {topologyKey: x, labelSelector: {matchExpressions: [
          {key: rollouts-pod-template-hash, operator: In, values: [b]}]}}]}}
)");
  json::Value second = from_yaml(R"(
metadata: {annotations: {rollout.argoproj.io/revision: "2"}}
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:2"}]}}}
)");
  TemplateHome home{.document = from_yaml(R"(
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:2"}]}}}
)"),
                    .pointer = "/spec/template"};
  std::vector<const json::Value*> sets() const { return {&second, &first}; }
};

TEST(Undo, TakesTheRevisionBeforeAndWhatUsersWroteOfIt) {
  const History history;
  const auto change = decide_undo(history.sets(), history.home, {});
  ASSERT_TRUE(change);
  EXPECT_EQ(
      change->patch,
      R"([{"op":"replace","path":"/spec/template","value":{"metadata":{"labels":{"app":"web"}},)"
      R"("spec":{"containers":[{"name":"web","image":"web:1"}]}}}])");
  EXPECT_EQ(change->done, "rolled back to revision 1 (web:1)");
}

TEST(Undo, OfAnUpdateIsBackToWhatRunsNotToOneThatWasAborted) {
  History history;
  const json::Value third = from_yaml(R"(
metadata: {labels: {rollouts-pod-template-hash: c}, annotations: {rollout.argoproj.io/revision: "3"}}
spec: {template: {spec: {containers: [{name: web, image: "web:3"}]}}}
)");
  history.first.get_object()["metadata"].get_object()["labels"] =
      json::Object{{"rollouts-pod-template-hash", "a"}};
  const TemplateHome home{.document = third, .pointer = "/spec/template"};
  const auto done = [&](std::string stable) {
    const auto change = decide_undo({&third, &history.second, &history.first}, home,
                                    {.stable_hash = std::move(stable)});
    return change ? change->done : change.error().message;
  };
  EXPECT_EQ(done("a"), "rolled back to revision 1 (web:1)");
  EXPECT_EQ(done("c"), "rolled back to revision 2 (web:2)") << "nothing is under way";
  EXPECT_EQ(done(""), "rolled back to revision 2 (web:2)");
}

TEST(Undo, OfAnUpdateThatHasNoSetYetIsBackToWhatRuns) {
  History history;
  history.second.get_object()["metadata"].get_object()["labels"] =
      json::Object{{"rollouts-pod-template-hash", "b"}};
  const TemplateHome home{.document = from_yaml(R"(
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:3"}]}}}
)"),
                          .pointer = "/spec/template"};
  const auto done = [&](const std::vector<const json::Value*>& sets, std::string stable) {
    const auto change = decide_undo(sets, home, {.stable_hash = std::move(stable)});
    return change ? change->done : change.error().message;
  };
  EXPECT_EQ(done(history.sets(), "b"), "rolled back to revision 2 (web:2)");
  EXPECT_EQ(done(history.sets(), ""), "rolled back to revision 2 (web:2)") << "the latest";
  EXPECT_EQ(done({&history.second}, "b"), "rolled back to revision 2 (web:2)");
  EXPECT_EQ(done({}, "b"), "there is no revision before this one to go back to");
  history.first.get_object()["metadata"].get_object()["labels"] =
      json::Object{{"rollouts-pod-template-hash", "a"}};
  EXPECT_EQ(done(history.sets(), "a"), "rolled back to revision 1 (web:1)")
      << "the latest was not stable";
}

TEST(Undo, WhatTheControllerPutIntoTheLatestSetIsNoUpdate) {
  const History history;
  for (const char* labels : {"{app: web}", "{app: web, role: any}"}) {
    TemplateHome home{.document = from_yaml(R"(
spec: {template: {metadata: {}, spec: {containers: [{name: web, image: "web:1"}]}}}
)"),
                      .pointer = "/spec/template"};
    json::object_at(home.document, {"spec", "template", "metadata"})["labels"] = from_yaml(labels);
    const auto change = decide_undo({&history.first}, home, {});
    ASSERT_FALSE(change) << labels;
    EXPECT_EQ(change.error().message, "there is no revision before this one to go back to");
  }
}

TEST(Undo, LeavesATemplateThatIsSoAlready) {
  const History history;
  const auto change = decide_undo(history.sets(), history.home, {.revision = 2});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->patch, "");
  EXPECT_EQ(change->done, "has the template of revision 2 already");
}

TEST(Undo, NamesTheRevisionsThereAre) {
  const History history;
  const auto unknown = decide_undo(history.sets(), history.home, {.revision = 7});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "revision 7 is not in the history; write 1 or 2");
  EXPECT_FALSE(decide_undo({&history.second}, history.home, {})) << "there is none before";
}

TEST(SetImage, IsBoundToTheContainersName) {
  const TemplateHome home{.document = from_yaml(R"(
template: {spec: {containers: [{name: web, image: "web:1"}, {name: log, image: "log:1"}],
  initContainers: [{name: init, image: "init:1"}]}}
)"),
                          .pointer = "/template"};
  const auto one = decide_images({"log=log:2=x"}, home);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->patch,
            R"([{"op":"test","path":"/template/spec/containers/1/name","value":"log"},)"
            R"({"op":"add","path":"/template/spec/containers/1/image","value":"log:2=x"}])");
  const auto all = decide_images({"*=x:1"}, home);
  ASSERT_TRUE(all);
  EXPECT_NE(all->patch.find("/template/spec/initContainers/0/image"), std::string::npos);
  EXPECT_EQ(decide_images({"web=web:1"}, home)->patch, "");
  const auto unknown = decide_images({"wen=x"}, home);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "there is no container \"wen\"; write web, log or init");
  for (const char* bad : {"web", "=x", "web="}) EXPECT_FALSE(decide_images({bad}, home)) << bad;
}

}  // namespace
}  // namespace slipway::cli
