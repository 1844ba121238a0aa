#include "runtime/node/status.h"

#include <gtest/gtest.h>

#include "runtime/node/conditions.h"
#include "runtime/node/decide_pod.h"

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = Time(1'800'000'000s);

json::Value pod(std::string_view spec = "", std::string_view status = "{}") {
  auto read =
      json::read(R"({"metadata": {"name": "p", "namespace": "n", "uid": "u"},
      "spec": {"nodeName": "slipway")" +
                 std::string(spec) +
                 R"(, "containers": [{"name": "a", "image": "i"}, {"name": "b", "image": "i"}]},
      "status": )" +
                 std::string(status) + "}");
  EXPECT_TRUE(read) << read.error().text();
  return *read;
}

// r: running, w: waiting, s and f: ended well and badly, c: waits after a crash.
ContainerState state(std::string name, char how) {
  ContainerState made{.name = std::move(name)};
  const Terminated end{.exit_code = how == 's' ? 0 : 1,
                       .reason = how == 's' ? "Completed" : "Error",
                       .started_at = kNow - 20s,
                       .finished_at = kNow - 10s};
  if (how == 'w') made.now = Waiting{.reason = "ContainerCreating"};
  if (how == 'r') made.now = Running{.started_at = kNow - 5s, .pid = 7};
  if (how == 's' || how == 'f') made.now = end;
  if (how == 'c') {
    made.now = Waiting{.reason = "CrashLoopBackOff", .message = "back-off"};
    made.last_terminated = end;
    made.restart_count = 2;
  }
  return made;
}

HostedPod hosted(std::string_view containers, RestartPolicy policy = RestartPolicy::kAlways,
                 std::string_view inits = "", bool ended = false) {
  HostedPod made{.plan = {.uid = "u", .ns = "n", .name = "p", .restart_policy = policy},
                 .state = PodState{.ended = ended},
                 .alive = !ended};
  for (std::size_t i = 0; i < containers.size(); ++i)
    made.state->containers.push_back(
        state(std::string(1, static_cast<char>('a' + i)), containers[i]));
  for (std::size_t i = 0; i < inits.size(); ++i)
    made.state->init_containers.push_back(state("i" + std::to_string(i), inits[i]));
  return made;
}

std::string condition(const json::Value& status, std::string_view type) {
  for (const auto& each : status.at("conditions").as_array())
    if (json::string_at(each, {"type"}) == type)
      return std::string(json::string_at(each, {"status"})) + " " +
             std::string(json::string_at(each, {"reason"}));
  return "(none)";
}

TEST(PodStatus, PhasesFollowKubelet) {
  const auto kAlways = RestartPolicy::kAlways;
  const auto kOnFailure = RestartPolicy::kOnFailure;
  const auto kNever = RestartPolicy::kNever;
  const struct {
    const char* containers;
    RestartPolicy policy;
    bool ended;
    const char* phase;
  } cases[] = {
      {"ww", kAlways, false, "Pending"},     {"rw", kAlways, false, "Pending"},
      {"rr", kAlways, false, "Running"},     {"rs", kAlways, false, "Running"},
      {"cc", kAlways, false, "Running"},     {"ff", kAlways, false, "Running"},
      {"fc", kOnFailure, false, "Running"},  {"rf", kNever, false, "Running"},
      {"ss", kNever, true, "Succeeded"},     {"sf", kNever, true, "Failed"},
      {"ss", kOnFailure, true, "Succeeded"}, {"sf", kAlways, true, "Failed"},
      {"ww", kAlways, true, "Failed"},
  };
  for (const auto& one : cases) {
    const HostedPod it = hosted(one.containers, one.policy, "", one.ended);
    EXPECT_EQ(decide_phase(pod(), &it), one.phase) << one.containers;
  }
  EXPECT_EQ(decide_phase(pod(), nullptr), "Pending");
}

