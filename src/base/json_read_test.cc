#include <gmock/gmock.h>

#include <cmath>

#include "base/json.h"

namespace slipway::json {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(JsonRead, ReadsEveryKindOfValue) {
  for (std::string_view text :
       {"null", "true", "false", "0", "-1", "\"\"", "\"text\"", "[]", "{}", "[1,[2,[3]],{}]",
        R"({"a":1,"b":{"c":[true,null]},"d":"e"})", "1.5", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615"}) {
    const auto value = read(text);
    ASSERT_TRUE(value) << text << " " << value.error().text();
    EXPECT_EQ(write(*value), text);
  }
}

TEST(JsonRead, WhiteSpaceMayStandAnywhereBetween) {
  EXPECT_EQ(write(read(" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } , \"c\" : [ ] } \n").value()),
            R"({"a":[1,2],"b":{},"c":[]})");
}

TEST(JsonRead, IntegersStayIntegersAsLongAsTheyFit) {
  EXPECT_TRUE(read("9223372036854775807")->is_int64());
  EXPECT_TRUE(read("9223372036854775808")->is_uint64());
  EXPECT_TRUE(read("18446744073709551616")->is_double());
  EXPECT_TRUE(read("-9223372036854775809")->is_double());
  EXPECT_TRUE(read("1.0")->is_double());
  EXPECT_TRUE(read("1e2")->is_double());
  EXPECT_EQ(read("-0")->as_int64(), 0);
}

TEST(JsonRead, DoublesAreTheNearest) {
  EXPECT_EQ(read("0.1")->as_double(), 0.1);
  EXPECT_EQ(read("1.7976931348623157e308")->as_double(), 1.7976931348623157e308);
  EXPECT_EQ(read("5e-324")->as_double(), 5e-324);
  EXPECT_EQ(read("1e-400")->as_double(), 0.0);
  EXPECT_EQ(read("-2.5E+3")->as_double(), -2500.0);
}

TEST(JsonRead, EscapesBecomeCharacters) {
  EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t")")->as_string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(read(R"("\u0041\u00e9\u20AC\ud83d\ude00")")->as_string(), "A\u00e9\u20ac\U0001F600");
  EXPECT_EQ(read(R"("plain start, then \u0041 and plain end")")->as_string(),
            "plain start, then A and plain end");
  EXPECT_EQ(read(R"({"k\u0065y":1})")->as_object().at("key").as_int64(), 1);
}

TEST(JsonRead, LoneSurrogatesAndMalformedUtf8BecomeReplacements) {
  EXPECT_EQ(read(R"("\ud800")")->as_string(), "\uFFFD");
  EXPECT_EQ(read(R"("\udc00x")")->as_string(), "\uFFFDx");
  EXPECT_EQ(read(R"("\ud800\u0041")")->as_string(),
            "\uFFFD"
            "A");
  EXPECT_EQ(read(R"("\ud800\ud83d\ude00")")->as_string(), "\uFFFD\U0001F600");
  EXPECT_EQ(read("\"a\xFF\xE2\x82z\"")->as_string(), "a\uFFFD\uFFFD\uFFFDz");
  EXPECT_EQ(read("\"\u00e9\u20ac\"")->as_string(), "\u00e9\u20ac");
}

TEST(JsonRead, LongStringsOfEveryLengthAreReadWhole) {
  for (std::size_t length = 0; length < 40; ++length) {
    for (std::size_t special = 0; special <= length; ++special) {
      std::string text(length, 'x');
      std::string expected = text;
      text.insert(special, "\\n");
      expected.insert(special, "\n");
      ASSERT_EQ(read("\"" + text + "\"")->as_string(), expected);
    }
  }
}

TEST(JsonRead, SaysWhereAndWhat) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"", "line 1, column 1: expected a value, found the end of the document"},
           Case{"[1,]", "line 1, column 4: expected a value, found ']'"},
           Case{"[1 2]", "line 1, column 4: expected ',' or ']', found '2'"},
           Case{"{\"a\":1,}", "line 1, column 8: expected a key in double quotes, found '}'"},
           Case{"{a:1}", "line 1, column 2: expected a key in double quotes, found 'a'"},
           Case{"{\"a\" 1}", "line 1, column 6: expected ':' after the key, found '1'"},
           Case{"{\"a\":1 \"b\"", "line 1, column 8: expected ',' or '}', found '\"'"},
           Case{"{\n \"a\": tru\n}", "line 2, column 7: expected a value, found 't'"},
           Case{"[\"\u00e9\u00e9\", x]", "line 1, column 8: expected a value, found 'x'"},
           Case{"[\u00e9]", "line 1, column 2: expected a value, found '\u00e9'"},
           Case{"[\x01]", "line 1, column 2: expected a value, found the character 0x01"},
           Case{"[\xFF]", "line 1, column 2: expected a value, found the byte 0xff"},
           Case{"01", "line 1, column 1: a number may not start with a zero"},
           Case{"1.", "line 1, column 1: expected a digit after the decimal point"},
           Case{"1e+", "line 1, column 1: expected a digit in the exponent"},
           Case{"-", "line 1, column 2: expected a digit after '-', found the end of the document"},
           Case{"1e400", "line 1, column 1: the number 1e400 is out of range"},
           Case{"\"abc", "line 1, column 1: the string has no closing quote"},
           Case{"\"abc\\", "line 1, column 5: the string has no closing quote"},
           Case{"\"\\x\"", "line 1, column 2: unknown escape in a string"},
           Case{"\"\\u12g4\"", "line 1, column 2: expected four hex digits after \\u"},
           Case{"\"\\ud800\\uzzzz\"", "line 1, column 8: expected four hex digits after \\u"},
           Case{
               "\"a\nb\"",
               "line 1, column 3: a string may not hold the character 0x0a; write it as an escape"},
           Case{"1 2",
                "line 1, column 3: expected the end of the document, found more after its value"},
           Case{"{}}",
                "line 1, column 3: expected the end of the document, found more after its value"},
       }) {
    const auto value = read(c.text);
    ASSERT_FALSE(value) << c.text;
    EXPECT_EQ(value.error().code, ErrorCode::kBadRequest);
    EXPECT_EQ(value.error().message, c.message) << c.text;
  }
}

