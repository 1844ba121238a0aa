#include "runtime/workloads/deployments/deployment_controller.h"

#include <gtest/gtest.h>

#include "runtime/workloads/conditions.h"
#include "runtime/workloads/testing/workload_life.h"

namespace slipway::runtime {
namespace {

json::Object deployment(int replicas, std::string_view strategy = "{}") {
  json::Object made = json::read(R"({"apiVersion":"apps/v1","kind":"Deployment",
      "metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}}}})")
                          ->as_object();
  made["spec"].get_object()["replicas"] = replicas;
  made["spec"].get_object()["strategy"] = *json::read(strategy);
  made["spec"].get_object()["template"] = pod_template();
  return made;
}

struct DeploymentControllerTest : WorkloadLifeFixture {
  static inline const store::Key kWeb{"default", "web"};

  json::Value web() { return read(kDeployments, kWeb); }
  int status_of(std::string_view field) {
    const json::Value all = web();
    const json::Value* value = json::at(all, {"status", field});
    return value ? static_cast<int>(value->to_number<int>()) : 0;
  }
  std::string reason_of(std::string_view type) {
    const json::Value all = web();
    const json::Object* condition = condition_in(all.at("status").as_object(), type);
    return condition ? std::string(condition->at("reason").as_string()) : "";
  }
  void set_image(std::string_view image) {
    merge(kDeployments, kWeb,
          R"({"spec":{"template":{"spec":{"containers":[{"name":"c","image":")" +
              std::string(image) + R"("}]}}}})");
  }
  // "revision:replicas" of each set, by revision.
  std::string sets() {
    std::map<int, std::int64_t> by_revision;
    for (const auto& one : list(kReplicaSets))
      by_revision[std::stoi(std::string(api::annotation_of(one.as_object(), kRevision)))] =
          one.at("spec").at("replicas").to_number<std::int64_t>();
    std::string text;
    for (const auto& [revision, replicas] : by_revision)
      text += std::to_string(revision) + ":" + std::to_string(replicas) + " ";
    return text;
  }
};

TEST_F(DeploymentControllerTest, RollsOutWithinSurgeAndAvailability) {
  begin();
  create(kDeployments, "default", deployment(10));
  loop->run_for(1min);
  EXPECT_EQ(status_of("availableReplicas"), 10);
  EXPECT_EQ(status_of("observedGeneration"), 1);
  EXPECT_EQ(reason_of("Progressing"), "NewReplicaSetAvailable");
  EXPECT_EQ(reason_of("Available"), "MinimumReplicasAvailable");
  EXPECT_EQ(api::annotation_of(web().as_object(), kRevision), "1");
  EXPECT_EQ(api::generation_of(web().as_object()), 1);

  most_active = 0;
  least_active = 100;
  set_image("web:2");
  loop->run_for(2min);
  EXPECT_EQ(sets(), "1:0 2:10 ");
  EXPECT_EQ(status_of("updatedReplicas"), 10);
  EXPECT_EQ(status_of("replicas"), 10);
  EXPECT_EQ(reason_of("Progressing"), "NewReplicaSetAvailable");
  EXPECT_LE(most_active, 13);
  EXPECT_GE(least_active, 8);
}

TEST_F(DeploymentControllerTest, UndoGoesBackToTheSameSetUnderANewRevision) {
  begin();
  create(kDeployments, "default", deployment(2));
  loop->run_for(1min);
  set_image("web:2");
  loop->run_for(1min);
  set_image("web:1");  // what `kubectl rollout undo` patches
  loop->run_for(1min);
  EXPECT_EQ(sets(), "2:0 3:2 ");
  EXPECT_EQ(api::annotation_of(web().as_object(), kRevision), "3");
  for (const auto& one : list(kReplicaSets))
    if (one.at("spec").at("replicas").to_number<int>() == 2)
      EXPECT_EQ(api::annotation_of(one.as_object(), kRevisionHistory), "1");
}

TEST_F(DeploymentControllerTest, RecreateWaitsUntilTheOldPodsAreGone) {
  begin();
  create(kDeployments, "default", deployment(3, R"({"type":"Recreate"})"));
  loop->run_for(1min);
  EXPECT_EQ(status_of("availableReplicas"), 3);
  int most = 0;
  node_manager.cache(kPods).on_change([&](const store::Item*, const store::Item*) {
    most = std::max(most, static_cast<int>(node_manager.cache(kPods).size()));
  });
  set_image("web:2");
  loop->run_for(1min);
  EXPECT_EQ(sets(), "1:0 2:3 ");
  EXPECT_EQ(status_of("availableReplicas"), 3);
  EXPECT_EQ(most, 3);  // those on their way out included
}

TEST_F(DeploymentControllerTest, ABadVersionStopsAndTimesOut) {
  begin();
  create(kDeployments, "default", deployment(4));
  loop->run_for(1min);
  node_options.fate = [](const json::Object&) { return FakeNode::Fate::kNeverReady; };
  set_image("web:bad");
  loop->run_for(5min);
  EXPECT_EQ(status_of("availableReplicas"), 3);  // 25 % of 4 may be missing
  EXPECT_EQ(reason_of("Progressing"), "ReplicaSetUpdated");
  loop->run_for(10min);
  EXPECT_EQ(reason_of("Progressing"), "ProgressDeadlineExceeded");
  EXPECT_EQ(sets(), "1:3 2:2 ");
}

