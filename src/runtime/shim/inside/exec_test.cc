#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/file.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

bool ended(const PodState& state) { return state.ended; }
bool runs(const PodState& state) { return state.containers[0].running() != nullptr; }

TEST(ShimExec, RunsBesideTheContainer) {
  TestPod pod({shell("main", "sleep 1000; true")});
  pod.plan.containers[0].env = {{"COLOUR", "blue"}};
  pod.plan.pod_ip = "127.99.7.3";
  pod.start();
  ASSERT_TRUE(pod.until(runs));
  const auto answer =
      pod.exec("main", {"sh", "-c", "echo $COLOUR $POD_IP; echo bad >&2; exit 4"}, seconds(5));
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->exit_code, 4);
  EXPECT_FALSE(answer->timed_out);
  EXPECT_THAT(answer->output, HasSubstr("blue 127.99.7.3\n"));
  EXPECT_THAT(answer->output, HasSubstr("bad\n"));
}

TEST(ShimExec, IsKilledWhenItTakesTooLong) {
  TestPod pod({shell("main", "sleep 1000; true")});
  pod.start();
  ASSERT_TRUE(pod.until(runs));
  const auto answer = pod.exec("main", {"sh", "-c", "echo early; sleep 999"}, milliseconds(300));
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->timed_out);
  EXPECT_EQ(answer->exit_code, 137);
  EXPECT_EQ(answer->output, "early\n");
  EXPECT_TRUE(pod.until_true([&] { return pod.marked_processes().size() == 2; }, seconds(2)));
}

TEST(ShimExec, SaysWhatCannotBeRun) {
  TestPod pod({shell("main", "sleep 1000; true")});
  pod.start();
  ASSERT_TRUE(pod.until(runs));
  const auto missing = pod.exec("main", {"no-such-program-here"}, seconds(1));
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->exit_code, 126);
  EXPECT_THAT(missing->output, HasSubstr("not found in $PATH"));
  const auto unknown = pod.exec("other", {"true"}, seconds(1));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
}

TEST(ShimExec, KeepsTheFirstPartOfALongOutput) {
  TestPod pod({shell("main", "sleep 1000; true")});
  pod.start();
  ASSERT_TRUE(pod.until(runs));
  const auto answer = pod.exec("main", {"sh", "-c", "yes | head -c 5000000"}, seconds(20));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->exit_code, 0);
  EXPECT_EQ(answer->output.size(), kMaxExecOutput);
}

TEST(ShimHooks, RunBeforeSigterm) {
  TestPod pod(
      {shell("main", "trap 'echo term; exit 0' TERM; echo up; while :; do sleep 0.05; done")});
  const ScratchFolder scratch;
  const std::string file = scratch.path() + "/hook";
  pod.plan.containers[0].pre_stop = Hook{.exec = {"sh", "-c", "sleep 0.3; date +%s%N > " + file}};
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
  ASSERT_TRUE(pod.stop(seconds(30)));
  ASSERT_TRUE(pod.until(ended));
  EXPECT_THAT(pod.log(), testing::HasSubstr("\nterm\n"));
  const auto hook = file::read(file);
  ASSERT_TRUE(hook);
  EXPECT_LT(Time(Duration(std::stoll(*hook))), pod.container().terminated()->finished_at);
}

TEST(ShimHooks, AskOverHttp) {
  TestPod pod({program("main", {"python3", "-u", "-m", "http.server", "28099"})});
  pod.plan.pod_ip = "127.99.7.4";
  pod.plan.containers[0].pre_stop = Hook{.http_port = 28099, .http_path = "/drain?x=1"};
  pod.start();
  ASSERT_TRUE(
      pod.until_true([&] { return pod.log().find("Serving") != std::string::npos; }, seconds(20)));
  ASSERT_TRUE(pod.stop(seconds(30)));
  ASSERT_TRUE(pod.until(ended));
  EXPECT_THAT(pod.log(), HasSubstr("GET /drain?x=1"));
}

TEST(ShimHooks, DoNotOutlastTheGrace) {
  TestPod pod(
      {shell("main", "trap 'echo term; exit 0' TERM; echo up; while :; do sleep 0.05; done")});
  pod.plan.containers[0].pre_stop = Hook{.exec = {"sleep", "998"}};
  pod.start();
  ASSERT_TRUE(pod.until_true([&] { return pod.log() == "up\n"; }));
  ASSERT_TRUE(pod.stop(milliseconds(300)));
  ASSERT_TRUE(pod.until(ended, seconds(5)));
  EXPECT_THAT(pod.log(), testing::HasSubstr("\nterm\n"));
  EXPECT_EQ(pod.container().terminated()->exit_code, 0);
}

TEST(ShimSidecars, OutliveTheContainersAndStopWithThem) {
  TestPod pod({shell("main", "sleep 0.3")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.plan.init_containers = {shell("proxy", "trap 'exit 0' TERM; while :; do sleep 0.05; done")};
  pod.plan.init_containers[0].restart = RestartPolicy::kAlways;
  pod.start();
  ASSERT_TRUE(pod.until(ended));
  EXPECT_EQ(pod.state().init_containers[0].terminated()->exit_code, 0);
  EXPECT_GE(pod.state().init_containers[0].terminated()->finished_at,
            pod.container().terminated()->finished_at);
  EXPECT_EQ(pod.state().init_containers[0].restart_count, 0);
}

TEST(ShimLogs, AreRotated) {
  TestPod pod({shell("main", "i=0; while [ $i -lt 400 ]; do echo line $i; i=$((i+1)); done")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  pod.plan.tuning.log_bytes = 4096;
  pod.plan.tuning.log_files = 3;
  pod.start();
  ASSERT_TRUE(pod.until(ended));
  const std::string path = pod.container().log;
  EXPECT_THAT(log_text(path), testing::EndsWith("line 399\n"));
  EXPECT_TRUE(file::exists(path + ".1"));
  EXPECT_TRUE(file::exists(path + ".2"));
  EXPECT_FALSE(file::exists(path + ".3"));
  EXPECT_THAT(*file::read(path), testing::ContainsRegex("^20..-..-..T..:..:.........*Z stdout F "));
}

TEST(ShimMessages, ComeFromTheFileOrTheLog) {
  TestPod pod({shell("a", "echo from file > $FILE; exit 1"), shell("b", "echo from log; exit 1"),
               shell("c", "echo unused; exit 0")});
  pod.plan.restart_policy = RestartPolicy::kNever;
  const ScratchFolder scratch;
  const std::string file = scratch.path() + "/message";
  pod.plan.containers[0].env = {{"FILE", file}};
  pod.plan.containers[0].termination_message_file = file;
  for (auto& container : pod.plan.containers) container.termination_message_from_log = true;
  pod.start();
  ASSERT_TRUE(pod.until(ended));
  EXPECT_EQ(pod.container(0).terminated()->message, "from file\n");
  EXPECT_EQ(pod.container(1).terminated()->message, "from log\n");
  EXPECT_EQ(pod.container(2).terminated()->message, "");
}

}  // namespace

}  // namespace slipway::runtime
