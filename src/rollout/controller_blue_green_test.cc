#include <gtest/gtest.h>

#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

struct BlueGreenTest : World {
  // A Rollout with these settings, its Services, and the first version up.
  void deploy(const std::string& more = {}) {
    create_service("active");
    create_service("preview");
    create_template("t");
    create_rollout(R"({"blueGreen":{"activeService":"active","previewService":"preview")" + more +
                   "}}");
    start();
    wait(60s);
  }
  // The second version is active, promoted by a person, and the first one is still up.
  void deploy_twice() {
    deploy(R"(,"autoPromotionEnabled":false,"scaleDownDelaySeconds":600)");
    set_image("web:v2");
    wait(60s);
    patch_status(R"({"status":{"pauseConditions":null}})");
    wait(60s);
    EXPECT_EQ(selected("active"), "v2");
  }
  std::string selected(const std::string& service) {
    const json::Value found = read(kServices, {"shop", service});
    const std::string hash(
        json::string_at(found, {"spec", "selector", "rollouts-pod-template-hash"}));
    for (const json::Value& set : list(kReplicaSets))
      if (label_of(set.get_object(), "rollouts-pod-template-hash") == hash) {
        const std::string image(
            set.at_pointer("/spec/template/spec/containers/0/image").as_string());
        return image.substr(image.find(':') + 1);
      }
    return "none";
  }
};

TEST_F(BlueGreenTest, SwitchesOnceTheNewSetIsUp) {
  deploy();
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(selected("active"), "v1");
  set_image("web:v2");
  wait(3s);
  EXPECT_EQ(selected("preview"), "v2");
  EXPECT_EQ(selected("active"), "v1");
  wait(20s);
  EXPECT_EQ(selected("active"), "v2");
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(sizes(), "v1:4/4 v2:4/4") << "the old one stays for a while";
  wait(60s);
  EXPECT_EQ(sizes(), "v1:0/0 v2:4/4");
}

