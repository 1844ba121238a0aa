#include <gtest/gtest.h>

#include <cstdint>

#include "base/time.h"

namespace slipway {
namespace {

struct Known {
  std::string_view text;
  std::int64_t nanoseconds;
  std::string_view printed;
};

// From Go's time.ParseDuration and Duration.String.
constexpr Known kKnown[] = {
    {"0", 0, "0s"},
    {"+0", 0, "0s"},
    {"-0", 0, "0s"},
    {"1ns", 1, "1ns"},
    {"1us", 1000, "1µs"},
    {"1µs", 1000, "1µs"},
    {"1μs", 1000, "1µs"},
    {"1ms", 1000000, "1ms"},
    {"300ms", 300000000, "300ms"},
    {"-1.5h", -5400000000000, "-1h30m0s"},
    {"2h45m", 9900000000000, "2h45m0s"},
    {"1.5s", 1500000000, "1.5s"},
    {"1m0.5s", 60500000000, "1m0.5s"},
    {".5s", 500000000, "500ms"},
    {"1.s", 1000000000, "1s"},
    {"100h", 360000000000000, "100h0m0s"},
    {"9223372036854775807ns", INT64_MAX, "2562047h47m16.854775807s"},
    {"-9223372036854775808ns", INT64_MIN, "-2562047h47m16.854775808s"},
    {"2562047h47m16.854775807s", INT64_MAX, "2562047h47m16.854775807s"},
    {"0.3333333333333333333h", 1200000000000, "20m0s"},
    {"1h1m1s1ms1us1ns", 3661001001001, "1h1m1.001001001s"},
    {"0.100000000000000000000h", 360000000000, "6m0s"},
    {"1.0000000001s", 1000000000, "1s"},
};

TEST(Duration, ReadsAndPrintsAsGo) {
  for (const Known& known : kKnown) {
    const auto duration = parse_duration(known.text);
    ASSERT_TRUE(duration) << known.text;
    EXPECT_EQ(duration->count(), known.nanoseconds) << known.text;
    EXPECT_EQ(format_duration(*duration), known.printed);
    EXPECT_EQ(parse_duration(known.printed).value(), *duration);
  }
}

TEST(Duration, RefusesWhatIsNone) {
  for (std::string_view text : {"",
                                "3",
                                "-",
                                "s",
                                ".",
                                "-.s",
                                ".s",
                                "+.s",
                                "1d",
                                "1.2.3s",
                                "1 s",
                                " 1s",
                                "1s ",
                                "1h-1m",
                                "3000000h",
                                "9223372036854775808ns",
                                "9223372036854775.808us",
                                "1x",
                                "9223372036854775808ns9223372036854775808ns",
                                "99999999999999999999s"}) {
    const auto duration = parse_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_EQ(duration.error().code, ErrorCode::kInvalid);
  }
}

TEST(Duration, RefusesANumberWithoutUnit) {
  EXPECT_EQ(parse_duration("10").error().message, "\"10\" is not a duration; write 10s, 5m or 1h");
}

struct Age {
  std::int64_t seconds;
  std::string_view text;
};

// From apimachinery's duration.HumanDuration.
constexpr Age kAges[] = {
    {-3, "<invalid>"},  {-2, "<invalid>"},     {-1, "0s"},        {0, "0s"},
    {1, "1s"},          {59, "59s"},           {119, "119s"},     {120, "2m"},
    {121, "2m1s"},      {180, "3m"},           {330, "5m30s"},    {599, "9m59s"},
    {600, "10m"},       {3599, "59m"},         {3600, "60m"},     {10799, "179m"},
    {10800, "3h"},      {10860, "3h1m"},       {13500, "3h45m"},  {28799, "7h59m"},
    {28800, "8h"},      {86400, "24h"},        {172799, "47h"},   {172800, "2d"},
    {176400, "2d1h"},   {604800, "7d"},        {691199, "7d23h"}, {691200, "8d"},
    {31536000, "365d"}, {63071999, "729d"},    {63072000, "2y"},  {63158400, "2y1d"},
    {94608000, "3y"},   {252287999, "7y364d"}, {252288000, "8y"}, {315360000, "10y"},
};

TEST(Duration, AgesReadAsInKubectl) {
  for (const Age& age : kAges) {
    EXPECT_EQ(format_age(std::chrono::seconds(age.seconds)), age.text) << age.seconds;
  }
}

}  // namespace
}  // namespace slipway
