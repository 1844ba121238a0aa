#include <gtest/gtest.h>

#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

// Rollouts whose Pods differ by the label `who` and that name the same Service.
struct SharedService : World {
  void create_for(const std::string& who, const std::string& service) {
    apply(kRollouts,
          R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":")" + who +
              R"("},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web","who":")" + who +
              R"("}},"strategy":{"canary":{"stableService":")" + service +
              R"("}},"template":{"metadata":{"labels":{"app":"web","who":")" + who +
              R"("}},"spec":{"containers":[{"name":"web","image":"web:v1"}]}}}})");
  }
  std::string phase_of(const std::string& who) {
    const json::Value now = read(kRollouts, {"shop", who});
    return std::string(json::string_at(now, {"status", "phase"}));
  }
  std::string problem_of(const std::string& who) {
    const json::Value now = read(kRollouts, {"shop", who});
    return std::string(json::string_at(now, {"status", "message"}));
  }
  std::string manager_of(const std::string& service) {
    const json::Value now = read(kServices, {"shop", service});
    return std::string(
        api::annotation_of(now.get_object(), "argo-rollouts.argoproj.io/managed-by-rollouts"));
  }
  bool selects_one_set(const std::string& service) {
    const json::Value now = read(kServices, {"shop", service});
    return json::at(now, {"spec", "selector", "rollouts-pod-template-hash"}) != nullptr;
  }
};

TEST_F(SharedService, IsTheEldestsAndTheOtherMakesNothing) {
  create_service("front");
  create_for("b", "front");
  wait(2s);
  create_for("a", "front");
  start();
  wait(120s);
  EXPECT_EQ(phase_of("b"), "Healthy");
  EXPECT_EQ(manager_of("front"), "b");
  EXPECT_EQ(problem_of("a"),
            "InvalidSpec: The Rollout \"a\" is invalid: spec.strategy.canary.stableService: "
            "Invalid value: \"front\": Service \"front\" is managed by another Rollout: "
            "\"b\"");
  EXPECT_EQ(list(kReplicaSets).size(), 1U) << "of the eldest alone";
  EXPECT_EQ(reasons().count("InvalidSpec"), 1U);
  restart();
  wait(120s);
  EXPECT_EQ(phase_of("a"), "Degraded");
  EXPECT_EQ(list(kReplicaSets).size(), 1U);
}

TEST_F(SharedService, StaysWithTheOneThatManagesIt) {
  create_service("front");
  create_for("b", "front");
  start();
  wait(60s);
  create_for("a", "front");
  wait(60s);
  EXPECT_EQ(phase_of("b"), "Healthy");
  EXPECT_EQ(phase_of("a"), "Degraded");
}

TEST_F(SharedService, GoesToTheNextWhenItsRolloutHasGone) {
  create_service("front");
  create_for("a", "front");
  wait(2s);
  create_for("b", "front");
  start();
  wait(60s);
  remove(kRollouts, {"shop", "a"});
  wait(60s);
  EXPECT_EQ(phase_of("b"), "Healthy");
  EXPECT_EQ(manager_of("front"), "b");
  EXPECT_TRUE(selects_one_set("front"));
}

TEST_F(SharedService, GoesToTheNextWhenItsRolloutTakesAnother) {
  create_service("front");
  create_service("back");
  create_for("a", "front");
  wait(2s);
  create_for("b", "front");
  start();
  wait(60s);
  auto done = run_to_end(
      *loop,
      store->patch(
          kRollouts, {"shop", "a"},
          {.type = store::PatchType::kMerge,
           .body = read_json(R"({"spec":{"strategy":{"canary":{"stableService":"back"}}}})")},
          {}));
  ASSERT_TRUE(done);
  wait(60s);
  EXPECT_EQ(phase_of("a") + phase_of("b"), "HealthyHealthy");
  EXPECT_EQ(manager_of("back") + manager_of("front"), "ab");
}