// The time that an update may take begins with it, not with the end of the one before.
TEST_F(BlueGreenTest, AQuickWayBackHasTheWholeDeadline) {
  create_service("active");
  create_rollout(R"({"blueGreen":{"activeService":"active","scaleDownDelaySeconds":3600}})", 4,
                 R"(,"progressDeadlineSeconds":30,"progressDeadlineAbort":true)");
  start();
  wait(60s);
  set_image("web:v2");
  wait(10min);
  EXPECT_EQ(phase(), "Healthy");
  set_image("web:v1");
  wait(20s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(selected("active"), "v1");
  EXPECT_EQ(reasons().count("ProgressDeadlineExceeded"), 0U);
}

TEST_F(BlueGreenTest, AFirstDeploymentIsStableOnceItIsActive) {
  sets.ready_after = 2min;
  deploy(R"(,"autoPromotionEnabled":false,"previewReplicaCount":1)");
  EXPECT_EQ(sizes(), "v1:4/0");
  EXPECT_EQ(selected("active"), "none");
  EXPECT_EQ(json::string_at(rollout(), {"status", "stableRS"}), "");
  EXPECT_EQ(reasons().count("RolloutCompleted"), 0U);
  wait(2min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(selected("active"), "v1");
  EXPECT_EQ(json::string_at(rollout(), {"status", "duration", "completionStatus"}), "Promoted");
  EXPECT_EQ(reasons().count("RolloutCompleted"), 1U);
}

TEST_F(BlueGreenTest, WaitsForAPersonWhereItIsToldTo) {
  deploy(R"(,"autoPromotionEnabled":false,"previewReplicaCount":1)");
  set_image("web:v2");
  wait(10min);
  EXPECT_EQ(phase(), "Paused|BlueGreenPause");
  EXPECT_EQ(sizes(), "v1:4/4 v2:1/1");
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(60s);
  EXPECT_EQ(selected("active"), "v2");
  EXPECT_EQ(phase(), "Healthy");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:0/0 v2:4/4");
}

TEST_F(BlueGreenTest, PromotesByItselfAfterASetTime) {
  deploy(R"(,"autoPromotionSeconds":100)");
  set_image("web:v2");
  wait(90s);
  EXPECT_EQ(phase(), "Paused|BlueGreenPause");
  wait(40s);
  EXPECT_EQ(selected("active"), "v2");
}

TEST_F(BlueGreenTest, APersonMayPromoteEarlier) {
  deploy(R"(,"autoPromotionSeconds":1000)");
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(30s);
  EXPECT_EQ(selected("active"), "v2");
}

TEST_F(BlueGreenTest, AnalysesBeforeAndAfter) {
  deploy(R"(,"prePromotionAnalysis":{"templates":[{"templateName":"t"}]},
      "postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  EXPECT_TRUE(list(kAnalysisRuns).empty());
  set_image("web:v2");
  wait(15s);
  EXPECT_EQ(list(kAnalysisRuns).size(), 1U);
  EXPECT_EQ(selected("active"), "v1");
  wait(20s);
  EXPECT_EQ(selected("active"), "v2");
  EXPECT_EQ(phase(), "Progressing|waiting for analysis to complete");
  EXPECT_EQ(list(kAnalysisRuns).size(), 2U);
  wait(30s);
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(BlueGreenTest, AFailureAfterPromotionGoesBack) {
  runs.verdict = [](const std::string& name) {
    return name.ends_with("-post") ? "Failed" : "Successful";
  };
  deploy(R"(,"postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(90s);
  EXPECT_EQ(selected("active"), "v1");
  EXPECT_EQ(phase(),
            "Degraded|RolloutAborted: Rollout aborted update to revision 2: Blue/green "
            "post-promotion analysis phase error/failed: too many errors");
  wait(60s);
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
}

TEST_F(BlueGreenTest, ARetryAnalysesAnewAfterPromotion) {
  const auto is_post = [](const std::string& name) { return name.contains("-post"); };
  runs.verdict = [&](const std::string& name) { return is_post(name) ? "Failed" : "Successful"; };
  deploy(R"(,"postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(2min);
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
  runs.verdict = [](const std::string&) { return "Successful"; };
  patch_status(R"({"status":{"abort":false}})");
  wait(2min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(selected("active"), "v2");
  EXPECT_EQ(list(kAnalysisRuns).size(), 2U);
}

TEST_F(BlueGreenTest, ARetryDoesNotRestOnTheVerdictBefore) {
  runs.verdict = [](const std::string& name) {
    return name.contains("-post") ? "Failed" : "Successful";
  };
  deploy(R"(,"prePromotionAnalysis":{"templates":[{"templateName":"t"}]},
      "postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  while (!phase().starts_with("Degraded")) wait(1s);
  runs.verdict = [](const std::string&) { return "Failed"; };
  patch_status(R"({"status":{"abort":false}})");
  for (int second = 0; second < 90; ++second) {
    wait(1s);
    if (second > 1) EXPECT_EQ(selected("active"), "v1") << "after " << second << " seconds";
  }
  EXPECT_TRUE(phase().contains("pre-promotion analysis")) << phase();
}

TEST_F(BlueGreenTest, ARetryBeginsWithThePreviewAgain) {
  runs.verdict = [](const std::string& name) {
    return name.contains("-post") ? "Failed" : "Successful";
  };
  deploy(R"(,"previewReplicaCount":1,"prePromotionAnalysis":{"templates":[{"templateName":"t"}]},
      "postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(2min);
  EXPECT_TRUE(phase().contains("post-promotion analysis")) << phase();
  runs.verdict = [](const std::string&) { return "Successful"; };
  patch_status(R"({"status":{"abort":false}})");
  wait(3min);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(selected("active"), "v2");
  EXPECT_EQ(list(kAnalysisRuns).size(), 4U);
}

TEST_F(BlueGreenTest, AStrategyChangedDuringAnUpdatePromotesNothing) {
  create_service("active");
  create_rollout(R"({"canary":{"steps":[{"setWeight":25},{"pause":{}}]}})");
  start();
  wait(60s);
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(phase(), "Paused|CanaryPauseStep");
  patch(R"({"spec":{"strategy":{"canary":null,
      "blueGreen":{"activeService":"active","autoPromotionEnabled":false}}}})");
  wait(2min);
  EXPECT_EQ(phase(), "Paused|BlueGreenPause");
  EXPECT_EQ(selected("active"), "v1");
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(60s);
  EXPECT_EQ(phase(), "Healthy");
  EXPECT_EQ(selected("active"), "v2");
}

TEST_F(BlueGreenTest, ARetryAnalysesOnceItsPodsAreUp) {
  runs.verdict = [](const std::string&) { return "Failed"; };
  deploy(R"(,"prePromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(3min);
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  sets.ready_after = 1min;
  patch_status(R"({"status":{"abort":false}})");
  wait(30s);
  EXPECT_EQ(list(kAnalysisRuns).size(), 1U);
  wait(60s);
  EXPECT_EQ(list(kAnalysisRuns).size(), 2U);
}

TEST_F(BlueGreenTest, GoingBackWhileTheOldSetIsUpIsFast) {
  deploy_twice();
  set_image("web:v1");
  wait(10s);
  EXPECT_EQ(selected("active"), "v1") << "without another pause";
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(BlueGreenTest, ARefusedVersionIsAnalysedAgainThoughItIsStillUp) {
  runs.verdict = [](const std::string&) { return "Failed"; };
  deploy(R"(,"prePromotionAnalysis":{"templates":[{"templateName":"t"}]},
      "abortScaleDownDelaySeconds":3600,"scaleDownDelaySeconds":3600)");
  set_image("web:v2");
  wait(60s);
  runs.verdict = [](const std::string&) { return "Successful"; };
  set_image("web:v3");
  wait(60s);
  EXPECT_EQ(selected("active"), "v3");
  EXPECT_EQ(sizes(), "v1:4/4 v2:4/4 v3:4/4");
  runs.verdict = [](const std::string&) { return "Failed"; };
  set_image("web:v2");
  for (int second = 0; second < 60; ++second) {
    wait(1s);
    EXPECT_EQ(selected("active"), "v3") << "after " << second << " seconds";
  }
  EXPECT_TRUE(phase().starts_with("Degraded|RolloutAborted")) << phase();
}

TEST_F(BlueGreenTest, AnAbortGoesBackAlsoWhenPaused) {
  runs.takes = 24h;
  deploy(R"(,"postPromotionAnalysis":{"templates":[{"templateName":"t"}]})");
  set_image("web:v2");
  wait(60s);
  EXPECT_EQ(selected("active"), "v2");
  patch(R"({"spec":{"paused":true}})");
  wait(5s);
  patch_status(R"({"status":{"abort":true}})");
  wait(5s);
  EXPECT_EQ(selected("active"), "v1");
}

TEST_F(BlueGreenTest, GoingBackIsFastAlsoWithASmallerPreview) {
  deploy(R"(,"autoPromotionEnabled":false,"scaleDownDelaySeconds":600,"previewReplicaCount":1)");
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(60s);
  EXPECT_EQ(selected("active"), "v2");
  set_image("web:v1");
  wait(10s);
  EXPECT_EQ(selected("active"), "v1");
  EXPECT_EQ(phase(), "Healthy");
}

TEST_F(BlueGreenTest, ARetryAfterAPromotionWaitsForAPersonAgain) {
  deploy(R"(,"autoPromotionEnabled":false,"previewReplicaCount":1)");
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"pauseConditions":null}})");
  wait(1s);
  patch_status(R"({"status":{"abort":true}})");
  wait(10s);
  patch_status(R"({"status":{"abort":false}})");
  wait(2min);
  EXPECT_EQ(phase(), "Paused|BlueGreenPause");
  EXPECT_EQ(selected("active"), "v1");
}

// Going back, in a world of its own, with a death at the n-th write of it.
struct WayBack : BlueGreenTest {
  void TestBody() override {}
  std::string tell(int dies_at) {
    deploy_twice();
    life->store.dies_at = life->store.writes + dies_at;
    life->store.last_happens = true;
    set_image("web:v1");
    bool died = false;
    for (int second = 0; second < 20; ++second) {
      wait(1s);
      if (!life->store.dead()) continue;
      died = true;
      restart();
    }
    return died ? selected("active") + " " + phase() : "lived";
  }
};

TEST(BlueGreenCrash, GoingBackStaysFastWhereverItIsKilled) {
  int deaths = 0;
  for (std::string end; end != "lived"; ++deaths) {
    end = WayBack().tell(deaths);
    if (end != "lived") EXPECT_EQ(end, "v1 Healthy") << "killed at write " << deaths;
  }
  EXPECT_GT(deaths, 3);
}

TEST_F(BlueGreenTest, AnAbortBeforePromotionTakesThePreviewDown) {
  deploy(R"(,"autoPromotionEnabled":false)");
  set_image("web:v2");
  wait(60s);
  patch_status(R"({"status":{"abort":true}})");
  wait(10s);
  EXPECT_EQ(sizes(), "v1:4/4 v2:4/4") << "after a delay";
  wait(60s);
  EXPECT_EQ(sizes(), "v1:4/4 v2:0/0");
  EXPECT_EQ(selected("active"), "v1");
  const int writes = life->store.writes;
  wait(24h);
  EXPECT_EQ(life->store.writes, writes) << "at rest";
}

}  // namespace
}  // namespace slipway::rollout
