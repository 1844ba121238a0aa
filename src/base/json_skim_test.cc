#include "base/json_skim.h"

#include <gtest/gtest.h>

namespace slipway::json {
namespace {

constexpr std::string_view kLeftOut[] = {"spec", "managedFields"};

TEST(Skim, LeavesOutNamedMembersOfTheTopTwoLevels) {
  const struct {
    const char *text, *left;
  } cases[] = {
      {R"({"a":1,"spec":{"b":[1,{"c":"}]\"\\"}]},"d":2})", R"({"a":1,"d":2})"},
      {R"({"spec":"x"})", "{}"},
      {R"({"spec" : -1.5e3 , "a":null})", R"({"a":null})"},
      {R"({"spec":[],"spec":{},"a":true})", R"({"a":true})"},
      {R"({"metadata":{"managedFields":[{"f:spec":{}}],"labels":{"spec":"kept"}}})",
       R"({"metadata":{"labels":{"spec":"kept"}}})"},
  };
  for (const auto& one : cases) {
    const auto read = skim(one.text, kLeftOut);
    ASSERT_TRUE(read) << one.text << ": " << read.error().text();
    EXPECT_EQ(write(*read), one.left) << one.text;
  }
}

TEST(Skim, RefusesWhatDoesNotEnd) {
  for (const char* text :
       {R"({"spec":{)", R"({"spec":"a)", R"({"spec":"a\)", "[]", "", R"({"spec":1)", R"({"a":1}})"})
    EXPECT_FALSE(skim(text, kLeftOut)) << text;
}

TEST(Skim, RefusesWhatIsNestedTooDeepEvenWhereItLeavesOut) {
  EXPECT_TRUE(skim(R"({"spec":{"a":[]}})", kLeftOut, {.max_depth = 3}));
  EXPECT_FALSE(skim(R"({"spec":{"a":[]}})", kLeftOut, {.max_depth = 2}));
}

}  // namespace
}  // namespace slipway::json
