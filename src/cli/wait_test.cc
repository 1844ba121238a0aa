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

TEST(Goal, IsNotFulfilledByAConditionOfAnOlderGeneration) {
  struct Case {
    const char* generation;
    const char* of_status;
    const char* of_condition;
    bool expected;
  };
  const Case cases[] = {
      {"2", "1", "null", false},   {"2", "2", "null", true},   {"2", "3", "null", true},
      {"2", "2", "1", false},      {"2", "1", "2", true},      {"2", "null", "1", false},
      {"2", "null", "null", true}, {"null", "1", "1", true},   {"2", R"("1")", "null", true},
      {R"("2")", "1", "1", true},  {"2", "1", R"("2")", false}};
  for (const Case& one : cases) {
    json::Value object =
        json::Object{{"metadata", json::Object{{"generation", *json::read(one.generation)}}},
                     {"status", json::Object{{"observedGeneration", *json::read(one.of_status)}}}};
    object.get_object()["status"].get_object()["conditions"] =
        json::Array{json::Object{{"type", "Ready"},
                                 {"status", "True"},
                                 {"observedGeneration", *json::read(one.of_condition)}}};
    EXPECT_EQ(fulfils(object, parse_goal("condition=Ready").value()), one.expected)
        << json::write(object);
    EXPECT_TRUE(fulfils(object, parse_goal("jsonpath={.status.conditions}").value()));
  }
}

TEST(Deletion, IsSeenThoughTheNameIsTakenAgain) {
  const Result<json::Value> there =
      json::Value(json::Object{{"metadata", json::Object{{"uid", "b"}}}});
  const Result<json::Value> missing = fail(ErrorCode::kNotFound, "gone");
  const Result<json::Value> unanswered = fail(ErrorCode::kUnavailable, "nobody there");
  EXPECT_TRUE(is_gone(there, "a"));
  EXPECT_FALSE(is_gone(there, "b"));
  EXPECT_TRUE(is_gone(there, "")) << "there was none at first";
  EXPECT_FALSE(is_gone(there, std::nullopt)) << "which one was there at first is not known";
  EXPECT_TRUE(is_gone(missing, "a"));
  EXPECT_TRUE(is_gone(missing, std::nullopt));
  EXPECT_FALSE(is_gone(unanswered, "a"));
  EXPECT_FALSE(is_gone(Result<json::Value>(json::Value(json::Object())), "")) << "without a uid";
}

}  // namespace
}  // namespace slipway::cli
