#include "cli/wait.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

TEST(Goal, IsReadFromEachForm) {
  EXPECT_EQ(parse_goal("delete")->kind, Goal::Kind::kDelete);
  EXPECT_EQ(parse_goal("create")->kind, Goal::Kind::kCreate);
  const auto condition = parse_goal("condition=Ready");
  EXPECT_EQ(condition->name, "Ready");
  EXPECT_EQ(condition->value, "true");
  EXPECT_EQ(parse_goal("condition=Ready=False")->value, "false");
  const auto path = parse_goal(R"(jsonpath={.status.conditions[?(@.type=="Ready")].status}=True)");
  ASSERT_TRUE(path) << path.error().text();
  EXPECT_EQ(path->name, R"({.status.conditions[?(@.type=="Ready")].status})");
  EXPECT_EQ(path->value, "True");
  EXPECT_EQ(parse_goal("jsonpath={.status.phase}")->value, "");
}

TEST(Goal, RefusesWhatItDoesNotKnowAndSaysWhatItDoes) {
  for (const char* text : {"", "ready", "condition=", "jsonpath={.a[", "delete=now"}) {
    const auto goal = parse_goal(text);
    EXPECT_FALSE(goal) << text;
  }
  EXPECT_NE(parse_goal("ready").error().message.find("condition=NAME"), std::string::npos);
}

TEST(Goal, IsFulfilledByConditionsAndPaths) {
  const json::Value object =
      json::read(
          R"({"status":{"phase":"Running","replicas":3,"conditions":[{"type":"Ready","status":"True"}]}})")
          .value();
  const std::pair<const char*, bool> cases[] = {{"condition=ready", true},
                                                {"condition=Ready=false", false},
                                                {"condition=Other", false},
                                                {"jsonpath={.status.phase}=Running", true},
                                                {"jsonpath={.status.phase}=Failed", false},
                                                {"jsonpath={.status.replicas}=3", true},
                                                {"jsonpath={.status.phase}", true},
                                                {"jsonpath={.status.none}", false}};
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(fulfils(object, parse_goal(text).value()), expected) << text;
}

}  // namespace
}  // namespace slipway::cli
