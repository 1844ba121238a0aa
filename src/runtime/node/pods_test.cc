#include "runtime/node/pods.h"

#include <gtest/gtest.h>

#include "control/testing/store_fixture.h"
#include "runtime/node/fake_host.h"

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

// Answers of probes, by container.
class FakeProbes final : public ProbeClient {
 public:
  std::map<std::string, bool> well;
  int asked = 0;
  Task<ProbeAnswer> ask(std::string, std::string container, std::string, ProbeSpec,
                        std::stop_token) override {
    ++asked;
    const auto found = well.find(container);
    const bool success = found == well.end() || found->second;
    co_return ProbeAnswer{.success = success, .message = success ? "" : "not well"};
  }
};

struct PodsTest : control::StoreFixture {
  static inline const api::Gvr kPods{"", "v1", "pods"};

  // One life of the program.
  struct Life {
    explicit Life(PodsTest& test)
        : loop(*test.loop),
          manager(*test.loop, *test.store, *test.registry),
          recorder(*test.loop, *test.store, *test.random, "kubelet"),
          host(test.machine),
          pods(manager, recorder, host, test.probes, *test.pool, {}) {
      manager.add(pods.options(), pods);
      manager.add_job([this](std::stop_token stop) { return pods.open(std::move(stop)); });
      manager.start();
    }
    void end() {
      pods.request_stop();
      run_to_end(loop, manager.stop());
      run_to_end(loop, pods.stop());
      run_to_end(loop, recorder.stop());
    }
    Loop& loop;
    control::Manager manager;
    control::Recorder recorder;
    FakePodHost host;
    PodReconciler pods;
  };

  void TearDown() override {
    if (life) life->end();
    life.reset();
  }
  void begin() { life = std::make_unique<Life>(*this); }
  void restart() {
    life->end();
    life.reset();
    begin();
  }
  void apply(std::string name, std::string container = "", std::string spec = "") {
    create(kPods, "default",
           json::read(
               R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": ")" + name +
               R"("}, "spec": {"containers": [{"name": "main", "image": "i", "command": ["run"])" +
               container + "}]" + spec + "}}")
               ->as_object());
  }
  void pass(Duration time) { loop->run_for(time); }
  json::Value pod(const std::string& name) { return read(kPods, {"default", name}); }
  std::string phase(const std::string& name) {
    const auto document = pod(name);
    return std::string(json::string_at(document, {"status", "phase"}));
  }
  bool ready(const std::string& name) {
    const auto document = pod(name);
    const json::Value* conditions = json::at(document, {"status", "conditions"});
    if (!conditions) return false;
    for (const auto& each : conditions->as_array())
      if (json::string_at(each, {"type"}) == "Ready")
        return json::string_at(each, {"status"}) == "True";
    return false;
  }
  std::int64_t restarts(const std::string& name) {
    const auto document = pod(name);
    return document.at("status").at("containerStatuses").at(0).at("restartCount").as_int64();
  }
  std::set<std::string> reasons() {
    std::set<std::string> found;
    for (const auto& event : list(kEvents)) found.emplace(json::string_at(event, {"reason"}));
    return found;
  }
  std::string uid(const std::string& name) {
    const auto document = pod(name);
    return std::string(json::string_at(document, {"metadata", "uid"}));
  }

  FakeMachine machine{*loop};
  FakeProbes probes;
  std::unique_ptr<Pool> pool = make_inline_pool();
  std::unique_ptr<Life> life;
};

TEST_F(PodsTest, AnAppliedPodIsScheduledStartedAndReady) {
  begin();
  apply("web");
  pass(1s);
  const auto web = pod("web");
  EXPECT_EQ(json::string_at(web, {"spec", "nodeName"}), "slipway");
  EXPECT_EQ(phase("web"), "Running");
  EXPECT_TRUE(ready("web"));
  EXPECT_TRUE(json::string_at(web, {"status", "podIP"}).starts_with("127."));
  pass(10s);
  EXPECT_EQ(reasons(), (std::set<std::string>{"Scheduled", "Created", "Started"}));
  EXPECT_EQ(machine.running(), 1U);
}

TEST_F(PodsTest, TwoPodsHaveTwoAddresses) {
  begin();
  apply("a");
  apply("b");
  pass(1s);
  const auto a = pod("a"), b = pod("b");
  EXPECT_NE(json::string_at(a, {"status", "podIP"}), json::string_at(b, {"status", "podIP"}));
}

