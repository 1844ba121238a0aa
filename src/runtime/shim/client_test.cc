#include "runtime/shim/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/file.h"
#include "runtime/shim/control_dial.h"
#include "runtime/shim/messages.h"
#include "runtime/shim/process_list.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

bool ended(const PodState& state) { return state.ended; }

TEST(Shim, RunsAContainerToItsEnd) {
  TestPod pod({shell("main", "echo hello; echo oops >&2; exit 3")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.start();
  ASSERT_TRUE(pod.until(ended));
  ASSERT_TRUE(pod.container().terminated());
  EXPECT_EQ(pod.container().terminated()->exit_code, 3);
  EXPECT_EQ(pod.container().terminated()->reason, "Error");
  EXPECT_EQ(pod.container().restart_count, 0);
  EXPECT_THAT(pod.log(), HasSubstr("hello\n"));
  EXPECT_THAT(pod.log(), HasSubstr("oops\n"));
  EXPECT_TRUE(pod.until_gone());
}

TEST(Shim, TellsOfAnExitAtOnce) {
  TestPod pod({shell("main", "sleep 1000")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.start();
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].running(); }));
  ::kill(pod.container().running()->pid, SIGKILL);
  ASSERT_TRUE(pod.until(ended, seconds(1)));
  EXPECT_EQ(pod.container().terminated()->exit_code, 137);
  EXPECT_EQ(pod.container().terminated()->signal, SIGKILL);
}

TEST(Shim, RunsInitContainersOneAfterTheOther) {
  ScratchFolder scratch;
  const std::string file = scratch.path() + "/order";
  TestPod pod({shell("a", "echo a >> " + file + "; sleep 1000"),
               shell("b", "echo b >> " + file + "; sleep 1000")});
  pod.plan.init_containers = {shell("one", "sleep 0.2; echo one >> " + file),
                              shell("two", "echo two >> " + file)};
  pod.start();
  ASSERT_TRUE(pod.until([](const PodState& state) {
    return state.containers[0].running() && state.containers[1].running();
  }));
  ASSERT_TRUE(pod.until_true([&] { return file::read(file)->size() == 12; }));
  EXPECT_THAT(*file::read(file), testing::StartsWith("one\ntwo\n"));
  ASSERT_TRUE(pod.state().init_containers[0].terminated());
  EXPECT_EQ(pod.state().init_containers[0].terminated()->reason, "Completed");
}