TEST(JsonRead, RefusesMoreBytesThanAllowed) {
  EXPECT_TRUE(read("[1]", {.max_bytes = 3}));
  const auto refused = read("[11]", {.max_bytes = 3});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
}

TEST(JsonRead, RefusesNestingBeyondTheLimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(read(nested(kMaxDepth)));
  const auto refused = read(nested(kMaxDepth + 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "line 1, column 101: nested more than 100 levels deep");
  EXPECT_FALSE(read(std::string(1'000'000, '[')));
  EXPECT_TRUE(read("[[],[],[[]],{}]", {.max_depth = 3})) << "siblings are not nested";
}

TEST(JsonRead, TheLastOfRepeatedKeysWinsAndItsPathIsKept) {
  std::vector<std::string> duplicates;
  const auto value = read(
      R"({"spec":{"a":{"b":[{"c":1,"c":2},{"c":3,"d":1,"c":4,"c":5}]}},"spec":{"x.y/z":1,"x.y/z":2}})",
      {.duplicates = &duplicates});
  EXPECT_EQ(write(*value), R"({"spec":{"x.y/z":2}})");
  EXPECT_THAT(duplicates, ElementsAre("spec.a.b[0].c", "spec.a.b[1].c", "spec", "spec.x.y/z"));
}

TEST(JsonRead, KeepsOnlySoManyRepeatedKeys) {
  std::string many = "[";
  for (int i = 0; i < 500; ++i) many += R"({"a":1,"a":2},)";
  many.back() = ']';
  std::vector<std::string> duplicates;
  ASSERT_TRUE(read(many, {.duplicates = &duplicates}));
  EXPECT_THAT(duplicates, SizeIs(100));

  const std::string long_key(100'000, 'k');
  std::string deep = "{\"" + long_key + "\":[";
  for (int i = 0; i < 100; ++i) deep += R"({"a":1,"a":2},)";
  deep.back() = ']';
  duplicates.clear();
  ASSERT_TRUE(read(deep + "}", {.duplicates = &duplicates}));
  EXPECT_THAT(duplicates, SizeIs(1));
}

TEST(JsonRead, NonFiniteNumbersOnlyWhenAllowed) {
  EXPECT_FALSE(read("[NaN]"));
  EXPECT_FALSE(read("Infinity"));
  const ReadOptions allowed{.allow_nan = true};
  EXPECT_TRUE(std::isnan(read("NaN", allowed)->as_double()));
  EXPECT_EQ(read("[Infinity]", allowed)->as_array()[0].as_double(), INFINITY);
  EXPECT_EQ(read("-Infinity", allowed)->as_double(), -INFINITY);
  EXPECT_FALSE(read("Inf", allowed));
  EXPECT_FALSE(read("nan", allowed));
  EXPECT_FALSE(read("-NaN", allowed));
}

TEST(JsonRead, KeyOrderIsKept) {
  const std::string_view text = R"({"z":1,"a":2,"m":3})";
  EXPECT_EQ(write(read(text).value()), text);
}

}  // namespace
}  // namespace slipway::json