TEST_F(SharedService, IsAsItWasBeforeWhenNobodyWantsIt) {
  create_service("front");
  create_for("a", "front");
  start();
  wait(60s);
  ASSERT_EQ(manager_of("front"), "a");
  ASSERT_TRUE(selects_one_set("front"));
  remove(kRollouts, {"shop", "a"});
  wait(10s);
  EXPECT_EQ(manager_of("front"), "");
  EXPECT_FALSE(selects_one_set("front"));
  const json::Value now = read(kServices, {"shop", "front"});
  EXPECT_EQ(json::string_at(now, {"spec", "selector", "app"}), "web");
}

TEST_F(SharedService, IsReleasedAlsoWhenItsRolloutWentWhileNobodyLooked) {
  create_service("front");
  create_for("a", "front");
  start();
  wait(60s);
  life->end();
  life.reset();
  remove(kRollouts, {"shop", "a"});
  start();
  wait(10s);
  EXPECT_EQ(manager_of("front"), "");
  EXPECT_FALSE(selects_one_set("front"));
}

TEST_F(SharedService, IsNotFoughtForByTwoThatCannotUseIt) {
  apply(kServices, R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"front"},
      "spec":{"selector":{"app":"other"},"ports":[{"port":80}]}})");
  create_for("a", "front");
  create_for("b", "front");
  start();
  wait(10min);
  for (const std::string who : {"a", "b"})
    EXPECT_TRUE(problem_of(who).ends_with("Service \"front\" has unmatch label \"app\" in rollout"))
        << problem_of(who);
  EXPECT_EQ(reasons().count("InvalidSpec"), 2U);
}

TEST_F(SharedService, IsNotKeptByAnElderWhoseSpecIsWrong) {
  create_service("front");
  apply(kRollouts,
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"a"},
      "spec":{"selector":{"matchLabels":{"app":"web"}},"strategy":{"canary":{"stableService":"front",
      "steps":[{"setWeight":120}]}},"template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"web","image":"web:v1"}]}}}})");
  wait(2s);
  create_for("b", "front");
  start();
  wait(60s);
  EXPECT_EQ(phase_of("a"), "Degraded");
  EXPECT_EQ(phase_of("b"), "Healthy");
}

using BadInputTest = World;

TEST_F(BadInputTest, ATemplateThatComesLaterIsTakenUpAtOnce) {
  create_rollout(R"({"canary":{"steps":[{"analysis":{"templates":[{"templateName":"t"}]}}]}})");
  start();
  wait(5s);
  EXPECT_TRUE(phase().ends_with("AnalysisTemplate 't' not found")) << phase();
  EXPECT_EQ(sizes(), "");
  create_template("t");
  wait(1s);
  EXPECT_EQ(sizes(), "v1:4/0");
}

TEST_F(BadInputTest, BlueGreenNeedsAServiceByName) {
  create_service("preview");
  create_rollout(R"({"blueGreen":{"activeService":"","previewService":"preview"}})");
  start();
  wait(10s);
  EXPECT_TRUE(phase().contains("spec.strategy.blueGreen.activeService: Required value")) << phase();
  EXPECT_EQ(sizes(), "");
}

TEST_F(BadInputTest, NegativeCountsAreRefused) {
  create_service("active");
  create_rollout(R"({"blueGreen":{"activeService":"active","previewReplicaCount":-1}})");
  start();
  wait(10s);
  EXPECT_TRUE(phase().contains("blueGreen.previewReplicaCount: Invalid value: -1")) << phase();
  patch(R"({"spec":{"strategy":{"blueGreen":null,"canary":{"canaryService":"active",
      "stableService":"stable","trafficRouting":{"smi":{}},
      "steps":[{"setCanaryScale":{"replicas":-3}}]}}}})");
  wait(10s);
  EXPECT_TRUE(phase().contains("steps[0].setCanaryScale.replicas: Invalid value: -3")) << phase();
}

// Nobody could send it any.
TEST_F(BadInputTest, AnExperimentWithAWeightNeedsAPort) {
  create_service("stable");
  create_service("canary");
  apply(
      {"gateway.networking.k8s.io", "v1", "httproutes"},
      R"({"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute","metadata":{"name":"web"},
      "spec":{"rules":[{"backendRefs":[{"name":"stable","port":80},{"name":"canary","port":80}]}]}})");
  create_rollout(R"({"canary":{"stableService":"stable","canaryService":"canary",
      "trafficRouting":{"plugins":{"argoproj-labs/gatewayAPI":{"httpRoute":"web"}}},"steps":[{"experiment":{"duration":"1m","templates":[
      {"name":"a","specRef":"canary","weight":5}]}}]}})");
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  EXPECT_TRUE(phase().contains("template a has a weight, and its Pods declare no containerPort"))
      << phase();
  EXPECT_TRUE(list(kExperiments).empty());
}