TEST(Shim, FailedInitContainerOfAPodThatNeverRestartsEndsIt) {
  TestPod pod({shell("main", "sleep 1000")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.plan.init_containers = {shell("one", "exit 1"), shell("two", "exit 0")};
  pod.start();
  ASSERT_TRUE(pod.until(ended));
  EXPECT_EQ(pod.state().init_containers[0].terminated()->exit_code, 1);
  EXPECT_EQ(pod.state().init_containers[1].waiting()->reason, "PodInitializing");
  EXPECT_EQ(pod.container().waiting()->reason, "PodInitializing");
}

TEST(Shim, RestartsWithGrowingPauses) {
  TestPod pod({shell("main", "echo run; exit 1")});
  pod.start();
  ASSERT_TRUE(
      pod.until([](const PodState& state) { return state.containers[0].restart_count >= 4; }));
  // The first restart is at once, the next after 200, 400 and 800 ms.
  std::vector<Time> starts;
  std::set<std::string> reasons;
  for (const auto& state : pod.history()) {
    const auto& container = state.containers[0];
    if (container.waiting()) reasons.insert(container.waiting()->reason);
    const Time started = container.running()         ? container.running()->started_at
                         : container.terminated()    ? container.terminated()->started_at
                         : container.last_terminated ? container.last_terminated->started_at
                                                     : Time{};
    if (started != Time{} && (starts.empty() || starts.back() < started)) starts.push_back(started);
  }
  EXPECT_TRUE(reasons.contains("CrashLoopBackOff"));
  const auto last = starts.size() - 1;
  EXPECT_GE(starts[last] - starts[last - 1], milliseconds(800));
  EXPECT_GE(starts[last - 1] - starts[last - 2], milliseconds(400));
  EXPECT_LT(starts[last] - starts[last - 1], milliseconds(2500));
  EXPECT_THAT(pod.container().previous_log, HasSubstr("/logs/main/"));
  EXPECT_EQ(log_text(pod.container().previous_log), "run\n");
  EXPECT_FALSE(file::exists(pod.folder() + "/logs/main/0.log"));
}

TEST(Shim, SaysWhatCannotBeStarted) {
  TestPod pod({program("a", {"no-such-program-here"}), program("b", {"/etc/passwd"}),
               program("c", {"true"})});
  pod.plan.containers[2].working_dir = "/no/such/folder";
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.start();
  ASSERT_TRUE(pod.until(ended));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(pod.container(i).terminated()->exit_code, 128);
    EXPECT_EQ(pod.container(i).terminated()->reason, "StartError");
  }
  EXPECT_THAT(pod.container(0).terminated()->message, HasSubstr("not found in $PATH"));
  EXPECT_THAT(pod.container(1).terminated()->message, HasSubstr("Permission denied"));
  EXPECT_THAT(pod.container(2).terminated()->message, HasSubstr("/no/such/folder"));
}

TEST(Shim, StopsWithSigtermFirst) {
  TestPod pod(
      {shell("main", "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done")});
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
  ASSERT_TRUE(pod.stop(seconds(30)));
  ASSERT_TRUE(pod.until(ended));
  EXPECT_EQ(pod.container().terminated()->exit_code, 0);
  EXPECT_THAT(pod.log(), HasSubstr("bye\n"));  // the shell may say that a sleep was terminated
  EXPECT_TRUE(pod.state().stopping);
}

TEST(Shim, KillsWhatIgnoresSigterm) {
  TestPod pod({shell("main", "trap '' TERM; echo up; while :; do sleep 0.05; done")});
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
  ASSERT_TRUE(pod.stop(milliseconds(300)));
  ASSERT_TRUE(pod.until(ended, seconds(3)));
  EXPECT_EQ(pod.container().terminated()->exit_code, 137);
  EXPECT_GE(pod.container().terminated()->finished_at - pod.container().terminated()->started_at,
            milliseconds(300));
}

TEST(Shim, ShorterGraceCountsWhenStopIsAskedAgain) {
  TestPod pod({shell("main", "trap '' TERM; echo up; while :; do sleep 0.05; done")});
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
  ASSERT_TRUE(pod.stop(seconds(1000)));
  ASSERT_TRUE(pod.stop(milliseconds(100)));
  EXPECT_TRUE(pod.until(ended, seconds(3)));
}

TEST(Shim, SidecarsMayStopInPeaceWhenOthersHaveUsedUpTheGrace) {
  ScratchFolder scratch;
  const std::string file = scratch.path() + "/bye";
  TestPod pod({shell("main", "trap '' TERM; echo up; while :; do sleep 0.05; done")});
  pod.plan.init_containers = {shell("side", "trap 'sleep 0.3; echo bye > " + file +
                                                "; exit 0' TERM; echo up; "
                                                "while :; do sleep 0.05; done")};
  pod.plan.init_containers[0].restart = RestartPolicy::kAlways;
  pod.start();
  ASSERT_TRUE(pod.until_true([&] {
    return pod.log() == "up\n" && log_text(pod.state().init_containers[0].log) == "up\n";
  }));
  ASSERT_TRUE(pod.stop(milliseconds(300)));
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].terminated(); }));
  EXPECT_FALSE(pod.state().ended);
  ASSERT_TRUE(pod.stop(milliseconds(0)));  // the time is over, and somebody says so again
  ASSERT_TRUE(pod.until(ended));
  EXPECT_EQ(*file::read(file), "bye\n");
}

TEST(Shim, KillsGrandchildrenWithTheContainer) {
  // One in the container's session, one that has left it, and one that hides its mark as well.
  TestPod pod({shell("main",
                     "sleep 1001 & setsid sleep 1002 & setsid env -i /bin/sleep 1003 & "
                     "(setsid sleep 1004 &) ; echo up; sleep 1005; true")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.start();
  const pid_t shim = pod.state().shim.pid;
  const auto below = [shim] {
    auto found = descendants(list_processes(), {shim}, {});
    found.erase(shim);
    return found;
  };
  ASSERT_TRUE(pod.until_true([&] { return below().size() == 6; }));
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].running(); }));
  const auto all = below();
  ::kill(pod.container().running()->pid, SIGKILL);
  ASSERT_TRUE(pod.until(ended));
  ASSERT_TRUE(pod.until_gone());
  for (const pid_t pid : all) EXPECT_FALSE(identify(pid)) << pid;
}