TEST(PodStatus, InitContainersComeFirst) {
  const auto with = pod(R"(, "initContainers": [{"name": "i0"}, {"name": "i1"}])");
  const struct {
    const char* inits;
    const char* containers;
    RestartPolicy policy;
    const char* phase;
    const char* initialized;
  } cases[] = {
      {"rw", "ww", RestartPolicy::kAlways, "Pending", "False ContainersNotInitialized"},
      {"sc", "ww", RestartPolicy::kAlways, "Pending", "False ContainersNotInitialized"},
      {"sf", "ww", RestartPolicy::kNever, "Pending", "False ContainersNotInitialized"},
      {"ss", "rr", RestartPolicy::kAlways, "Running", "True "},
  };
  for (const auto& one : cases) {
    const HostedPod it = hosted(one.containers, one.policy, one.inits);
    const auto status = decide_status({.pod = with,
                                       .hosted = &it,
                                       .health = [](const auto&) { return ContainerHealth{}; },
                                       .now = kNow});
    EXPECT_EQ(json::string_at(status, {"phase"}), one.phase) << one.inits;
    EXPECT_EQ(condition(status, "Initialized"), one.initialized) << one.inits;
    EXPECT_EQ(status.at("initContainerStatuses").as_array().size(), 2U);
  }
}

TEST(PodStatus, ASidecarInitializesWhenItHasStarted) {
  const auto with =
      pod(R"(, "initContainers": [{"name": "i0", "restartPolicy": "Always", "startupProbe": {}}])");
  HostedPod it = hosted("ww", RestartPolicy::kAlways, "r");
  EXPECT_FALSE(is_initialized(with, &it));
  it.state->init_containers[0].started = true;
  EXPECT_TRUE(is_initialized(with, &it));
  const HostedPod restarted = hosted("rr", RestartPolicy::kAlways, "c");
  EXPECT_TRUE(is_initialized(with, &restarted));
  EXPECT_EQ(decide_phase(with, &restarted), "Running");
}

TEST(PodStatus, NothingIsOverWhileASidecarRuns) {
  const auto with =
      pod(R"(, "initContainers": [{"name": "i0"}, {"name": "i1", "restartPolicy": "Always"}])");
  const struct {
    const char* inits;
    const char* containers;
    bool ended;
    const char* phase;
  } cases[] = {
      {"sr", "ss", false, "Running"}, {"sr", "sf", false, "Running"},
      {"fr", "ww", false, "Pending"}, {"sf", "ss", true, "Succeeded"},
      {"ss", "sf", true, "Failed"},   {"ff", "ww", true, "Failed"},
  };
  for (const auto& one : cases) {
    const HostedPod it = hosted(one.containers, RestartPolicy::kNever, one.inits, one.ended);
    EXPECT_EQ(decide_phase(with, &it), one.phase) << one.inits << " " << one.containers;
  }
}

TEST(PodStatus, ADeadlineIsToldWhenNothingRunsAnyMore) {
  const auto document = pod("", R"({"phase": "Running"})");
  const auto status_of = [&](const HostedPod* it) {
    return decide_status({.pod = document,
                          .hosted = it,
                          .health = [](const auto&) { return ContainerHealth{}; },
                          .now = kNow,
                          .past_deadline = true});
  };
  HostedPod it = hosted("rs");
  const auto stopping = status_of(&it);
  EXPECT_EQ(json::string_at(stopping, {"phase"}), "Running");
  EXPECT_EQ(json::string_at(stopping, {"reason"}), "");
  const HostedPod over = hosted("ss", RestartPolicy::kAlways, "", true);
  EXPECT_EQ(json::string_at(status_of(&over), {"phase"}), "Failed");
  EXPECT_EQ(json::string_at(status_of(&over), {"reason"}), "DeadlineExceeded");
  EXPECT_EQ(json::string_at(status_of(nullptr), {"reason"}), "DeadlineExceeded");
  // What looked after it was killed meanwhile, and its containers with it.
  it.alive = false;
  it.plan.containers = {{.name = "a", .argv = {"x"}}, {.name = "b", .argv = {"x"}}};
  const auto killed = status_of(&it);
  EXPECT_EQ(json::string_at(killed, {"reason"}), "DeadlineExceeded");
  EXPECT_EQ(killed.at("containerStatuses").at(0).at("state").at("terminated").at("exitCode"), 137);
}