TEST_F(PodsTest, AReadinessProbeDecidesWhetherItIsReady) {
  begin();
  probes.well["main"] = false;
  apply("web", R"(, "readinessProbe": {"tcpSocket": {"port": 1}, "periodSeconds": 1})");
  pass(5s);
  EXPECT_EQ(phase("web"), "Running");
  EXPECT_FALSE(ready("web"));
  probes.well["main"] = true;
  pass(2s);
  EXPECT_TRUE(ready("web"));
  probes.well["main"] = false;
  pass(2s);
  EXPECT_TRUE(ready("web"));  // three failures in a row are needed
  pass(3s);
  EXPECT_FALSE(ready("web"));
  EXPECT_TRUE(reasons().contains("Unhealthy"));
  EXPECT_EQ(restarts("web"), 0);
}

TEST_F(PodsTest, AFailedLivenessProbeRestartsTheContainer) {
  begin();
  apply("web", R"(, "livenessProbe": {"tcpSocket": {"port": 1}, "periodSeconds": 1})");
  pass(5s);
  probes.well["main"] = false;
  pass(4s);
  probes.well["main"] = true;
  pass(5s);
  EXPECT_EQ(restarts("web"), 1);
  EXPECT_TRUE(ready("web"));
  EXPECT_TRUE(reasons().contains("Killing"));
}

TEST_F(PodsTest, NothingElseIsAskedBeforeTheStartupProbeHasPassed) {
  begin();
  probes.well["main"] = false;
  apply("web",
        R"(, "startupProbe": {"tcpSocket": {"port": 1}, "periodSeconds": 1, "failureThreshold": 30},
                   "livenessProbe": {"tcpSocket": {"port": 1}, "periodSeconds": 1})");
  pass(10s);
  EXPECT_FALSE(ready("web"));
  EXPECT_EQ(restarts("web"), 0);
  probes.well["main"] = true;
  pass(3s);
  EXPECT_TRUE(ready("web"));
}

TEST_F(PodsTest, WhatFollowsASidecarWaitsForItsStartupProbe) {
  begin();
  probes.well["side"] = false;
  apply("web", "", R"(, "initContainers": [
      {"name": "side", "image": "i", "command": ["run"], "restartPolicy": "Always", "startupProbe":
        {"tcpSocket": {"port": 1}, "periodSeconds": 1, "failureThreshold": 100}}])");
  pass(5s);
  EXPECT_EQ(machine.running(), 1U);
  EXPECT_EQ(phase("web"), "Pending");
  restart();
  pass(5s);
  EXPECT_EQ(machine.running(), 1U);
  probes.well["side"] = true;
  pass(3s);
  EXPECT_EQ(machine.running(), 2U);
  EXPECT_TRUE(ready("web"));
  const auto web = pod("web");
  EXPECT_EQ(web.at("status").at("initContainerStatuses").at(0).at("started"), true);
}

TEST_F(PodsTest, AnotherImageRestartsTheContainer) {
  begin();
  apply("web");
  pass(1s);
  const auto set_image = [this](const std::string& image) {
    const store::Patch patch{
        .type = store::PatchType::kJson, .body = *json::read(R"([{"op": "replace", "path":
        "/spec/containers/0/image", "value": ")" + image + R"("}])")};
    ASSERT_TRUE(run_to_end(*loop, store->patch(kPods, {"default", "web"}, patch, {})));
  };
  set_image("j");
  pass(2s);
  EXPECT_EQ(restarts("web"), 1);
  const auto web = pod("web");
  EXPECT_EQ(json::string_at(web.at("status").at("containerStatuses").at(0), {"image"}), "j");
  EXPECT_TRUE(ready("web"));
  EXPECT_TRUE(reasons().contains("Killing"));
  restart();
  pass(10s);
  EXPECT_EQ(restarts("web"), 1);
  EXPECT_EQ(machine.journal(), (std::vector<std::string>{"start web", "replace web/main"}));
}

