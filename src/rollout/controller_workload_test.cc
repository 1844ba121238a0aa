#include <gtest/gtest.h>

#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

// A Rollout web whose Pod template is that of an object called app.
struct WorkloadTest : World {
  void create_rollout_of(const std::string& kind, const std::string& scale_down = {}) {
    const std::string scales = scale_down.empty() ? "" : R"(,"scaleDown":")" + scale_down + R"(")";
    apply(kRollouts,
          R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"web"},
      "spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},
      "workloadRef":{"apiVersion":"apps/v1","kind":")" +
              kind + R"(","name":"app")" + scales +
              R"(},"strategy":{"canary":{"steps":[{"pause":{}}]}}}})");
  }
  // A Deployment or a ReplicaSet, which nobody brings to life.
  void create_workload(const api::Gvr& kind, const std::string& name) {
    apply(kind, R"({"apiVersion":"apps/v1","kind":")" + name + R"(","metadata":{"name":"app"},
      "spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{
      "metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:v1"}]}}}})");
  }
  void change(const api::Gvr& kind, const std::string& name, std::string_view text) {
    auto done = run_to_end(
        *loop, store->patch(kind, {"shop", name},
                            {.type = store::PatchType::kMerge, .body = read_json(text)}, {}));
    EXPECT_TRUE(done) << done.error().text();
  }
  // The sets that the Rollout made: `web:v1 3/3`.
  std::multiset<std::string> own_sets() {
    std::multiset<std::string> found;
    for (const json::Value& set : list(kReplicaSets)) {
      if (!api::controller_of(set.get_object())) continue;
      found.insert(
          std::string(set.at_pointer("/spec/template/spec/containers/0/image").as_string()) + " " +
          std::to_string(count_at(set, {"spec", "replicas"})) + "/" +
          std::to_string(count_at(set, {"status", "availableReplicas"})));
    }
    return found;
  }
  // The Pods that were missing get ready, too.
  void finish() {
    sets.at_most = 3;
    for (const json::Value& set : list(kReplicaSets))
      change(kReplicaSets, std::string(api::name_of(set.get_object())),
             R"({"metadata":{"annotations":{"look":"again"}}})");
    wait(60s);
  }
  Count deployed() { return count_at(read(kDeployments, {"shop", "app"}), {"spec", "replicas"}); }
  // The new version is taken from the workload, and waits at its pause.
  void expect_followed() {
    wait(60s);
    EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
    EXPECT_TRUE(own_sets().contains("web:v1 3/3"));
    EXPECT_EQ(own_sets().size(), 2U);
    EXPECT_EQ(json::string_at(rollout(), {"status", "workloadObservedGeneration"}),
              json::string_at(rollout(), {"metadata", "annotations",
                                          "rollout.argoproj.io/workload-generation"}));
  }
};

using Sets = std::multiset<std::string>;