TEST(PodStatus, WhatIsRemovedIsOver) {
  const HostedPod done = hosted("ss", RestartPolicy::kNever, "", true);
  const HostedPod bad = hosted("sf", RestartPolicy::kNever, "", true);
  HostedPod killed = hosted("rs"), unheard = hosted("");
  killed.alive = unheard.alive = false;
  killed.plan.containers = {{.name = "a", .argv = {"x"}}, {.name = "b", .argv = {"x"}}};
  unheard.state.reset();
  const struct {
    const HostedPod* hosted;
    const char* before;
    const char* phase;
  } cases[] = {
      {&done, "Running", "Succeeded"}, {&bad, "Running", "Failed"},
      {&killed, "Running", "Failed"},  {&killed, "Succeeded", "Succeeded"},
      {&unheard, "Pending", "Failed"}, {nullptr, "Pending", "Failed"},
  };
  for (const auto& one : cases) {
    const auto document = pod("", R"({"phase": ")" + std::string(one.before) + "\"}");
    StatusInputs inputs{.pod = document,
                        .hosted = one.hosted,
                        .health = [](const auto&) { return ContainerHealth{}; },
                        .now = kNow,
                        .removed = true};
    const auto status = decide_status(inputs);
    EXPECT_EQ(json::string_at(status, {"phase"}), one.phase) << one.before;
    const auto written = pod("", json::write(status));
    const auto later = decide_status({.pod = written,
                                      .hosted = one.hosted,
                                      .health = inputs.health,
                                      .now = kNow + 60s,
                                      .removed = true});
    EXPECT_TRUE(json::same(status, later)) << json::write(status) << json::write(later);
  }
}

TEST(PodStatus, WhyItNeverBeganStaysSaidWhenItIsRemoved) {
  const auto before = pod("", R"({"phase": "Pending", "containerStatuses": [{"name": "b",
      "state": {"waiting": {"reason": "ImagePullBackOff", "message": "no command"}}}]})");
  const auto status = decide_status({.pod = before, .now = kNow, .removed = true});
  const auto& all = status.at("containerStatuses").as_array();
  EXPECT_EQ(json::string_at(all[0], {"state", "waiting", "reason"}), "ContainerCreating");
  EXPECT_EQ(json::string_at(all[1], {"state", "waiting", "reason"}), "ImagePullBackOff");
  EXPECT_EQ(json::string_at(all[1], {"state", "waiting", "message"}), "no command");
  const auto gated = *json::read(R"({"metadata": {"name": "p"}, "spec": {},
      "status": {"phase": "Pending", "conditions": []}})");
  EXPECT_TRUE(json::same(decide_status({.pod = gated, .now = kNow, .removed = true}),
                         *json::read(R"({"phase": "Failed", "conditions": []})")));
}

TEST(PodStatus, ReadinessComesFromTheProbes) {
  const HostedPod it = hosted("rr");
  const auto document = pod();
  const auto status_of = [&](bool a, bool b) {
    return decide_status(
        {.pod = document,
         .hosted = &it,
         .health =
             [=](const std::string& name) { return ContainerHealth{.ready = name == "a" ? a : b}; },
         .pod_ip = "127.64.0.1",
         .now = kNow});
  };
  const auto half = status_of(true, false);
  EXPECT_EQ(condition(half, "Ready"), "False ContainersNotReady");
  EXPECT_EQ(condition(half, "ContainersReady"), "False ContainersNotReady");
  EXPECT_NE(json::write(half).find("containers with unready status: [b]"), std::string::npos);
  const auto whole = status_of(true, true);
  EXPECT_EQ(condition(whole, "Ready"), "True ");
  EXPECT_EQ(condition(whole, "PodScheduled"), "True ");
  EXPECT_EQ(json::string_at(whole, {"podIP"}), "127.64.0.1");
  EXPECT_EQ(json::string_at(whole, {"startTime"}), format_time(kNow));
}