TEST_F(PodsTest, AnotherImageHelpsAnInitContainerThatFails) {
  begin();
  machine.script = [](const auto&, const ContainerPlan& container, int) {
    if (container.name == "main") return FakeRun{};
    return FakeRun{.ends_after = 100ms, .exit_code = container.image == "good" ? 0 : 1};
  };
  apply("web", "", R"(, "initContainers": [{"name": "i", "image": "bad", "command": ["run"]}])");
  pass(5s);
  EXPECT_EQ(machine.running(), 0U) << "it backs off";
  const store::Patch patch{.type = store::PatchType::kJson, .body = *json::read(R"([
      {"op": "replace", "path": "/spec/initContainers/0/image", "value": "good"},
      {"op": "replace", "path": "/spec/containers/0/image", "value": "new"}])")};
  ASSERT_TRUE(run_to_end(*loop, store->patch(kPods, {"default", "web"}, patch, {})));
  pass(1s);
  EXPECT_TRUE(ready("web"));
  EXPECT_EQ(restarts("web"), 0) << "it has begun with its new image";
  const auto web = pod("web");
  EXPECT_EQ(json::string_at(web.at("status").at("containerStatuses").at(0), {"image"}), "new");
}

TEST_F(PodsTest, ACrashingContainerBacksOff) {
  begin();
  machine.script = [](const auto&, const auto&, int) {
    return FakeRun{.ends_after = 100ms, .exit_code = 3};
  };
  apply("web");
  pass(5s);
  const auto web = pod("web");
  const auto& status = web.at("status").at("containerStatuses").at(0);
  EXPECT_EQ(json::string_at(status, {"state", "waiting", "reason"}), "CrashLoopBackOff");
  EXPECT_EQ(status.at("lastState").at("terminated").at("exitCode"), 3);
  EXPECT_EQ(phase("web"), "Running");
  pass(60s);
  EXPECT_GE(restarts("web"), 2);
  EXPECT_LE(restarts("web"), 4);
  EXPECT_TRUE(reasons().contains("BackOff"));
}

TEST_F(PodsTest, AJobsPodEndsAsItsContainerDoes) {
  begin();
  machine.script = [](const PodPlan& plan, const auto&, int) {
    return FakeRun{.ends_after = 1s, .exit_code = plan.name == "good" ? 0 : 1};
  };
  apply("good", "", R"(, "restartPolicy": "Never")");
  apply("bad", "", R"(, "restartPolicy": "Never")");
  pass(5s);
  EXPECT_EQ(phase("good"), "Succeeded");
  EXPECT_EQ(phase("bad"), "Failed");
  EXPECT_FALSE(ready("good"));
  remove(kPods, {"default", "good"});
  pass(1s);
  EXPECT_EQ(machine.journal().back(), "forget good");
}

TEST_F(PodsTest, ADeletedPodIsStoppedBeforeItsObjectGoes) {
  begin();
  machine.script = [](const auto&, const auto&, int) { return FakeRun{.stops_after = 5s}; };
  apply("web");
  pass(1s);
  remove(kPods, {"default", "web"});
  pass(3s);
  EXPECT_TRUE(exists(kPods, {"default", "web"}));
  EXPECT_EQ(machine.running(), 1U);
  pass(3s);
  EXPECT_FALSE(exists(kPods, {"default", "web"}));
  EXPECT_EQ(machine.running(), 0U);
  EXPECT_EQ(machine.journal(), (std::vector<std::string>{"start web", "stop web", "forget web"}));
  EXPECT_TRUE(reasons().contains("Killing"));
}

// A Job holds its Pods until it has seen how they ended.
TEST_F(PodsTest, ADeletedPodThatIsHeldIsOver) {
  begin();
  machine.script = [](const auto&, const auto&, int) { return FakeRun{.stops_after = 20s}; };
  apply("killed");
  apply("refused", R"(, "envFrom": [{"configMapRef": {"name": "none"}}])");
  apply("gated", "", R"(, "schedulingGates": [{"name": "x"}])");
  const store::Patch hold{.body = *json::read(R"({"metadata": {"finalizers": ["x.y/hold"]}})")};
  for (const std::string name : {"killed", "refused", "gated"})
    ASSERT_TRUE(run_to_end(*loop, store->patch(kPods, {"default", name}, hold, {})));
  pass(2s);
  for (const std::string name : {"killed", "refused", "gated"}) remove(kPods, {"default", name});
  pass(2s);
  EXPECT_EQ(phase("killed"), "Running");
  machine.kill_shim(uid("killed"));
  pass(10s);
  for (const std::string name : {"killed", "refused", "gated"}) {
    EXPECT_EQ(phase(name), "Failed") << name;
    EXPECT_FALSE(ready(name)) << name;
  }
  const auto killed = pod("killed");
  EXPECT_NE(json::at(killed.at("status").at("containerStatuses").at(0), {"state", "terminated"}),
            nullptr);
  const auto writes = store->stats().writes;
  restart();
  pass(1h);
  EXPECT_EQ(store->stats().writes, writes);
  const store::Patch let_go{.body = *json::read(R"({"metadata": {"finalizers": null}})")};
  for (const std::string name : {"killed", "refused", "gated"}) {
    ASSERT_TRUE(run_to_end(*loop, store->patch(kPods, {"default", name}, let_go, {})));
    pass(1s);
    EXPECT_FALSE(exists(kPods, {"default", name})) << name;
  }
}

