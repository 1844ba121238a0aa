#include "cli/tree/tree.h"

#include <gtest/gtest.h>

#include "cli/tree/branches.h"
#include "cli/tree/marks.h"

namespace slipway::cli {
namespace {

TEST(Tree, DrawsEachLevelUnderItsParent) {
  const TreeNode root{
      .sign = "⟳",
      .name = "web",
      .kind = "Rollout",
      .mark = {"✔", "Healthy", Tone::kGood},
      .age = "7d",
      .children = {{.sign = "#",
                    .name = "revision:2",
                    .children = {{.sign = "⧉",
                                  .name = "web-1",
                                  .kind = "ReplicaSet",
                                  .mark = {"✔", "Healthy", Tone::kGood},
                                  .age = "7d",
                                  .info = "stable",
                                  .children = {{.sign = "□", .name = "web-1-a", .kind = "Pod"}}},
                                 {.sign = "Σ", .name = "web-1-2", .kind = "Experiment"}}},
                   {.sign = "#", .name = "revision:1"}}};
  EXPECT_EQ(render_tree(root),
            "NAME                KIND        STATUS     AGE  INFO\n"
            "⟳ web               Rollout     ✔ Healthy  7d\n"
            "├──# revision:2\n"
            "│  ├──⧉ web-1       ReplicaSet  ✔ Healthy  7d   stable\n"
            "│  │  └──□ web-1-a  Pod\n"
            "│  └──Σ web-1-2     Experiment\n"
            "└──# revision:1\n");
}

TEST(Tree, ColoursOnlyTheStatusAndKeepsColumns) {
  const TreeNode root{.name = "a",
                      .kind = "Pod",
                      .mark = {"✖", "Failed", Tone::kBad},
                      .age = "1s",
                      .info = "x\x1b[2Jy"};
  const std::string text = render_tree(root, {.colour = true});
  EXPECT_NE(text.find("Pod   \x1b[31m✖ Failed\x1b[0m  1s"), std::string::npos) << text;
  EXPECT_EQ(text.find("\x1b[2J"), std::string::npos) << "nothing else reaches the terminal";
}

TEST(Tree, WordsOfMarksComeFromContainersToo) {
  const Mark mark{"⚠", "x\x1b[2J\ny", Tone::kBad};
  EXPECT_EQ(shown(mark, true), "\x1b[31m⚠ x [2J y\x1b[0m");
  const std::string text = render_tree({.name = "a", .kind = "Pod", .mark = mark});
  EXPECT_NE(text.find("⚠ x [2J y\n"), std::string::npos) << text;
}

TEST(Tree, LeavesOutWhatIsTooMuch) {
  TreeNode root{.name = "root"};
  root.children.resize(kMaxTreeLines + 5);
  const std::string text = render_tree(root);
  EXPECT_TRUE(text.ends_with("… and 7 more\n")) << text.substr(text.size() - 40);
}

TEST(Pods, SayWhatEndedThemBeforeTheyWaited) {
  const auto pod = [](std::string_view last) {
    return *json::read(R"({"metadata":{"uid":"p"},"status":{"phase":"Running","conditions":[
        {"type":"Ready","status":"False"}],"containerStatuses":[{"state":{"waiting":
        {"reason":"CrashLoopBackOff","message":"back-off 10s"}},"lastState":)" +
                       std::string(last) + "}]}}");
  };
  const Grove grove;
  const json::Value told = pod(R"({"terminated":{"exitCode":1,"message":"port 80 is in use"}})");
  EXPECT_EQ(trouble_of(told, grove), "port 80 is in use");
  const json::Value silent = pod(R"({"terminated":{"exitCode":1}})");
  EXPECT_EQ(trouble_of(silent, grove), "back-off 10s");
}

TEST(Header, PadsItsKeys) {
  EXPECT_EQ(
      render_header({{"Name", "web"}, {"  Step", "1/2"}, {"Images", "a"}, {"", "b"}, {"R", ""}}),
      "Name:            web\n  Step:          1/2\nImages:          a\n                 b\nR:\n");
}

TEST(Header, GoesOnInTheNextLineWhereThereIsNoRoom) {
  EXPECT_EQ(render_header({{"Message", "one two three four five"}, {"Name", "web"}}, 41),
            "Message:         one two three four five\nName:            web\n");
  EXPECT_EQ(
      render_header({{"Message", "one two three four fives ▁▁▁"}, {"Name", "web"}}, 41),
      "Message:         one two three four fives\n                 ▁▁▁\nName:            web\n");
  EXPECT_EQ(render_header({{"Message", "a bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb c"}}, 41),
            "Message:         a\n                 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
            "                 c\n");
}

json::Value from(std::string_view text) { return *json::read(text); }

TEST(Marks, OfPodsAreKubectlsWords) {
  struct Case {
    std::string_view pod, expected;
  };
  const Case cases[] = {
      {R"({})", "◌ Pending"},
      {R"({"status":{"phase":"Running","containerStatuses":[{"state":{"running":{}}}]}})",
       "✔ Running"},
      {R"({"status":{"phase":"Running","containerStatuses":[{"state":{"waiting":
          {"reason":"CrashLoopBackOff"}}}]}})",
       "⚠ CrashLoopBackOff"},
      {R"({"status":{"phase":"Succeeded","containerStatuses":[{"state":{"terminated":
          {"reason":"Completed","exitCode":0}}}]}})",
       "✔ Completed"},
      {R"({"status":{"phase":"Failed","containerStatuses":[{"state":{"terminated":
          {"exitCode":3}}}]}})",
       "✖ ExitCode:3"},
      {R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"status":{"phase":"Running"}})",
       "◌ Terminating"},
      {R"({"spec":{"initContainers":[{},{}]},"status":{"phase":"Pending","initContainerStatuses":
          [{"state":{"terminated":{"exitCode":0}}},{"state":{"running":{}}}]}})",
       "◌ Init:1/2"},
      {R"({"spec":{"initContainers":[{}]},"status":{"phase":"Pending","initContainerStatuses":
          [{"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}})",
       "⚠ Init:CrashLoopBackOff"},
  };
  for (const Case& one : cases) EXPECT_EQ(shown(pod_mark(from(one.pod)), false), one.expected);
}

TEST(Marks, OfTheRest) {
  const auto set = [](std::string_view text) { return shown(replica_set_mark(from(text)), false); };
  EXPECT_EQ(set(R"({"spec":{"replicas":0}})"), "• ScaledDown");
  EXPECT_EQ(set(R"({"spec":{"replicas":2},"status":{"replicas":2,"availableReplicas":1}})"),
            "◌ Progressing");
  EXPECT_EQ(set(R"({"spec":{"replicas":2},"status":{"replicas":2,"availableReplicas":2}})"),
            "✔ Healthy");
  const auto job = [](std::string_view type) {
    return shown(
        job_mark(json::Object{
            {"status", json::Object{{"conditions", json::Array{json::Object{
                                                       {"type", type}, {"status", "True"}}}}}}}),
        false);
  };
  EXPECT_EQ(job("Complete"), "✔ Successful");
  EXPECT_EQ(job("Failed"), "✖ Failed");
  EXPECT_EQ(job("Suspended"), "◌ Running");
  EXPECT_EQ(shown(phase_mark(""), false), "◷ Pending");
  EXPECT_EQ(shown(phase_mark("Error"), false), "⚠ Error");
}

}  // namespace
}  // namespace slipway::cli