TEST(PodStatus, AReadinessGateIsSomebodyElsesCondition) {
  const HostedPod it = hosted("rr");
  for (const auto& [given, ready] : std::vector<std::pair<const char*, const char*>>{
           {"{}", "False ReadinessGatesNotReady"},
           {R"({"conditions": [{"type": "x/y", "status": "False"}]})",
            "False ReadinessGatesNotReady"},
           {R"({"conditions": [{"type": "x/y", "status": "True"}]})", "True "}}) {
    const auto document = pod(R"(, "readinessGates": [{"conditionType": "x/y"}])", given);
    const auto status = decide_status({.pod = document,
                                       .hosted = &it,
                                       .health = [](const auto&) { return ContainerHealth{}; },
                                       .now = kNow});
    EXPECT_EQ(condition(status, "Ready"), ready);
    if (std::string_view(given) != "{}") EXPECT_NE(condition(status, "x/y"), "(none)");
  }
}

TEST(PodStatus, TellsOfRestartsAndTheLastEnd) {
  const HostedPod it = hosted("rc");
  const auto document = pod();
  const auto status = decide_status({.pod = document,
                                     .hosted = &it,
                                     .health = [](const auto&) { return ContainerHealth{}; },
                                     .now = kNow});
  const auto& crashed = status.at("containerStatuses").as_array()[1];
  EXPECT_EQ(crashed.at("restartCount"), 2);
  EXPECT_EQ(json::string_at(crashed, {"state", "waiting", "reason"}), "CrashLoopBackOff");
  EXPECT_EQ(json::string_at(crashed, {"lastState", "terminated", "reason"}), "Error");
  EXPECT_EQ(crashed.at("lastState").at("terminated").at("exitCode"), 1);
  EXPECT_EQ(crashed.at("ready"), false);
}

TEST(PodStatus, TheLastEndIsOfTheRunThatEnded) {
  HostedPod it = hosted("rc");
  ContainerState again = it.state->containers[1];  // restarted a third time
  again.now = Running{.started_at = kNow - 1s, .pid = 8};
  again.restart_count = 3;
  const auto status_of = [&](const HostedPod& now) {
    const auto document = pod();
    return decide_status({.pod = document,
                          .hosted = &now,
                          .health = [](const auto&) { return ContainerHealth{}; },
                          .now = kNow})
        .at("containerStatuses")
        .as_array()[1];
  };
  const auto waiting = status_of(it);
  EXPECT_EQ(json::string_at(waiting, {"lastState", "terminated", "containerID"}),
            "slipway://u/b/2");
  EXPECT_EQ(json::string_at(waiting, {"containerID"}), "slipway://u/b/2");
  it.state->containers[1] = again;
  const auto running = status_of(it);
  EXPECT_EQ(json::string_at(running, {"lastState", "terminated", "containerID"}),
            "slipway://u/b/2");
  EXPECT_EQ(json::string_at(running, {"containerID"}), "slipway://u/b/3");
}

TEST(PodStatus, ARefusalIsWhatTheContainerWaitsWith) {
  const auto document = pod();
  const auto status = decide_status(
      {.pod = document,
       .refusal = Refusal{.container = "b", .reason = "ImagePullBackOff", .message = "no command"},
       .now = kNow});
  const auto& all = status.at("containerStatuses").as_array();
  EXPECT_EQ(json::string_at(all[0], {"state", "waiting", "reason"}), "ContainerCreating");
  EXPECT_EQ(json::string_at(all[1], {"state", "waiting", "reason"}), "ImagePullBackOff");
  EXPECT_EQ(json::string_at(all[1], {"state", "waiting", "message"}), "no command");
  EXPECT_EQ(json::string_at(status, {"phase"}), "Pending");
}

TEST(PodStatus, TransitionTimesChangeWithTheStatusAlone) {
  const HostedPod it = hosted("rr");
  const auto first = pod();
  StatusInputs inputs{.pod = first,
                      .hosted = &it,
                      .health = [](const auto&) { return ContainerHealth{}; },
                      .now = kNow};
  const auto status = decide_status(inputs);
  const auto second = pod("", json::write(status));
  const auto again =
      decide_status({.pod = second, .hosted = &it, .health = inputs.health, .now = kNow + 60s});
  EXPECT_TRUE(json::same(status, again)) << json::write(status) << json::write(again);
  const auto later =
      decide_status({.pod = second,
                     .hosted = &it,
                     .health = [](const auto&) { return ContainerHealth{.ready = false}; },
                     .now = kNow + 60s});
  for (const auto& each : later.at("conditions").as_array()) {
    const bool turned = json::string_at(each, {"type"}).ends_with("Ready");
    EXPECT_EQ(json::string_at(each, {"lastTransitionTime"}),
              format_time(turned ? kNow + 60s : kNow));
  }
}