TEST_F(BadInputTest, AnExperimentWithoutAnEndIsRefused) {
  create_rollout(R"({"canary":{"steps":[{"experiment":{"duration":"later","templates":[
      {"name":"a","specRef":"stable"}]}}]}})");
  start();
  wait(10s);
  EXPECT_TRUE(phase().contains("steps[0].experiment.duration: \"later\" is not a duration"))
      << phase();
}

TEST_F(BadInputTest, AStepDoesNotWaitForAnAnalysisWithoutEnd) {
  apply(kTemplates,
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisTemplate","metadata":{"name":"t"},
      "spec":{"metrics":[{"name":"m","interval":"1m","provider":{"prometheus":
      {"address":"http://p","query":"up"}}}]}})");
  create_rollout(R"({"canary":{"steps":[{"analysis":{"templates":[{"templateName":"t"}]}}]}})");
  start();
  wait(5s);
  EXPECT_EQ(phase(),
            "Degraded|InvalidSpec: The Rollout \"web\" is invalid: "
            "spec.strategy.canary.steps[0].analysis.templates[0].templateName: Invalid value: "
            "\"t\": AnalysisTemplate t has metric m which runs indefinitely. Invalid value for "
            "count: <nil>");
  EXPECT_EQ(sizes(), "");
  patch(R"({"spec":{"strategy":{"canary":{"steps":[{"setWeight":20}],
      "analysis":{"templates":[{"templateName":"t"}]}}}}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy") << "one in the background ends with the update";
}

TEST_F(BadInputTest, AnArgumentThatNobodyGivesIsMissedAtOnce) {
  create_service("active");
  apply(kTemplates,
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisTemplate","metadata":{"name":"t"},
      "spec":{"args":[{"name":"x"},{"name":"y","value":"1"},{"name":"z","valueFrom":{"secretKeyRef":
      {"name":"s","key":"k"}}}],"metrics":[{"name":"m","provider":{"prometheus":
      {"address":"http://p","query":"up"}}}]}})");
  const std::string missed = ": Invalid value: \"templateNames: [t]\": args.x was not resolved";
  create_rollout(R"({"canary":{"steps":[{"analysis":{"templates":[{"templateName":"t"}]}}]}})");
  start();
  wait(5s);
  EXPECT_EQ(phase(),
            "Degraded|InvalidSpec: The Rollout \"web\" is invalid: "
            "spec.strategy.canary.steps[0].analysis.templates" +
                missed);
  EXPECT_EQ(sizes(), "");
  patch(R"({"spec":{"strategy":{"canary":{"steps":null,
      "analysis":{"templates":[{"templateName":"t"}]}}}}})");
  wait(5s);
  EXPECT_TRUE(phase().ends_with("spec.strategy.canary.analysis.templates" + missed)) << phase();
  patch(R"({"spec":{"strategy":{"canary":null,"blueGreen":{"activeService":"active",
      "prePromotionAnalysis":{"templates":[{"templateName":"t"}]}}}}})");
  wait(5s);
  EXPECT_TRUE(phase().ends_with("blueGreen.prePromotionAnalysis.templates" + missed)) << phase();
  // What is there only when the run is made is given.
  patch(R"({"spec":{"strategy":{"blueGreen":null,"canary":{"steps":[{"analysis":{"args":[
      {"name":"x","valueFrom":{"fieldRef":{"fieldPath":"status.pauseConditions[0].reason"}}}],
      "templates":[{"templateName":"t"}]}}]}}}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(BadInputTest, TemplatesThatATemplateRefersToCountAsWell) {
  apply(kTemplates,
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisTemplate","metadata":{"name":"t"},
      "spec":{"templates":[{"templateName":"inner"}],"metrics":[{"name":"own","provider":
      {"prometheus":{"address":"http://p","query":"up"}}}]}})");
  create_rollout(R"({"canary":{"steps":[{"analysis":{"templates":[{"templateName":"t"}]}}]}})");
  start();
  wait(5s);
  EXPECT_TRUE(
      phase().ends_with("\"templateNames: [t]\": analysistemplate.argoproj.io \"inner\" "
                        "not found"))
      << phase();
  apply(
      kTemplates,
      R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisTemplate","metadata":{"name":"inner"},
      "spec":{"metrics":[{"name":"m","interval":"1m","provider":{"prometheus":
      {"address":"http://p","query":"up"}}}]}})");
  wait(1s);
  EXPECT_TRUE(phase().ends_with(
      "analysis.templates: Invalid value: \"inner\": AnalysisTemplate inner has metric m which "
      "runs indefinitely. Invalid value for count: <nil>"))
      << phase();
  EXPECT_EQ(sizes(), "");
}

