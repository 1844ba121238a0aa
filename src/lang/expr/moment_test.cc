#include "lang/expr/moment.h"

#include <gtest/gtest.h>

namespace slipway::lang::expr {
namespace {

TEST(Moment, IsReadAndWrittenAlongALayout) {
  const struct {
    std::string_view layout;
    std::string_view text;
    std::string_view shown;
  } cases[] = {
      {"2006-01-02", "2024-02-29", "2024-02-29 00:00:00 +0000 UTC"},
      {"2006-01-02T15:04:05Z07:00", "2024-01-02T03:04:05.25+02:00",
       "2024-01-02 03:04:05.25 +0200 +0200"},
      {"Mon, 02 Jan 2006 15:04:05 MST", "Tue, 02 Jan 2024 03:04:05 GMT",
       "2024-01-02 03:04:05 +0000 GMT"},
      {"2 January 06 3:04PM", "5 March 69 12:30AM", "1969-03-05 00:30:00 +0000 UTC"},
      {"15:04:05", "12:30:00", "0000-01-01 12:30:00 +0000 UTC"},
      {"15:04:05", "1:30:00", "0000-01-01 01:30:00 +0000 UTC"},
  };
  for (const auto& c : cases) {
    const auto moment = parse_moment(c.layout, c.text);
    ASSERT_TRUE(moment) << moment.error();
    EXPECT_EQ(moment_text(*moment), c.shown);
  }
  EXPECT_EQ(format_moment(Moment{.seconds = 0, .nanoseconds = 120'000'000},
                          "Monday 2 Jan 2006 03:04:05.000 pm -07:00"),
            "Thursday 1 Jan 1970 12:00:00.120 am +00:00");
}

TEST(Moment, IsRefusedInGosWords) {
  EXPECT_EQ(parse_moment("2006-01-02", "2023-02-29").error(),
            R"(parsing time "2023-02-29": day out of range)");
  EXPECT_EQ(parse_moment("2006", "x").error(),
            R"(parsing time "x" as "2006": cannot parse "x" as "2006")");
  EXPECT_EQ(parse_moment("2006", "20241").error(), R"(parsing time "20241": extra text: "1")");
  EXPECT_EQ(parse_moment("15:04", "24:00").error(), R"(parsing time "24:00": hour out of range)");
}

TEST(Moment, IsShiftedAcrossDaysAndYears) {
  const Moment start = *parse_moment("2006-01-02", "2023-12-31");
  const Moment later = shifted(start, 36LL * 3600 * 1'000'000'000);
  EXPECT_EQ(moment_text(later), "2024-01-01 12:00:00 +0000 UTC");
  EXPECT_EQ(between(later, start), 36LL * 3600 * 1'000'000'000);
  EXPECT_EQ(moment_text(shifted(start, -1)), "2023-12-30 23:59:59.999999999 +0000 UTC");
}

TEST(DurationProblem, IsNamedAsGoNamesIt) {
  EXPECT_EQ(duration_problem("5"), R"(time: missing unit in duration "5")");
  EXPECT_EQ(duration_problem("1x"), R"(time: unknown unit "x" in duration "1x")");
  EXPECT_EQ(duration_problem(""), R"(time: invalid duration "")");
  EXPECT_EQ(duration_problem("h"), R"(time: invalid duration "h")");
}

}  // namespace
}  // namespace slipway::lang::expr