TEST_F(PodsTest, OneThatSomebodyCallsFailedIsStoppedAndSaysSo) {
  begin();
  for (const std::string name : {"stops", "killed"}) {
    apply(name);
    pass(1s);
    const store::Patch failed{.body = *json::read(R"({"status": {"phase": "Failed"}})")};
    ASSERT_TRUE(run_to_end(
        *loop, store->patch(kPods, {"default", name}, failed, {.subresource = "status"})));
    if (name == "killed") machine.kill_shim(uid(name));
    pass(5s);
    const auto document = pod(name);
    EXPECT_EQ(phase(name), "Failed");
    const auto& container = document.at("status").at("containerStatuses").at(0);
    EXPECT_NE(json::at(container, {"state", "terminated"}), nullptr) << json::write(container);
  }
  EXPECT_EQ(machine.running(), 0U);
  const auto writes = store->stats().writes;
  restart();
  pass(1h);
  EXPECT_EQ(store->stats().writes, writes);
}

TEST_F(PodsTest, OneThatDoesNotStopIsKilledWhenItsGraceIsOver) {
  begin();
  machine.script = [](const auto&, const auto&, int) { return FakeRun{.stops_after = 1h}; };
  apply("web");
  pass(1s);
  remove(kPods, {"default", "web"});
  pass(29s);
  EXPECT_TRUE(exists(kPods, {"default", "web"}));
  pass(3s);
  EXPECT_FALSE(exists(kPods, {"default", "web"}));
}

TEST_F(PodsTest, AForcedDeletionLeavesNothingRunning) {
  begin();
  apply("web");
  pass(1s);
  EXPECT_TRUE(
      run_to_end(*loop, store->remove(kPods, {"default", "web"}, {.grace_seconds = 0}))->gone);
  pass(1s);
  EXPECT_EQ(machine.running(), 0U);
  EXPECT_EQ(machine.journal().back(), "forget web");
}

TEST_F(PodsTest, ANewPodOfTheSameNameIsAnotherPod) {
  begin();
  apply("web");
  pass(1s);
  const std::string before = uid("web");
  run_to_end(*loop, store->remove(kPods, {"default", "web"}, {.grace_seconds = 0}));
  apply("web");
  pass(2s);
  EXPECT_NE(uid("web"), before);
  EXPECT_TRUE(ready("web"));
  EXPECT_EQ(machine.running(), 1U);
}

TEST_F(PodsTest, PodsGoOnWhileTheProgramIsNotThere) {
  begin();
  apply("web", R"(, "readinessProbe": {"tcpSocket": {"port": 1}, "periodSeconds": 60})");
  pass(1s);
  ASSERT_TRUE(ready("web"));
  const auto before = pod("web");
  restart();
  pass(1s);
  EXPECT_TRUE(json::same(before, pod("web")));  // not even unready for a moment
  EXPECT_EQ(machine.journal(), std::vector<std::string>{"start web"});
}

TEST_F(PodsTest, WhatHappenedMeanwhileIsTakenUp) {
  begin();
  machine.script = [](const auto&, const auto&, int) { return FakeRun{.ends_after = 10s}; };
  apply("done", "", R"(, "restartPolicy": "Never")");
  apply("gone");
  pass(1s);
  life->end();
  life.reset();
  run_to_end(*loop, store->remove(kPods, {"default", "gone"}, {.grace_seconds = 0}));
  pass(20s);
  begin();
  pass(1s);
  EXPECT_EQ(phase("done"), "Succeeded");
  EXPECT_EQ(machine.running(), 0U);
  EXPECT_EQ(machine.journal().back(), "forget gone");
}

TEST_F(PodsTest, AKilledShimIsReplaced) {
  begin();
  apply("web");
  pass(1s);
  const std::string address(json::string_at(pod("web"), {"status", "podIP"}));
  machine.kill_shim(uid("web"));
  pass(1s);
  EXPECT_EQ(phase("web"), "Running");
  EXPECT_TRUE(ready("web"));
  EXPECT_EQ(restarts("web"), 1);
  const auto web = pod("web");
  EXPECT_EQ(json::string_at(web, {"status", "podIP"}), address);
  EXPECT_TRUE(reasons().contains("SandboxChanged"));
}