TEST_F(WorkloadTest, OneThatIsNotThereIsNamedAndNothingIsMade) {
  create_rollout_of("Deployment", "onsuccess");
  start();
  wait(5min);
  const std::string problem =
      "The Rollout \"web\" is invalid: spec.workloadRef: Invalid value: \"app\": "
      "deployments \"app\" not found";
  EXPECT_EQ(phase(), "Degraded|InvalidSpec: " + problem);
  const json::Value now = rollout();
  const json::Value& condition = now.at("status").at("conditions").at(0);
  EXPECT_EQ(condition.at("type"), "InvalidSpec");
  EXPECT_EQ(condition.at("status"), "True");
  EXPECT_EQ(condition.at("message").as_string(), problem);
  ASSERT_EQ(reasons(), std::multiset<std::string>{"InvalidSpec"});
  const json::Value event = list(kEvents).at(0);
  EXPECT_EQ(event.at("type"), "Warning");
  EXPECT_EQ(event.at("message").as_string(), problem);
  EXPECT_EQ(event.at("involvedObject").at("name"), "web");
  EXPECT_TRUE(list(kReplicaSets).empty());
  create_workload(kDeployments, "Deployment");
  wait(1s);
  EXPECT_EQ(own_sets(), (Sets{"web:v1 3/0"})) << "at once";
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(WorkloadTest, OneOfAnotherKindIsRefused) {
  create_rollout_of("StatefulSet");
  start();
  wait(60s);
  EXPECT_EQ(phase(),
            "Degraded|InvalidSpec: The Rollout \"web\" is invalid: spec.workloadRef.kind: Invalid "
            "value: \"StatefulSet\": must be Deployment, ReplicaSet or PodTemplate");
  EXPECT_EQ(reasons().count("InvalidSpec"), 1U);
  EXPECT_TRUE(list(kReplicaSets).empty());
}

TEST_F(WorkloadTest, TheTemplateOfAReplicaSetIsTaken) {
  create_workload(kReplicaSets, "ReplicaSet");
  create_rollout_of("ReplicaSet", "onsuccess");
  start();
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(own_sets(), (Sets{"web:v1 3/3"}));
  const json::Value theirs = read(kReplicaSets, {"shop", "app"});
  EXPECT_FALSE(api::controller_of(theirs.get_object())) << "it is somebody else's";
  EXPECT_EQ(count_at(theirs, {"spec", "replicas"}), 3) << "only Deployments are scaled down";
  change(kReplicaSets, "app",
         R"({"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:v2"}]}}}})");
  expect_followed();
}

TEST_F(WorkloadTest, APodTemplateIsTakenAndFollowed) {
  create_rollout_of("PodTemplate");
  start();
  wait(10s);
  EXPECT_TRUE(phase().ends_with("podtemplates \"app\" not found")) << phase();
  apply(kPodTemplates,
        R"({"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"app"},"template":{
      "metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:v1"}]}}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(own_sets(), (Sets{"web:v1 3/3"}));
  change(kPodTemplates, "app",
         R"({"template":{"spec":{"containers":[{"name":"web","image":"web:v2"}]}}})");
  expect_followed();
}

TEST_F(WorkloadTest, ADeploymentThatShallNeverGoDownStays) {
  for (const std::string how : {"", "never"}) {
    SCOPED_TRACE(how);
    create_workload(kDeployments, "Deployment");
    create_rollout_of("Deployment", how);
    start();
    wait(10min);
    EXPECT_EQ(phase(), "Healthy");
    EXPECT_EQ(deployed(), 3);
    life->end();
    life.reset();
    remove(kRollouts, {"shop", "web"});
    remove(kDeployments, {"shop", "app"});
    for (const json::Value& set : list(kReplicaSets))
      remove(kReplicaSets, {"shop", std::string(api::name_of(set.get_object()))});
  }
}

TEST_F(WorkloadTest, OnSuccessTheDeploymentGoesDownOnceTheRolloutIsUp) {
  sets.at_most = 2;
  create_workload(kDeployments, "Deployment");
  create_rollout_of("Deployment", "onsuccess");
  start();
  wait(5min);
  EXPECT_EQ(own_sets(), (Sets{"web:v1 3/2"}));
  EXPECT_EQ(deployed(), 3) << "as long as one Pod is missing";
  finish();
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(deployed(), 0);
}

TEST_F(WorkloadTest, ProgressivelyTheDeploymentGivesWayPodByPod) {
  sets.at_most = 1;
  create_workload(kDeployments, "Deployment");
  create_rollout_of("Deployment", "progressively");
  start();
  wait(4s);
  EXPECT_EQ(own_sets(), (Sets{"web:v1 3/0"}));
  EXPECT_EQ(deployed(), 3);
  wait(60s);
  EXPECT_EQ(own_sets(), (Sets{"web:v1 3/1"}));
  EXPECT_EQ(deployed(), 2);
  finish();
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(deployed(), 0);
}

// Who scales it up again after the Rollout took over means it.
TEST_F(WorkloadTest, ALaterUpdateLeavesTheDeploymentAlone) {
  create_workload(kDeployments, "Deployment");
  create_rollout_of("Deployment", "progressively");
  start();
  wait(60s);
  EXPECT_EQ(deployed(), 0);
  change(kDeployments, "app",
         R"({"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:v2"}]}}}})");
  expect_followed();
  change(kDeployments, "app", R"({"spec":{"replicas":1}})");
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(2min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(deployed(), 1);
}

}  // namespace
}  // namespace slipway::rollout