struct LackOfProgress : World {
  // The one Pod of a set, for which there is no image.
  void create_pod(const json::Value& set);
  std::vector<std::string> told(std::string_view reason) {
    std::vector<std::string> messages;
    for (const json::Value& event : list(kEvents))
      if (json::string_at(event, {"reason"}) == reason)
        messages.emplace_back(json::string_at(event, {"message"}));
    return messages;
  }
};

void LackOfProgress::create_pod(const json::Value& set) {
  json::Object pod = read_json(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-x",
      "labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:v1"}]}})")
                         .get_object();
  api::set_owners(pod, {{.api_version = "apps/v1",
                         .kind = "ReplicaSet",
                         .name = std::string(api::name_of(set.get_object())),
                         .uid = std::string(api::uid_of(set.get_object())),
                         .controller = true}});
  create(kPods, "shop", std::move(pod));
  auto done = run_to_end(
      *loop, store->patch(kPods, {"shop", "web-x"},
                          {.type = store::PatchType::kMerge,
                           .body = read_json(R"({"status":{"containerStatuses":[{"name":"web",
          "image":"web:v1","imageID":"","ready":false,"restartCount":0,
          "state":{"waiting":{"reason":"ImagePullBackOff","message":"no such image"}}}]}})")},
                          {.subresource = "status"}));
  ASSERT_TRUE(done) << done.error().text();
}

TEST_F(LackOfProgress, IsToldWithItsReason) {
  sets.never_ready = [](const json::Value&) { return true; };
  create_rollout(R"({"canary":{}})", 1, R"(,"progressDeadlineSeconds":60)");
  start();
  wait(10s);
  const json::Value set = list(kReplicaSets).at(0);
  const std::string name(api::name_of(set.get_object()));
  create_pod(set);
  wait(10min);
  EXPECT_EQ(phase(), "Degraded|ProgressDeadlineExceeded: ReplicaSet \"" + name +
                         "\" has timed out progressing.");
  EXPECT_EQ(told("ProgressDeadlineExceeded"),
            std::vector<std::string>{"ReplicaSet \"" + name +
                                     "\" has timed out progressing. Pod web-x: no such image"});
}

// The Pod that could tell goes with the abort.
TEST_F(LackOfProgress, ThatAbortsKeepsItsReason) {
  create_rollout(R"({"canary":{}})", 1,
                 R"(,"progressDeadlineSeconds":60,"progressDeadlineAbort":true)");
  start();
  wait(60s);
  sets.never_ready = [](const json::Value&) { return true; };
  set_image("web:v2");
  wait(10s);
  for (const json::Value& set : list(kReplicaSets))
    if (set.at_pointer("/spec/template/spec/containers/0/image") == "web:v2") create_pod(set);
  wait(5min);
  const std::string why = "has timed out progressing. Pod web-x: no such image";
  EXPECT_TRUE(phase().ends_with(why)) << phase();
  ASSERT_EQ(told("ProgressDeadlineExceeded").size(), 1U);
  EXPECT_TRUE(told("ProgressDeadlineExceeded")[0].ends_with(why));
}

}  // namespace
}  // namespace slipway::rollout