TEST_F(PodsTest, WhatCannotStartSaysWhyAndStartsWhenItCan) {
  begin();
  apply("web", R"(, "envFrom": [{"configMapRef": {"name": "late"}}])");
  pass(2s);
  const auto web = pod("web");
  const auto& status = web.at("status").at("containerStatuses").at(0);
  EXPECT_EQ(json::string_at(status, {"state", "waiting", "reason"}), "CreateContainerConfigError");
  EXPECT_EQ(json::string_at(status, {"state", "waiting", "message"}),
            "configmap \"late\" not found");
  EXPECT_TRUE(reasons().contains("Failed"));
  create_map("late");
  pass(PodReconciler::kRefusedAgain + 1s);
  EXPECT_TRUE(ready("web"));
}

TEST_F(PodsTest, AGatedPodWaitsUntilItsGatesAreGone) {
  begin();
  apply("web", "", R"(, "schedulingGates": [{"name": "x"}])");
  pass(2s);
  EXPECT_NE(json::write(pod("web")).find("SchedulingGated"), std::string::npos);
  store::Patch patch{.body = *json::read(R"({"spec": {"schedulingGates": null}})")};
  ASSERT_TRUE(run_to_end(*loop, store->patch(kPods, {"default", "web"}, patch, {})));
  pass(2s);
  EXPECT_TRUE(ready("web"));
}

TEST_F(PodsTest, APodPastItsDeadlineFails) {
  begin();
  apply("web", "", R"(, "activeDeadlineSeconds": 30)");
  pass(20s);
  EXPECT_EQ(phase("web"), "Running");
  pass(15s);
  EXPECT_EQ(phase("web"), "Failed");
  const auto web = pod("web");
  EXPECT_EQ(json::string_at(web, {"status", "reason"}), "DeadlineExceeded");
  EXPECT_EQ(machine.running(), 0U);
}

TEST_F(PodsTest, ADeadlineDoesNotWaitForTheNextTry) {
  begin();
  apply("web", R"(, "envFrom": [{"configMapRef": {"name": "none"}}])",
        R"(, "activeDeadlineSeconds": 7)");
  pass(PodReconciler::kRefusedAgain + 3500ms);
  EXPECT_EQ(phase("web"), "Failed");
}

TEST_F(PodsTest, APodPastItsDeadlineFailsWhenItHasStopped) {
  begin();
  machine.script = [](const auto&, const auto&, int) { return FakeRun{.stops_after = 10s}; };
  apply("web", "", R"(, "activeDeadlineSeconds": 30)");
  pass(35s);
  EXPECT_EQ(phase("web"), "Running");
  EXPECT_EQ(machine.running(), 1U) << "it has its grace";
  restart();
  pass(1s);
  EXPECT_EQ(phase("web"), "Running");
  pass(12s);
  EXPECT_EQ(phase("web"), "Failed");
  const auto web = pod("web");
  EXPECT_EQ(json::string_at(web, {"status", "reason"}), "DeadlineExceeded");
  EXPECT_EQ(
      web.at("status").at("containerStatuses").at(0).at("state").at("terminated").at("exitCode"),
      0);
}

TEST_F(PodsTest, SidecarsHaveTheirGraceWhenTheWorkIsDone) {
  begin();
  machine.script = [](const auto&, const ContainerPlan& container, int) {
    if (container.name == "main") return FakeRun{.ends_after = 1s};
    return FakeRun{.stops_after = 5s, .stop_code = 143};
  };
  apply("job", "", R"(, "restartPolicy": "Never", "initContainers": [
      {"name": "side", "image": "i", "command": ["run"], "restartPolicy": "Always"}])");
  pass(3s);
  EXPECT_EQ(phase("job"), "Running");
  EXPECT_EQ(machine.running(), 1U);
  pass(5s);
  EXPECT_EQ(phase("job"), "Succeeded");
  EXPECT_EQ(machine.running(), 0U);
}

TEST_F(PodsTest, AnIdlePodCostsNoWrites) {
  begin();
  apply("web");
  pass(1min);
  const auto writes = store->stats().writes;
  pass(1h);
  EXPECT_EQ(store->stats().writes, writes);
}

}  // namespace
}  // namespace slipway::runtime