TEST(DecidePod, FollowsFromTheObjectAndTheHost) {
  using What = PodStep::What;
  const NodeFacts node;
  const HostedPod alive = hosted("rr"), ended = hosted("ss", RestartPolicy::kNever, "", true);
  HostedPod killed = hosted("rr");
  killed.alive = false;
  const auto with = [](std::string_view metadata,
                       std::string_view rest = R"("nodeName": "slipway")",
                       std::string_view status = "{}") {
    return *json::read(R"({"metadata": {"name": "p")" + std::string(metadata) + R"(}, "spec": {)" +
                       std::string(rest) + R"(}, "status": )" + std::string(status) + "}");
  };
  const std::string going = R"(, "deletionTimestamp": ")" + format_time(kNow + 8s) +
                            R"(", "deletionGracePeriodSeconds": )";
  const std::string deleting = going + "8";
  EXPECT_EQ(decide_pod(with("", ""), nullptr, node, kNow).what, What::kSchedule);
  EXPECT_EQ(decide_pod(with("", R"("schedulingGates": [{"name": "x"}])"), nullptr, node, kNow).what,
            What::kGated);
  EXPECT_EQ(decide_pod(with("", R"("nodeName": "other")"), nullptr, node, kNow).what,
            What::kNothing);
  EXPECT_EQ(decide_pod(with(""), nullptr, node, kNow).what, What::kStart);
  EXPECT_EQ(decide_pod(with(""), &killed, node, kNow).what, What::kStart);
  EXPECT_EQ(decide_pod(with(""), &alive, node, kNow).what, What::kReport);
  EXPECT_EQ(decide_pod(with(""), &ended, node, kNow).what, What::kReport);
  const PodStep stop = decide_pod(with(deleting), &alive, node, kNow);
  EXPECT_EQ(stop.what, What::kStop);
  EXPECT_EQ(stop.grace, 8s);
  EXPECT_EQ(decide_pod(with(deleting), &alive, node, kNow + 5s).grace, 4s) << "seconds are cut off";
  EXPECT_EQ(decide_pod(with(deleting), &alive, node, kNow + 9s).grace, 0s);
  EXPECT_EQ(decide_pod(with(going + "0"), &alive, node, kNow).grace, 0s);
  for (const HostedPod* over :
       {static_cast<const HostedPod*>(nullptr), &ended, static_cast<const HostedPod*>(&killed)})
    EXPECT_EQ(decide_pod(with(deleting), over, node, kNow).what, What::kRemove);
  EXPECT_EQ(decide_pod(with(deleting, ""), nullptr, node, kNow).what, What::kRemove);
  const auto failed = with("", R"("nodeName": "slipway")", R"({"phase": "Failed"})");
  EXPECT_EQ(decide_pod(failed, &ended, node, kNow).what, What::kReport);
  EXPECT_EQ(decide_pod(failed, &killed, node, kNow).what, What::kReport);
  EXPECT_EQ(decide_pod(failed, nullptr, node, kNow).what, What::kNothing);
  EXPECT_EQ(decide_pod(failed, &alive, node, kNow).what, What::kStop);
  EXPECT_EQ(decide_pod(failed, &alive, node, kNow).grace, 30s) << "it may take its time";
  const auto limited = with("", R"("nodeName": "slipway", "activeDeadlineSeconds": 60)",
                            R"({"startTime": ")" + format_time(kNow) + "\"}");
  EXPECT_EQ(decide_pod(limited, &alive, node, kNow + 20s).again, 40s);
  EXPECT_TRUE(decide_pod(limited, &alive, node, kNow + 60s).past_deadline);
  EXPECT_FALSE(decide_pod(limited, &ended, node, kNow + 60s).past_deadline) << "it was done before";
  HostedPod stopped = ended;
  stopped.state->stopping = true;
  EXPECT_EQ(decide_pod(limited, &stopped, node, kNow + 60s).what, What::kReport);
  EXPECT_TRUE(decide_pod(limited, &stopped, node, kNow + 60s).past_deadline);
}

