#include <gtest/gtest.h>

#include "lang/template/float_format.h"
#include "lang/template/number.h"
#include "lang/template/print.h"
#include "lang/template/quote.h"
#include "lang/template/runes.h"

namespace slipway::lang::go {
namespace {

std::string shown(const std::string& text, NumberSyntax syntax = NumberSyntax::kPlain) {
  auto parsed = parse_number(text, syntax);
  if (!parsed) return parsed.error();
  return *parsed ? type_name(**parsed) + " " + printed(**parsed, 1000) : "overflow";
}

TEST(Number, HasTheTypeItsSpellingAsksFor) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"0", "int 0"},
      {"017", "int 15"},
      {"0b1_01", "int 5"},
      {"0xFf", "int 255"},
      {"-9223372036854775808", "int -9223372036854775808"},
      {"9223372036854775808", "overflow"},
      {"18446744073709551616", "integer overflow: \"18446744073709551616\""},
      {"08", "integer overflow: \"08\""},
      {"1.0", "float64 1"},
      {"-0x1e", "float64 -30"},
      {"0x1p4", "float64 16"},
      {"1e400", "illegal number syntax: \"1e400\""},
      {"1__0", "illegal number syntax: \"1__0\""},
      {".", "illegal number syntax: \".\""},
      {"2.5i", "complex128 (0+2.5i)"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(shown(text), expected) << text;
}

TEST(Number, ReadsCharactersAndComplexNumbers) {
  EXPECT_EQ(shown("'a'", NumberSyntax::kChar), "int 97");
  EXPECT_EQ(shown("'\\u00e9'", NumberSyntax::kChar), "int 233");
  EXPECT_EQ(shown("'ab'", NumberSyntax::kChar), "malformed character constant: 'ab'");
  EXPECT_EQ(shown("'\\z'", NumberSyntax::kChar), "invalid syntax");
  EXPECT_EQ(shown("1-2.5i", NumberSyntax::kComplex), "complex128 (1-2.5i)");
  EXPECT_EQ(shown("1-i", NumberSyntax::kComplex), "syntax error scanning complex number");
  EXPECT_EQ(shown("0b1+2i", NumberSyntax::kComplex), "syntax error scanning complex number");
}

TEST(Quote, WritesGoLiterals) {
  EXPECT_EQ(quote("a\t\"\\\x01\xff\u00e9\u200b"), R"("a\t\"\\\x01\xffé\u200b")");
  EXPECT_EQ(quote("é😀", QuoteStyle::kAscii), R"("\u00e9\U0001f600")");
  EXPECT_EQ(quote_rune('\''), R"('\'')");
  EXPECT_EQ(quote_rune(0xD800), "'\uFFFD'");
  EXPECT_TRUE(can_backquote("a\tb\\"));
  EXPECT_FALSE(can_backquote("a\nb"));
  EXPECT_EQ(describe_rune('A'), "U+0041 'A'");
}

TEST(Quote, ReadsGoLiterals) {
  EXPECT_EQ(unquote(R"("a\x41\101\u00e9\"")"), "aAAé\"");
  EXPECT_EQ(unquote("`a\\n\r`"), "a\\n");
  for (const std::string bad :
       {"\"", "\"a", "\"\\z\"", "\"\\x4\"", "\"\\ud800\"", "\"\\400\"", "a"})
    EXPECT_FALSE(unquote(bad)) << bad;
}

TEST(FloatFormat, RoundsAsGoDoes) {
  const std::vector<std::tuple<double, char, int, std::string>> rows = {
      {0.5, 'f', 0, "0"},
      {1.5, 'f', 0, "2"},
      {100, 'g', 3, "100"},
      {1000, 'g', 3, "1e+03"},
      {123456789, 'g', -1, "1.23456789e+08"},
      {0, 'e', 3, "0.000e+00"},
      {0, 'g', 4, "0"},
      {1e23, 'f', -1, "100000000000000000000000"},
      {0.1, 'e', 20, "1.00000000000000005551e-01"},
      {1.96875, 'x', 1, "0x1.0p+01"},
      {-0.0, 'x', -1, "-0x0p+00"},
      {5e-324, 'b', -1, "1p-1074"},
      {255.5, 'X', -1, "0X1.FFP+07"},
  };
  for (const auto& [number, verb, precision, expected] : rows)
    EXPECT_EQ(format_float(number, verb, precision), expected) << number << verb << precision;
}

TEST(Runes, AreSortedAsInGo) {
  EXPECT_TRUE(is_letter(U'é') && is_letter(U'日') && !is_letter('1') && !is_letter(U'€'));
  EXPECT_TRUE(is_digit('7') && is_digit(U'٣') && !is_digit('a'));
  EXPECT_TRUE(is_print(' ') && is_print(U'€') && !is_print(0xA0) && !is_print('\n'));
  EXPECT_EQ(trim_space("\u00a0 a b\u3000\n"), "a b");
  EXPECT_EQ(trim_space(" \n"), "");
}

}  // namespace
}  // namespace slipway::lang::go
