#include "runtime/shim/decide.h"

#include <gtest/gtest.h>

namespace slipway::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

const Time kNow = Time(std::chrono::hours(500'000));

ContainerPlan container(std::string name, std::optional<RestartPolicy> restart = {}) {
  return {.name = std::move(name), .argv = {"true"}, .restart = restart};
}

Terminated ended(int code, Time at = kNow) {
  return {.exit_code = code, .reason = code ? "Error" : "Completed", .finished_at = at};
}

// A Pod of `init` init containers and one or two containers.
struct Pod {
  PodPlan plan;
  PodState state;

  explicit Pod(RestartPolicy policy, int init = 0, int containers = 1) {
    plan.restart_policy = policy;
    for (int i = 0; i < init; ++i)
      plan.init_containers.push_back(container("init" + std::to_string(i)));
    for (int i = 0; i < containers; ++i)
      plan.containers.push_back(container("main" + std::to_string(i)));
    reset();
  }
  void reset() { state = initial_state(plan); }
  Step next(Time now = kNow) const { return decide_next(plan, state, now); }
};

const std::vector<Which> kFirst{{.init = false, .index = 0}};
const std::vector<Which> kInit0{{.init = true, .index = 0}};
const std::vector<Which> kInit1{{.init = true, .index = 1}};

TEST(DecideNext, StartsAllContainersWhenThereIsNothingToInitialise) {
  const Pod pod(RestartPolicy::kAlways, 0, 2);
  EXPECT_EQ(pod.next().start.size(), 2U);
  EXPECT_EQ(pod.state.containers[0].waiting()->reason, "ContainerCreating");
}

TEST(DecideNext, InitContainersGoOneByOne) {
  Pod pod(RestartPolicy::kAlways, 2);
  EXPECT_EQ(pod.next().start, kInit0);
  pod.state.init_containers[0].now = Running{};
  EXPECT_EQ(pod.next(), Step{});
  pod.state.init_containers[0].now = ended(0);
  EXPECT_EQ(pod.next().start, kInit1);
  pod.state.init_containers[1].now = ended(0);
  EXPECT_EQ(pod.next().start, kFirst);
}

TEST(DecideNext, InitContainerThatFailedIsTriedAgainUnlessNever) {
  for (const auto policy : {RestartPolicy::kAlways, RestartPolicy::kOnFailure}) {
    Pod pod(policy, 1);
    pod.state.init_containers[0].now = ended(1);
    EXPECT_EQ(pod.next().start, kInit0);
    EXPECT_FALSE(pod.next().ended);
  }
  Pod never(RestartPolicy::kNever, 1);
  never.state.init_containers[0].now = ended(1);
  EXPECT_TRUE(never.next().start.empty());
  EXPECT_TRUE(never.next().ended);
}

TEST(DecideNext, PolicySaysWhoIsRestarted) {
  struct Case {
    RestartPolicy policy;
    int code;
    bool restarted;
  };
  for (const auto& [policy, code, restarted] : std::vector<Case>{
           {RestartPolicy::kAlways, 0, true},
           {RestartPolicy::kAlways, 1, true},
           {RestartPolicy::kOnFailure, 0, false},
           {RestartPolicy::kOnFailure, 1, true},
           {RestartPolicy::kNever, 0, false},
           {RestartPolicy::kNever, 1, false},
       }) {
    Pod pod(policy);
    pod.state.containers[0].now = ended(code);
    EXPECT_EQ(!pod.next().start.empty(), restarted) << to_string(policy) << " " << code;
    EXPECT_EQ(pod.next().ended, !restarted) << to_string(policy) << " " << code;
  }
}

TEST(DecideNext, WaitsOutTheBackoff) {
  Pod pod(RestartPolicy::kAlways);
  auto& state = pod.state.containers[0];
  state.now = ended(1, kNow);
  state.backoff = Backoff{.delay = seconds(10), .since = kNow - seconds(3)};
  const Step step = pod.next(kNow + seconds(1));
  EXPECT_TRUE(step.start.empty());
  EXPECT_EQ(step.again, kNow + seconds(10));
  ASSERT_EQ(step.wait.size(), 1U);
  EXPECT_EQ(step.wait[0].second.reason, "CrashLoopBackOff");
  EXPECT_EQ(step.wait[0].second.message, "back-off 10s restarting failed container=main0 pod=_()");
  state.last_terminated = *state.terminated();
  state.now = step.wait[0].second;
  EXPECT_TRUE(pod.next(kNow + seconds(9)).wait.empty());
  EXPECT_EQ(pod.next(kNow + seconds(10)).start, kFirst);
}

TEST(DecideNext, WhatEndedForAnotherImageRunsAgainAtOnce) {
  Pod pod(RestartPolicy::kNever, 1);
  pod.plan.init_containers[0].restart = RestartPolicy::kAlways;
  pod.state.init_containers[0].now = Running{};
  pod.state.containers[0].now = ended(143);
  pod.state.containers[0].backoff = Backoff{.delay = seconds(10), .since = kNow};
  EXPECT_EQ(pod.next().stop, kInit0);
  pod.state.containers[0].replaced = true;
  EXPECT_EQ(pod.next().start, kFirst);
  EXPECT_TRUE(pod.next().stop.empty());
}

TEST(DecideNext, AnotherImageEndsTheBackoff) {
  Pod pod(RestartPolicy::kAlways);
  pod.state.containers[0].now = Waiting{.reason = "CrashLoopBackOff"};
  pod.state.containers[0].last_terminated = ended(1);
  pod.state.containers[0].backoff = Backoff{.delay = seconds(10), .since = kNow};
  EXPECT_TRUE(pod.next().start.empty());
  pod.state.containers[0].replaced = true;
  EXPECT_EQ(pod.next().start, kFirst);
}

TEST(WantsReplacing, IsWhatRunsOrIsToRunAgain) {
  using Now = std::variant<Waiting, Running, Terminated>;
  const struct {
    const char* name;
    Now now;
    const char* image;
    bool wants;
  } cases[] = {
      {"main0", Running{}, "old", true},  {"main0", Running{}, "new", false},
      {"main0", Waiting{}, "old", true},  {"main0", Waiting{}, "", false},
      {"main0", ended(0), "old", false},  {"init0", Waiting{}, "old", true},
      {"init0", Running{}, "old", false}, {"init0", ended(0), "old", false},
      {"init1", Running{}, "old", true},
  };
  for (const auto& one : cases) {
    Pod pod(RestartPolicy::kAlways, 2);
    pod.plan.init_containers[1].restart = RestartPolicy::kAlways;
    const auto which = find_which(pod.plan, one.name);
    ASSERT_TRUE(which) << one.name;
    for (auto* list : {&pod.plan.init_containers, &pod.plan.containers})
      for (ContainerPlan& plan : *list) plan.image = "new";
    state_of(pod.state, *which).now = one.now;
    state_of(pod.state, *which).image = one.image;
    if (*one.image) state_of(pod.state, *which).last_terminated = ended(1);
    EXPECT_EQ(wants_replacing(pod.plan, pod.state, *which), one.wants)
        << one.name << " " << one.now.index() << " " << one.image;
  }
  EXPECT_FALSE(find_which(Pod(RestartPolicy::kAlways).plan, "none"));
}

TEST(DecideNext, ClockSetBackDoesNotLengthenTheWait) {
  Pod pod(RestartPolicy::kAlways);
  pod.state.containers[0].now = ended(1, kNow);
  pod.state.containers[0].backoff = Backoff{.delay = seconds(10), .since = kNow};
  EXPECT_EQ(pod.next(kNow - std::chrono::hours(5)).again,
            kNow - std::chrono::hours(5) + seconds(10));
}

TEST(DecideNext, NothingStartsWhileStopping) {
  Pod pod(RestartPolicy::kAlways, 0, 2);
  pod.state.stopping = true;
  pod.state.containers[0].now = Running{};
  EXPECT_EQ(pod.next(), Step{});
  pod.state.containers[0].now = ended(1);
  EXPECT_TRUE(pod.next().ended);
}

TEST(DecideNext, SidecarsBeginFirstAndEndLast) {
  Pod pod(RestartPolicy::kNever, 1);
  pod.plan.init_containers[0].restart = RestartPolicy::kAlways;
  EXPECT_EQ(pod.next().start, kInit0);
  pod.state.init_containers[0].now = Running{};
  EXPECT_EQ(pod.next().start, kFirst);
  pod.state.containers[0].now = Running{};
  pod.state.init_containers[0].now = ended(0);
  EXPECT_EQ(pod.next().start, kInit0) << "a sidecar is restarted whatever the Pod's policy";
  pod.state.init_containers[0].now = Running{};
  pod.state.containers[0].now = ended(0);
  EXPECT_EQ(pod.next().stop, kInit0);
  EXPECT_FALSE(pod.next().ended);
  pod.state.init_containers[0].now = ended(143);
  EXPECT_TRUE(pod.next().ended);
  EXPECT_TRUE(pod.next().start.empty());
}

TEST(DecideNext, WhatFollowsASidecarWaitsForItsStartupProbe) {
  Pod pod(RestartPolicy::kAlways, 2);
  pod.plan.init_containers[0].restart = RestartPolicy::kAlways;
  pod.plan.init_containers[0].startup_probe = true;
  auto& sidecar = pod.state.init_containers[0];
  EXPECT_EQ(pod.next().start, kInit0);
  sidecar.now = Running{};
  EXPECT_EQ(pod.next(), Step{});
  sidecar.now = ended(1);
  EXPECT_EQ(pod.next().start, kInit0) << "it is tried again, and nothing else";
  sidecar.now = Running{};
  sidecar.started = true;
  EXPECT_EQ(pod.next().start, kInit1);
  pod.state.init_containers[1].now = ended(0);
  sidecar.started = false;
  EXPECT_EQ(pod.next().start, kFirst) << "a later run holds nothing back";
}

TEST(DecideNext, SidecarsStopInReverse) {
  Pod pod(RestartPolicy::kNever, 2);
  for (auto& init : pod.plan.init_containers) init.restart = RestartPolicy::kAlways;
  for (auto& init : pod.state.init_containers) init.now = Running{};
  pod.state.containers[0].now = ended(0);
  EXPECT_EQ(pod.next().stop.front(), kInit1.front());
}

TEST(DecideBackoff, DoublesUpToTheMostAndBeginsAnewAfterALongRun) {
  const ShimTuning tuning;
  ContainerState state{.now = ended(1, kNow)};
  Time now = kNow;
  for (const int expected : {10, 20, 40, 80, 160, 300, 300}) {
    state.backoff = decide_backoff(tuning, state, now);
    EXPECT_EQ(state.backoff->delay, seconds(expected));
    now += state.backoff->delay;
    state.now = ended(1, now);
  }
  state.now = ended(1, state.backoff->since + minutes(10));
  EXPECT_EQ(decide_backoff(tuning, state, now).delay, seconds(300));
  state.now = ended(1, state.backoff->since + minutes(10) + milliseconds(1));
  EXPECT_EQ(decide_backoff(tuning, state, now).delay, seconds(10));
}

TEST(ResumedState, WhatRanWasKilled) {
  Pod pod(RestartPolicy::kAlways, 1, 2);
  pod.state.revision = 7;
  pod.state.bind_problem = "old";
  pod.state.init_containers[0].now = ended(0);
  pod.state.containers[0].now = Running{.started_at = kNow - minutes(1), .pid = 5};
  pod.state.containers[0].restart_count = 3;
  pod.state.containers[0].started = true;
  pod.state.containers[0].backoff = Backoff{.delay = minutes(1), .since = kNow - minutes(1)};
  const PodState resumed = resumed_state(pod.plan, pod.state, kNow);
  EXPECT_EQ(resumed.revision, 7U);
  EXPECT_EQ(resumed.bind_problem, "");
  EXPECT_EQ(resumed.init_containers[0], pod.state.init_containers[0]);
  EXPECT_EQ(resumed.containers[0].terminated()->exit_code, 137);
  EXPECT_EQ(resumed.containers[0].terminated()->started_at, kNow - minutes(1));
  EXPECT_EQ(resumed.containers[0].restart_count, 3);
  EXPECT_FALSE(resumed.containers[0].started);
  EXPECT_EQ(resumed.containers[1], pod.state.containers[1]);
  EXPECT_EQ(decide_next(pod.plan, resumed, kNow).start.size(), 2U)
      << "killed through no fault of its own: no back-off";
}

}  // namespace

}  // namespace slipway::runtime