TEST(Shim, ReapsOrphans) {
  TestPod pod(
      {shell("main", "for i in 1 2 3 4 5; do (sleep 0.05 &) ; done; echo up; sleep 1000; true")});
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
  const auto zombies = [&] {
    std::size_t count = 0;
    for (const auto& process : list_processes())
      if (process.ended && process.parent == pod.state().shim.pid) ++count;
    return count;
  };
  ASSERT_TRUE(pod.until_true([&] { return pod.marked_processes().size() == 2; }));
  EXPECT_TRUE(pod.until_true([&] { return zombies() == 0; }, seconds(2)));
}

TEST(Shim, KillsOneContainerAndRestartsIt) {
  TestPod pod({shell("a", "sleep 1000"), shell("b", "sleep 1000")});
  pod.start();
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[1].running(); }));
  const auto neighbour = *pod.container(1).running();
  ASSERT_TRUE(pod.kill_container("a", seconds(5), "liveness probe failed"));
  ASSERT_TRUE(pod.until([](const PodState& state) {
    return state.containers[0].restart_count == 1 && state.containers[0].running();
  }));
  EXPECT_EQ(pod.container().last_terminated->exit_code, 143);
  EXPECT_EQ(pod.container().last_terminated->message, "liveness probe failed");
  EXPECT_EQ(*pod.container(1).running(), neighbour);
  const auto unknown = pod.kill_container("c", seconds(5), "");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
}

TEST(Shim, GoesOnWithoutItsServerAndIsFoundAgain) {
  TestPod pod({shell("main", "sleep 1000")});
  pod.start();
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].running(); }));
  const auto before = pod.state();
  pod.become_another_server();
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.revision > 0; }));
  EXPECT_EQ(pod.state(), before);
  ASSERT_TRUE(pod.stop(seconds(5)));
  EXPECT_TRUE(pod.until_gone());
}

TEST(Shim, OutlivesTheServerThatStartedIt) {
  TestPod pod({shell("main", "trap '' TERM; echo up; while :; do sleep 0.05; done")});
  pod.start_by_a_server_that_is_killed();
  ASSERT_TRUE(pod.until([](const PodState& state) {
    return !state.containers.empty() && state.containers[0].running();
  }));
  EXPECT_TRUE(is_alive(pod.state().shim));
  EXPECT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
}

TEST(Shim, StartOfARunningOneTakesItAsItIs) {
  TestPod pod({shell("main", "sleep 1000")});
  pod.start();
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].running(); }));
  const auto before = pod.state();
  ASSERT_TRUE(pod.try_start());
  EXPECT_EQ(pod.state(), before);
}

TEST(Shim, DeathOfTheShimIsNoticedAndTakesItsProcessesAlong) {
  TestPod pod({shell("main", "setsid sleep 1002 & sleep 1001; true")});
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.marked_processes().size() == 3; }));
  ::kill(pod.state().shim.pid, SIGKILL);
  ASSERT_TRUE(pod.until_gone(seconds(1)));
  EXPECT_FALSE(pod.state().ended);
  EXPECT_EQ(pod.marked_processes(), std::vector<pid_t>{});

  // A new one carries on: the container counts as killed, and its policy restarts it.
  ASSERT_TRUE(pod.try_start());
  ASSERT_TRUE(pod.until([](const PodState& state) {
    return state.containers[0].running() && state.containers[0].restart_count == 1;
  }));
  EXPECT_EQ(pod.container().last_terminated->exit_code, 137);
}

// As nginx has, which writes the title of its workers over it.
const char* const kWithoutEnvironment = "env -i /bin/sleep 1002 & sleep 1001; true";

std::set<pid_t> processes_below(pid_t shim) {
  auto found = descendants(list_processes(), {shim}, {});
  found.erase(shim);
  return found;
}

bool until_one_is_unmarked(TestPod& pod, pid_t shim) {
  return pod.until_true(
      [&] { return processes_below(shim).size() == 3 && pod.marked_processes().size() == 2; });
}

// After a machine has lost power: no process of the Pod is left, and the text may be cut anywhere.
TEST(Shim, BeginsAnewWhereItsPastCannotBeRead) {
  for (const std::string& damaged : {std::string(), std::string(64, '\0'), std::string("{\"rev")}) {
    TestPod pod({shell("main", "exit 3")});
    pod.plan.restart_policy = RestartPolicy::kNever;
    ASSERT_TRUE(file::make_folder(pod.folder(), 0700));
    ASSERT_TRUE(file::write(pod.folder() + "/" + kStateFile, damaged, 0600));
    pod.start();
    ASSERT_TRUE(pod.until(ended));
    EXPECT_EQ(pod.container().terminated()->exit_code, 3);
  }
}

