#include "runtime/shim/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

PodPlan full_plan() {
  return {
      .uid = "u-1",
      .ns = "shop",
      .name = "web",
      .pod_ip = "127.64.0.9",
      .restart_policy = RestartPolicy::kOnFailure,
      .grace_seconds = 7,
      .init_containers = {{.name = "setup",
                           .argv = {"true"},
                           .restart = RestartPolicy::kAlways,
                           .startup_probe = true,
                           .pre_stop = Hook{.exec = {"sync"}}}},
      .containers =
          {{.name = "main",
            .image = "web:1",
            .argv = {"serve", "--port", "80"},
            .env = {{"A", "1"}, {"B", "x=y\n\"z\""}},
            .working_dir = "/srv",
            .pre_stop = Hook{.http_port = 80, .http_path = "/bye", .http_headers = {{"X", "1"}}},
            .mounts = {{.source = "/a", .target = "/b", .read_only = true, .within = "/w"}},
            .termination_message_file = "/t",
            .termination_message_from_log = true}},
      .tuning = {.backoff_first = std::chrono::milliseconds(5), .log_bytes = 100, .log_files = 2},
  };
}

TEST(PodPlanJson, ReadsBackWhatItWrote) {
  const json::Value written = to_json(full_plan());
  const auto read = parse_plan(written);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(json::write(to_json(*read)), json::write(written));
  EXPECT_EQ(read->containers[0].env, full_plan().containers[0].env);
  EXPECT_EQ(read->containers[0].pre_stop->http_path, "/bye");
  EXPECT_EQ(read->containers[0].mounts[0].within, "/w");
  EXPECT_EQ(read->init_containers[0].restart, RestartPolicy::kAlways);
  EXPECT_TRUE(read->init_containers[0].startup_probe);
  EXPECT_FALSE(read->containers[0].startup_probe);
  EXPECT_EQ(read->tuning.backoff_first, std::chrono::milliseconds(5));
}

TEST(PodPlanJson, KeepsBytesThatAreNoCharacters) {
  PodPlan plan = full_plan();
  plan.containers[0].env = {{"KEY", "\x80\xFFok"}, {"PLAIN", "\uFFFD"}};
  plan.containers[0].argv = {"serve", "\xC3"};
  const ScratchFolder scratch;
  ASSERT_TRUE(write_plan(scratch.path() + "/p", plan));
  const auto read = read_plan(scratch.path() + "/p");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->containers[0].env, plan.containers[0].env);
  EXPECT_EQ(read->containers[0].argv, plan.containers[0].argv);
}

TEST(PodPlanJson, IsReadableByItsOwnerAlone) {
  const ScratchFolder scratch;
  const std::string folder = scratch.path() + "/pods/u-1";
  ASSERT_TRUE(write_plan(folder, full_plan()));
  EXPECT_EQ(file::status(folder)->mode, 0700U);
  EXPECT_EQ(file::status(folder + "/plan.json")->mode, 0600U);
  ASSERT_TRUE(read_plan(folder));
}

TEST(PodPlanJson, RefusesWhatCannotBeRun) {
  struct Case {
    const char* text;
    const char* where;
  };
  for (const auto& [text, where] : std::vector<Case>{
           {R"(3)", ""},
           {R"({})", "uid"},
           {R"({"uid":3})", "uid"},
           {R"({"uid":"u","restartPolicy":"Sometimes"})", "restartPolicy"},
           {R"({"uid":"u","graceSeconds":-1})", "graceSeconds"},
           {R"({"uid":"u","containers":{}})", "containers"},
           {R"({"uid":"u","containers":[{"name":"a"}]})", "containers[0].argv"},
           {R"({"uid":"u","containers":[{"name":"a/b","argv":["x"]}]})", "containers[0].name"},
           {R"({"uid":"u","containers":[{"name":"..","argv":["x"]}]})", "containers[0].name"},
           {R"({"uid":"u","containers":[{"name":"a","argv":["x",1]}]})", "containers[0].argv[1]"},
           {R"({"uid":"u","containers":[{"name":"a","argv":[{"base64":"?"}]}]})",
            "containers[0].argv[0]"},
           {R"({"uid":"u","containers":[{"name":"a","argv":["x"],"mounts":[{"source":"/a"}]}]})",
            "containers[0].mounts[0].target"},
           {R"({"uid":"u","tuning":{"logFiles":0}})", "tuning.logFiles"},
       }) {
    const auto plan = parse_plan(*json::read(text));
    ASSERT_FALSE(plan) << text;
    EXPECT_EQ(plan.error().where, where) << text;
  }
}

}  // namespace

}  // namespace slipway::runtime
