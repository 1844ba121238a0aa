#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"

namespace slipway::json {
namespace {

std::string number(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

// From Go's json.Marshal.
TEST(JsonWrite, NumbersAreWrittenAsGoWritesThem) {
  struct Case {
    double value;
    std::string_view text;
  };
  for (const Case& c : {
           Case{0, "0"},
           Case{-0.0, "-0"},
           Case{1, "1"},
           Case{-1, "-1"},
           Case{0.95, "0.95"},
           Case{100, "100"},
           Case{1e20, "100000000000000000000"},
           Case{123456789012345680000.0, "123456789012345680000"},
           Case{1e21, "1e+21"},
           Case{1.5e300, "1.5e+300"},
           Case{1e-6, "0.000001"},
           Case{9.99e-7, "9.99e-7"},
           Case{1e-7, "1e-7"},
           Case{1.5e-10, "1.5e-10"},
           Case{-1e-9, "-1e-9"},
           Case{5e-324, "5e-324"},
           Case{1.7976931348623157e308, "1.7976931348623157e+308"},
           Case{0.1 + 0.2, "0.30000000000000004"},
           Case{1234.5678, "1234.5678"},
           Case{-2.5, "-2.5"},
       }) {
    EXPECT_EQ(number(c.value), c.text);
  }
}

TEST(JsonWrite, NonFiniteNumbersBecomeStrings) {
  EXPECT_EQ(write(Array{NAN, INFINITY, -INFINITY}), R"(["NaN","+Inf","-Inf"])");
}

TEST(JsonWrite, StringsAreEscapedAsGoEscapesThem) {
  EXPECT_EQ(write("\"\\/ \b\f\n\r\t\x01\x1f\x7f"),
            "\"\\\"\\\\/ \\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"");
  EXPECT_EQ(write("\u2028\u2029\u00e9\U0001F600"), "\"\\u2028\\u2029\u00e9\U0001F600\"");
  EXPECT_EQ(write("a\xFFz\xE2\x80"), "\"a\\ufffdz\\ufffd\\ufffd\"");
  EXPECT_EQ(write("<a&b>"), "\"<a&b>\"");
  EXPECT_EQ(write("<a&b>", {.escape_html = true}), "\"\\u003ca\\u0026b\\u003e\"");
}

TEST(JsonWrite, KeysAreEscapedLikeStrings) {
  EXPECT_EQ(write(Object{{"a\"<", 1}}, {.escape_html = true}), R"({"a\"\u003c":1})");
}

TEST(JsonWrite, IndentsAsMarshalIndent) {
  const Value value = read(R"({"a":[1,{"b":[]}],"c":{},"d":"e"})").value();
  EXPECT_EQ(write(value, {.indent = 2}), R"({
  "a": [
    1,
    {
      "b": []
    }
  ],
  "c": {},
  "d": "e"
})");
}

TEST(JsonWrite, KeysAreSortedByBytesWhenAsked) {
  const Value value = read(R"({"b":1,"a":{"z":1,"B":2,"é":3,"y":4}})").value();
  EXPECT_EQ(write(value), R"({"b":1,"a":{"z":1,"B":2,"é":3,"y":4}})");
  EXPECT_EQ(write(value, {.sort_keys = true}), R"({"a":{"B":2,"y":4,"z":1,"é":3},"b":1})");
}

TEST(JsonWrite, AppendsToWhatIsThere) {
  std::string out = "data: ";
  append(out, Array{1, true});
  append_string(out, "x");
  EXPECT_EQ(out, "data: [1,true]\"x\"");
}

TEST(JsonWrite, WhatIsReadBackIsTheSameNumber) {
  double value = 1e-320;
  for (int i = 0; i < 4000; ++i) {
    value *= 1.4375;
    if (std::isinf(value)) break;
    const Value back = read(number(value)).value();
    EXPECT_TRUE(same(back, Value(value))) << number(value);
  }
}

}  // namespace
}  // namespace slipway::json
