#include "lang/template/print.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lang/template/failure.h"

namespace slipway::lang::go {
namespace {

std::string formatted(std::string_view format, const std::vector<Value>& args) {
  Printer printer(1 << 20);
  printer.print_format(format, args);
  return printer.take();
}

Value number(double held) { return Value(held); }
Value integer(std::int64_t held) { return Value(held); }
Value text(std::string_view held) { return Value(held); }

TEST(Print, FormatsIntegers) {
  const std::vector<std::tuple<std::string, std::int64_t, std::string>> rows = {
      {"%d", -42, "-42"},      {"%+d", 42, "+42"},       {"%05d", -42, "-0042"},
      {"%-5d|", 42, "42   |"}, {"%.3d", 7, "007"},       {"%x", 255, "ff"},
      {"%#X", 255, "0XFF"},    {"%o", 8, "10"},          {"%#o", 8, "010"},
      {"%O", 8, "0o10"},       {"%b", 5, "101"},         {"%c", 0x65E5, "日"},
      {"%q", 'x', "'x'"},      {"%U", 0x65E5, "U+65E5"}, {"%#U", 'x', "U+0078 'x'"},
      {"% d", 7, " 7"},        {"%8.3d", 7, "     007"}, {"%T", 7, "int"},
      {"%s", 7, "%!s(int=7)"}, {"%v%%", 7, "7%"},
  };
  for (const auto& [format, held, expected] : rows)
    EXPECT_EQ(formatted(format, {integer(held)}), expected) << format;
}

TEST(Print, FormatsFloats) {
  const std::vector<std::tuple<std::string, double, std::string>> rows = {
      {"%v", 1e6, "1e+06"},
      {"%v", 123456, "123456"},
      {"%f", 1.5, "1.500000"},
      {"%.2f", 2.675, "2.67"},
      {"%e", 1234.5, "1.234500e+03"},
      {"%E", 1e-7, "1.000000E-07"},
      {"%g", 1e-5, "1e-05"},
      {"%.3g", 1234.5, "1.23e+03"},
      {"%G", 1e21, "1E+21"},
      {"%8.2f|", -1.5, "   -1.50|"},
      {"%08.2f", -1.5, "-0001.50"},
      {"%+.1f", 2, "+2.0"},
      {"%#g", 1, "1.00000"},
      {"%x", 1, "0x1p+00"},
      {"%.1x", 1.96875, "0x1.0p+01"},
      {"%b", 1, "4503599627370496p-52"},
      {"%d", 1.5, "%!d(float64=1.5)"},
      {"%T", 1, "float64"},
      {"%v", -0.0, "-0"},
      {"%6v", 0.1, "   0.1"},
  };
  for (const auto& [format, held, expected] : rows)
    EXPECT_EQ(formatted(format, {number(held)}), expected) << format;
  EXPECT_EQ(
      formatted("%v %+v %5v %05v", {number(INFINITY), number(-INFINITY), number(NAN), number(NAN)}),
      "+Inf -Inf   NaN   NaN");
}

TEST(Print, FormatsTexts) {
  const std::vector<std::tuple<std::string, std::string, std::string>> rows = {
      {"%s", "a", "a"},
      {"%5s|", "é", "    é|"},
      {"%-5s|", "a", "a    |"},
      {"%.2s", "日本語", "日本"},
      {"%q", "a\"b\n", "\"a\\\"b\\n\""},
      {"%+q", "é", "\"\\u00e9\""},
      {"%#q", "a\\b", "`a\\b`"},
      {"%x", "hi", "6869"},
      {"% #x", "hi", "0x68 0x69"},
      {"%X", "\xff", "FF"},
      {"%d", "a", "%!d(string=a)"},
      {"%#v", "a", "\"a\""},
      {"%05s", "a", "0000a"},
      {"%T", "a", "string"},
  };
  for (const auto& [format, held, expected] : rows)
    EXPECT_EQ(formatted(format, {text(held)}), expected) << format;
}

TEST(Print, FormatsListsAndMapsByElement) {
  const json::Value data = json::read(R"({"b":[1,"x",null],"a":{}})").value();
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"%v", "map[a:map[] b:[1 x <nil>]]"},
      {"%d", "map[%!d(string=a):map[] %!d(string=b):[%!d(float64=1) %!d(string=x) <nil>]]"},
      {"%#v",
       "map[string]interface {}{\"a\":map[string]interface {}{}, \"b\":[]interface {}{1, \"x\", "
       "interface {}(nil)}}"},
      {"%T", "map[string]interface {}"},
      {"%q", "map[\"a\":map[] \"b\":[%!q(float64=1) \"x\" <nil>]]"},
  };
  for (const auto& [format, expected] : rows)
    EXPECT_EQ(formatted(format, {Value::of(data, false)}), expected) << format;
}

TEST(Print, SaysWhatIsWrongWithAFormat) {
  EXPECT_EQ(formatted("%d %d", {integer(1)}), "1 %!d(MISSING)");
  EXPECT_EQ(formatted("%d", {integer(1), text("x"), Value()}), "1%!(EXTRA string=x, <nil>)");
  EXPECT_EQ(formatted("%", {}), "%!(NOVERB)");
  EXPECT_EQ(formatted("%z", {Value(true)}), "%!z(bool=true)");
  EXPECT_EQ(formatted("%[3]d", {integer(1)}), "%!d(BADINDEX)");
  EXPECT_EQ(formatted("%[2]d %[1]d", {integer(1), integer(2)}), "2 1");
  EXPECT_EQ(formatted("%*d|%-*d|", {integer(4), integer(1), integer(4), integer(2)}), "   1|2   |");
  EXPECT_EQ(formatted("%*d", {text("x"), integer(1)}), "%!(BADWIDTH)1");
  EXPECT_EQ(formatted("%s %v", {Value(), Value()}), "%!s(<nil>) <nil>");
}

TEST(Print, AStructPrintsItsTextOrItsFields) {
  const Struct inner{.type = "x.Inner", .fields = {{"N", integer(1)}}, .text = "shown"};
  const Struct outer{.type = "x.Outer", .fields = {{"Name", text("a")}, {"In", Value(&inner)}}};
  EXPECT_EQ(formatted("%v", {Value(&outer)}), "{a shown}");
  EXPECT_EQ(formatted("%+v", {Value(&outer)}), "{Name:a In:shown}");
  EXPECT_EQ(formatted("%#v", {Value(&outer)}), "x.Outer{Name:\"a\", In:x.Inner{N:1}}");
  EXPECT_EQ(formatted("%d", {Value(&inner)}), "{1}");
}

TEST(Print, StopsAtItsLimit) {
  Printer printer(100);
  EXPECT_THROW(printer.print_format("%101d", std::vector{integer(1)}), LimitReached);
}

}  // namespace
}  // namespace slipway::lang::go