TEST(DecidePod, AChangedImageIsToldOnce) {
  const auto document = pod();  // of image i
  const struct {
    char how;
    const char* planned;
    const char* runs;
    bool replaced;
    bool changed;
  } cases[] = {
      {'r', "i", "i", false, false},
      {'r', "old", "old", false, true},
      {'r', "i", "old", false, true},  // written, and not told
      {'r', "i", "old", true, false},
      {'c', "old", "old", false, true},
      {'c', "i", "old", false, true},
      {'c', "i", "old", true, false},
      {'s', "old", "old", false, false},
      {'r', "old", "", false, false},  // of a shim that does not say
  };
  for (const auto& one : cases) {
    HostedPod it = hosted(std::string(1, one.how));
    it.plan.containers = {{.name = "a", .image = one.planned, .argv = {"x"}}};
    it.state->containers[0].image = one.runs;
    it.state->containers[0].replaced = one.replaced;
    EXPECT_EQ(!changed_images(document, it).empty(), one.changed) << one.how << one.planned;
    it.state->stopping = true;
    EXPECT_TRUE(changed_images(document, it).empty());
  }
}

TEST(DecidePod, AChangedImageIsForThoseThatAreYetToRunToo) {
  const auto document = pod(R"(, "initContainers": [{"name": "i0", "image": "i"},
      {"name": "i1", "image": "i", "restartPolicy": "Always"}])");
  const struct {
    const char* inits;
    const char* containers;
    std::vector<std::string> changed;
  } cases[] = {
      {"rw", "ww", {"i1", "a", "b"}},
      {"cw", "ww", {"i0", "i1", "a", "b"}},
      {"sr", "rw", {"i1", "a", "b"}},
      {"sc", "cs", {"i1", "a"}},
      {"ww", "ww", {}},  // nothing says an image
  };
  for (const auto& one : cases) {
    HostedPod it = hosted(one.containers, RestartPolicy::kAlways, one.inits);
    it.plan.init_containers = {{.name = "i0", .image = "old"}, {.name = "i1", .image = "old"}};
    it.plan.containers = {{.name = "a", .image = "old"}, {.name = "b", .image = "old"}};
    for (auto* list : {&it.state->init_containers, &it.state->containers})
      for (ContainerState& state : *list)
        if (!state.waiting() || state.last_terminated) state.image = "old";
    EXPECT_EQ(changed_images(document, it), one.changed) << one.inits << " " << one.containers;
    for (auto* list : {&it.plan.init_containers, &it.plan.containers})
      for (ContainerPlan& plan : *list) plan.image = "i";
    for (const std::string& name : changed_images(document, it))
      EXPECT_NE(name, one.inits[1] == 'w' ? "i1" : "") << "it will begin with it";
  }
}

TEST(DecidePod, TellsWhatHappenedOnce) {
  const HostedPod before = hosted("ww");
  HostedPod after = hosted("rc");
  after.state->bind_problem = "no seccomp";
  after.state->port_problem = "port 80 is in use";
  const auto found = happenings(after.plan, *before.state, *after.state);
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].reason, "Created");
  EXPECT_EQ(found[1].message, "Started container a");
  EXPECT_EQ(found[2].reason, "BackOff");
  EXPECT_EQ(found[2].message, "Back-off restarting failed container b in pod p_n(u)");
  EXPECT_TRUE(found[3].warning);
  EXPECT_EQ(found[4].reason, "PortInUse");
  EXPECT_EQ(found[4].message, "port 80 is in use");
  EXPECT_TRUE(found[4].warning);
  EXPECT_TRUE(happenings(after.plan, *after.state, *after.state).empty());
}

}  // namespace
}  // namespace slipway::runtime