TEST(Shim, DeathOfTheShimTakesThoseAlongThatHaveLostTheirMark) {
  TestPod pod({shell("main", kWithoutEnvironment)});
  pod.start();
  const pid_t shim = pod.state().shim.pid;
  ASSERT_TRUE(until_one_is_unmarked(pod, shim));
  const auto all = processes_below(shim);
  ::kill(shim, SIGKILL);
  ASSERT_TRUE(pod.until_gone(seconds(1)));
  for (const pid_t pid : all) EXPECT_FALSE(identify(pid)) << pid;
}

int sweep(const std::string& pods_folder, const std::set<std::string>& known) {
  return sweep_strays(pods_folder, *find_shims(pods_folder), known);
}

TEST(Shim, ANewServerSweepsThoseThatHaveLostTheirMark) {
  TestPod pod({shell("main", kWithoutEnvironment)});
  pod.start();
  const pid_t shim = pod.state().shim.pid;
  ASSERT_TRUE(until_one_is_unmarked(pod, shim));
  const auto all = processes_below(shim);
  EXPECT_EQ(sweep(pod.pods_folder(), {pod.plan.uid}), 0);
  pod.lose_sight();  // nobody notices
  ::kill(shim, SIGKILL);
  ASSERT_TRUE(pod.until_true([&] { return !identify(shim); }));
  EXPECT_GE(sweep(pod.pods_folder(), {}), 1);
  for (const pid_t pid : all) EXPECT_FALSE(identify(pid)) << pid;
}

TEST(Shim, StraysOfUnknownPodsAreSwept) {
  TestPod pod({shell("main", "setsid sleep 1002 & sleep 1001; true")});
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.marked_processes().size() == 3; }));
  EXPECT_EQ(sweep(pod.pods_folder(), {pod.plan.uid}), 0);
  EXPECT_EQ(sweep("/nowhere/pods", {}), 0);
  const auto before = pod.marked_processes();
  // The shim may see the first one die and end the rest before they are swept.
  EXPECT_GE(sweep(pod.pods_folder(), {"another"}), 1);
  EXPECT_TRUE(pod.until_true(
      [&] { return std::ranges::none_of(before, [](pid_t pid) { return ::kill(pid, 0) == 0; }); }));
}

// What the shim of a folder answers to some bytes; empty when it closes.
std::string answer_to(TestPod& pod, const std::string& bytes) {
  const Descriptor socket = dial(pod.folder());
  std::size_t sent = 0;
  std::string answer;
  const bool ended = pod.until_true([&] {
    const auto put =
        ::send(socket.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) sent += static_cast<std::size_t>(put);
    char buffer[4096];
    const auto got = ::recv(socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0) answer.append(buffer, static_cast<std::size_t>(got));
    return got == 0 || (got < 0 && errno != EAGAIN);
  });
  EXPECT_TRUE(ended);
  return answer;
}

TEST(Shim, SurvivesNonsenseOnItsSocket) {
  TestPod pod({shell("main", "sleep 1000")});
  pod.start();
  ASSERT_TRUE(pod.until([](const PodState& state) { return state.containers[0].running(); }));
  EXPECT_THAT(answer_to(pod, "nonsense\n"), HasSubstr("error"));
  EXPECT_THAT(answer_to(pod, "{\"do\":\"dance\"}\n"), HasSubstr("write stop, kill, exec"));
  EXPECT_THAT(answer_to(pod, "{\"do\":\"exec\",\"container\":\"main\"}\n"), HasSubstr("argv"));
  EXPECT_EQ(answer_to(pod, std::string(2 * kMaxMessage, 'x')), "");
  std::vector<Descriptor> idle;
  for (int i = 0; i < 100; ++i) idle.push_back(dial(pod.folder()));
  const auto answer = pod.exec("main", {"true"}, seconds(5));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->exit_code, 0);
}

TEST(Shim, NoShimNoAnswer) {
  TestPod pod({shell("main", "true")});
  const auto stopped = pod.stop(seconds(1));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kUnavailable);
  const auto started = pod.try_start();
  ASSERT_TRUE(started);
}

TEST(Shim, RefusesAPlanThatSaysNothing) {
  TestPod pod({program("main", {})});
  const auto started = pod.try_start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("containers[0].argv"));
}

}  // namespace

}  // namespace slipway::runtime
