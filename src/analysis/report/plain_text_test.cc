#include "analysis/report/plain_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace slipway::analysis::report {
namespace {

TEST(PlainText, HasNoPowerOverATerminal) {
  EXPECT_EQ(one_line("errors\x1b[2Jgone"), "errors [2Jgone");
  EXPECT_EQ(one_line("  two\n\tlines\r\n"), "two lines");
  EXPECT_EQ(one_line("a\xC2\x9B"
                     "b"),
            "a b");  // CSI in one character
  EXPECT_EQ(one_line("a\xFF"
                     "b"),
            "a\uFFFD"
            "b");
  EXPECT_EQ(one_line("a\u202Eb"), "a b");
  EXPECT_EQ(one_line("größe 日本"), "größe 日本");
}

TEST(PlainText, IsShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("größe", 5), "größe");
  EXPECT_EQ(shortened("größe", 4), "grö…");
  EXPECT_EQ(shortened("größe", 1), "…");
  EXPECT_EQ(shortened("größe", 0), "");
}

TEST(PlainText, NumbersHaveFourDigits) {
  EXPECT_EQ(short_number(0.0123456), "0.01235");
  EXPECT_EQ(short_number(1234567890), "1.235e+09");
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(short_number(-std::numeric_limits<double>::infinity()), "-Inf");
}

}  // namespace
}  // namespace slipway::analysis::report
