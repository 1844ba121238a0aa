#include "api/lint/lint_placeholders.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

struct Case {
  std::string_view text, quoted;
};

TEST(LintPlaceholders, OnlyBareOnesGetQuotes) {
  const Case cases[] = {
      {"a: {{args.x}}\n", "a: \"{{args.x}}\"\n"},
      {"- {{ args.x }}-tail  # why\nb: 1", "- \"{{ args.x }}-tail\"  # why\nb: 1"},
      {"a: \"{{args.x}}\"\n", "a: \"{{args.x}}\"\n"},
      {"a: '{{args.x}}'\n", "a: '{{args.x}}'\n"},
      {"a: http://{{args.x}}/\n", "a: http://{{args.x}}/\n"},
      {"# a: {{args.x}}\n", "# a: {{args.x}}\n"},
      {"a: {b: {c: 1}}\n", "a: {b: {c: 1}}\n"},
      {"", ""},
  };
  for (const Case& c : cases) {
    std::vector<Problem> problems;
    EXPECT_EQ(quote_placeholders(c.text, problems), c.quoted);
    EXPECT_EQ(problems.empty(), c.text == c.quoted) << c.text;
  }
}

TEST(LintPlaceholders, AreWarnedAboutWithTheirLine) {
  std::vector<Problem> problems;
  const auto documents = read_for_lint("kind: X\nvalue: {{args.x}}\n", problems);
  ASSERT_TRUE(documents.has_value());
  EXPECT_EQ(json::string_at(documents->front().value, {"value"}), "{{args.x}}");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].line, 2);
  EXPECT_EQ(problems[0].severity, Problem::Severity::kWarning);
}

TEST(LintPlaceholders, OtherMistakesStayErrors) {
  std::vector<Problem> problems;
  EXPECT_FALSE(read_for_lint("a: [1\nb: {{args.x}}\n", problems).has_value());
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace slipway::api
