#include <gtest/gtest.h>

#include "rollout/testing/world.h"

// Names and hashes that people, dashboards and other tools know Argo's objects by.
namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

struct NamesTest : World {
  // The Pods of Argo's first example.
  static json::Value demo(const std::string& tag) {
    return read_json(R"({"metadata":{"labels":{"app":"rollouts-demo"}},"spec":{"containers":[{
        "name":"rollouts-demo","image":"argoproj/rollouts-demo:)" +
                     tag + R"(","ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],
        "resources":{"requests":{"memory":"32Mi","cpu":"5m"}}}]}})");
  }
  json::Object create_demo() {
    json::Value made = read_json(
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"web"},
        "spec":{"replicas":5,"selector":{"matchLabels":{"app":"rollouts-demo"}},
        "strategy":{"canary":{"steps":[{"pause":{}}]}}}})");
    made.at("spec").as_object()["template"] = demo("blue");
    return create(kRollouts, "shop", made.get_object());
  }
  void update_demo(const std::string& tag) {
    json::Object spec;
    spec["template"] = demo(tag);
    patch(json::write(json::Object{{"spec", std::move(spec)}}));
  }
  void deploy_blue_green(const std::string& more = {}) {
    create_service("active");
    create_template("t");
    create_rollout(R"({"blueGreen":{"activeService":"active")" + more + "}}");
    start();
    wait(60s);
  }
  Names names(const api::Gvr& kind) {
    Names found;
    for (const json::Value& one : list(kind)) found.emplace_back(api::name_of(one.get_object()));
    std::ranges::sort(found);
    return found;
  }
  std::string status(std::string_view field) {
    return std::string(json::string_at(rollout(), {"status", field}));
  }
};

TEST_F(NamesTest, SetsAndStepsHaveArgosHashes) {
  create_demo();
  start();
  wait(60s);
  EXPECT_EQ(names(kReplicaSets), (Names{"web-5cd66ff7ff"}));
  EXPECT_EQ(status("stableRS"), "5cd66ff7ff");
  EXPECT_EQ(status("currentStepHash"), "6b9b86fbd5");
  update_demo("yellow");
  wait(60s);
  EXPECT_EQ(names(kReplicaSets), (Names{"web-5cd66ff7ff", "web-76ddfb4f47"}));
  EXPECT_EQ(status("currentPodHash"), "76ddfb4f47");
}

// Releases of Argo on Kubernetes before 1.34 hashed a timestamp along.
TEST_F(NamesTest, TheSetOfAnOlderReleaseIsTakenUp) {
  const json::Object owner = create_demo();
  json::Object set{{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}};
  set["metadata"] = read_json(R"({"name":"web-687d76d795",
      "labels":{"app":"rollouts-demo","rollouts-pod-template-hash":"687d76d795"},
      "annotations":{"rollout.argoproj.io/revision":"1","rollout.argoproj.io/desired-replicas":"5"}})");
  set["spec"] = read_json(R"({"replicas":5,"selector":{"matchLabels":{"app":"rollouts-demo",
      "rollouts-pod-template-hash":"687d76d795"}}})");
  json::Value pods = demo("blue");
  json::object_at(pods, {"metadata", "labels"})["rollouts-pod-template-hash"] = "687d76d795";
  set["spec"].as_object()["template"] = std::move(pods);
  api::set_owners(set, {api::controller_reference(owner)});
  create(kReplicaSets, "shop", std::move(set));
  patch_status(R"({"status":{"stableRS":"687d76d795","currentPodHash":"687d76d795",
      "currentStepHash":"6b9b86fbd5","currentStepIndex":1,"phase":"Healthy"}})");
  start();
  wait(60s);
  EXPECT_EQ(names(kReplicaSets), (Names{"web-687d76d795"}));
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(status("stableRS") + " " + status("currentPodHash"), "687d76d795 687d76d795");
  EXPECT_EQ(sizes(), "blue:5/5");
  update_demo("yellow");
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep") << "as an update of it";
  EXPECT_EQ(names(kReplicaSets), (Names{"web-687d76d795", "web-76ddfb4f47"}));
  EXPECT_EQ(status("stableRS"), "687d76d795");
}

TEST_F(NamesTest, BlueGreenHasNoHashOfSteps) {
  deploy_blue_green();
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(json::at(rollout(), {"status", "currentStepHash"}), nullptr);
  patch(R"({"spec":{"strategy":{"blueGreen":null,"canary":{"steps":[{"pause":{}}]}}}})");
  wait(60s);
  EXPECT_EQ(status("currentStepHash"), "6b9b86fbd5");
  patch(R"({"spec":{"strategy":{"canary":null,"blueGreen":{"activeService":"active"}}}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(json::at(rollout(), {"status", "currentStepHash"}), nullptr);
}

TEST_F(NamesTest, RunsBeforeAndAfterPromotionSayWhichTheyAre) {
  runs.verdict = [](const std::string& name) {
    return name.ends_with("-post") ? "Failed" : "Successful";
  };
  deploy_blue_green(R"(,"prePromotionAnalysis":{"templates":[{"templateName":"t"}]},
      "postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(2min);
  const std::string name = "web-" + status("currentPodHash") + "-2";
  EXPECT_EQ(names(kAnalysisRuns), (Names{name + "-post", name + "-pre"}));
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
  for (const auto& [run, type] :
       {std::pair(name + "-pre", "PrePromotion"), std::pair(name + "-post", "PostPromotion")}) {
    const json::Value made = read(kAnalysisRuns, {"shop", run});
    EXPECT_EQ(label_of(made.get_object(), "rollout-type"), type);
    EXPECT_EQ(label_of(made.get_object(), "rollouts-pod-template-hash"), status("currentPodHash"));
    EXPECT_EQ(api::annotation_of(made.get_object(), "rollout.argoproj.io/revision"), "2");
  }
  patch_status(R"({"status":{"abort":false}})");
  wait(2min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(names(kAnalysisRuns),
            (Names{name + "-post", name + "-post.1", name + "-pre", name + "-pre.1"}));
}

}  // namespace
}  // namespace slipway::rollout