TEST_F(DeploymentControllerTest, PauseHoldsTheTemplateAndNotTheSize) {
  begin();
  create(kDeployments, "default", deployment(2));
  loop->run_for(1min);
  merge(kDeployments, kWeb, R"({"spec":{"paused":true}})");
  set_image("web:2");
  merge(kDeployments, kWeb, R"({"spec":{"replicas":5}})");
  loop->run_for(1min);
  EXPECT_EQ(sets(), "1:5 ");
  EXPECT_EQ(reason_of("Progressing"), "DeploymentPaused");
  merge(kDeployments, kWeb, R"({"spec":{"paused":false}})");
  loop->run_for(1min);
  EXPECT_EQ(sets(), "1:0 2:5 ");
  EXPECT_EQ(reason_of("Progressing"), "NewReplicaSetAvailable");
}

TEST_F(DeploymentControllerTest, RestartsByAnAnnotationOfItsTemplate) {
  begin();
  create(kDeployments, "default", deployment(2));
  loop->run_for(1min);
  merge(kDeployments, kWeb, R"({"spec":{"template":{"metadata":{"annotations":
      {"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}})");
  loop->run_for(1min);
  EXPECT_EQ(sets(), "1:0 2:2 ");
}

TEST_F(DeploymentControllerTest, ANameTakenBySomebodyElseGetsAnotherHash) {
  begin();
  create(kDeployments, "default", deployment(1));
  loop->run_for(1min);
  const auto made = list(kReplicaSets).front();
  end();
  remove(kDeployments, kWeb);
  const std::string name(api::name_of(made.as_object()));
  remove(kReplicaSets, {"default", name});
  for (const PodView& pod : pods()) remove(kPods, pod.key);
  json::Object stranger = replica_set(name, 0);
  stranger["spec"].get_object()["selector"] = *json::read(R"({"matchLabels":{"app":"other"}})");
  stranger["spec"].get_object()["template"] = pod_template(R"({"app":"other"})");
  create(kReplicaSets, "default", stranger);
  begin();
  create(kDeployments, "default", deployment(1));
  loop->run_for(1min);
  EXPECT_EQ(status_of("availableReplicas"), 1);
  EXPECT_EQ(status_of("collisionCount"), 1);
}

TEST_F(DeploymentControllerTest, AdoptsASetThatWasLeftBehind) {
  begin();
  create(kDeployments, "default", deployment(2));
  loop->run_for(1min);
  end();
  remove(kDeployments, kWeb);
  const std::string set(api::name_of(list(kReplicaSets).front().as_object()));
  merge(kReplicaSets, {"default", set}, R"({"metadata":{"ownerReferences":null}})");
  begin();
  create(kDeployments, "default", deployment(2));
  loop->run_for(1min);
  EXPECT_EQ(sets(), "1:2 ");
  EXPECT_EQ(status_of("availableReplicas"), 2);
  EXPECT_EQ(pods().size(), 2u);
}

TEST_F(DeploymentControllerTest, IdleDeploymentsCauseNoWrites) {
  begin();
  create(kDeployments, "default", deployment(3));
  loop->run_for(1min);
  const int writes = life->store.writes;
  loop->run_for(30min);
  EXPECT_EQ(life->store.writes, writes);
}

// Whatever write it dies at, the rollout ends as it would have, within its limits. The sets follow
// each by itself: one more than the surge may be there while the old one has yet to let its Pod go.
TEST_F(DeploymentControllerTest, DyingAtAnyWriteChangesNothingInTheEnd) {
  for (int n = 0; n < 40; ++n) {
    SCOPED_TRACE(n);
    begin();
    create(kDeployments, "default", deployment(4));
    loop->run_for(10s);
    most_active = 0;
    least_active = 100;
    set_image("web:2");
    live_twice(n, n % 2 == 0, 1min);
    EXPECT_EQ(sets(), "1:0 2:4 ");
    EXPECT_EQ(status_of("availableReplicas"), 4);
    EXPECT_EQ(reason_of("Progressing"), "NewReplicaSetAvailable");
    EXPECT_LE(most_active, 6);
    EXPECT_GE(least_active, 3);
    end();
    remove(kDeployments, kWeb);
    for (const auto& set : list(kReplicaSets))
      remove(kReplicaSets, {"default", std::string(api::name_of(set.as_object()))});
    for (const PodView& pod : pods()) remove(kPods, pod.key);
    loop->run_for(10s);
  }
}

TEST_F(DeploymentControllerTest, ConflictsOnlyDelay) {
  begin();
  create(kDeployments, "default", deployment(4));
  loop->run_for(10s);
  life->store.conflicts = 12;
  set_image("web:2");
  loop->run_for(2min);
  EXPECT_EQ(sets(), "1:0 2:4 ");
  EXPECT_EQ(status_of("availableReplicas"), 4);
}

}  // namespace
}  // namespace slipway::runtime
