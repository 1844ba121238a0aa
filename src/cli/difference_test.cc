#include "cli/difference.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

std::vector<std::string> between(std::string_view before, std::string_view after) {
  return differences(json::read(before).value(), json::read(after).value());
}

TEST(Difference, NamesEachChangedFieldByItsPath) {
  EXPECT_EQ(between(R"({"spec":{"replicas":4,"list":[{"a":1},{"a":2}],"gone":"x"}})",
                    R"({"spec":{"replicas":6,"list":[{"a":1},{"a":3},{"a":4}],"paused":true}})"),
            (std::vector<std::string>{"spec.replicas: 4 -> 6", "spec.list[1].a: 2 -> 3",
                                      "spec.list[2]: added {\"a\":4}", "spec.gone: removed",
                                      "spec.paused: added true"}));
}

TEST(Difference, LeavesOutWhatTheServerWrites) {
  EXPECT_EQ(
      between(
          R"({"metadata":{"resourceVersion":"1","generation":1,"managedFields":[]},"status":{"a":1}})",
          R"({"metadata":{"resourceVersion":"2","generation":2,"managedFields":[{}]},"status":{"a":2}})"),
      std::vector<std::string>{});
}

TEST(Difference, ANumberWrittenAnotherWayIsNoChange) {
  EXPECT_TRUE(between(R"({"a":1})", R"({"a":1.0})").empty());
}

TEST(Difference, NeverShowsTheContentsOfASecret) {
  EXPECT_EQ(between(R"({"kind":"Secret","type":"a","data":{"pw":"aHVudGVyMg==","old":"b2xk"}})",
                    R"({"kind":"Secret","type":"b","data":{"pw":"Y29ycmVjdA==","new":"bmV3"}})"),
            (std::vector<std::string>{"type: \"a\" -> \"b\"", "data.pw: changed",
                                      "data.old: removed", "data.new: added"}));
  EXPECT_EQ(between(R"({"kind":"Secret"})", R"({"kind":"Secret","data":{"pw":"aHVudGVyMg=="}})"),
            std::vector<std::string>{"data.pw: added"});
  EXPECT_EQ(between(R"({"kind":"ConfigMap","data":{"a":"1"}})",
                    R"({"kind":"ConfigMap","data":{"a":"2"}})"),
            std::vector<std::string>{"data.a: \"1\" -> \"2\""});
}

TEST(Difference, NeverShowsTheManifestThatKubectlKeeps) {
  const std::string kept =
      R"("kubectl.kubernetes.io/last-applied-configuration":"{\"data\":\"aHVudGVyMg==\"}")";
  const std::string place = "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration";
  EXPECT_EQ(between(R"({"metadata":{}})", R"({"metadata":{"annotations":{"a":"1",)" + kept + "}}}"),
            (std::vector<std::string>{"metadata.annotations.a: added \"1\"", place + ": added"}));
  EXPECT_EQ(
      between(
          R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":""}}})",
          R"({"metadata":{"annotations":{)" + kept + "}}}"),
      std::vector<std::string>{place + ": changed"});
}

TEST(Difference, CountsWhatItDoesNotShow) {
  json::Object before, after;
  for (int i = 0; i < 30; ++i) {
    before["k" + std::to_string(i)] = 0;
    after["k" + std::to_string(i)] = 1;
  }
  const auto found = differences(before, after);
  ASSERT_EQ(found.size(), kMaxDifferences + 1);
  EXPECT_EQ(found.back(), "… and 10 more");
}

TEST(Difference, CutsLongValuesBetweenCharacters) {
  const json::Value before = {{"a", ""}}, after = {{"a", std::string(58, 'x') + "äöü"}};
  const auto found = differences(before, after);
  EXPECT_EQ(found.front(), "a: \"\" -> \"" + std::string(58, 'x') + "…");
}

}  // namespace
}  // namespace slipway::cli
