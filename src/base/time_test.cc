#include "base/time.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(Time, ReadsRfc3339) {
  struct Case {
    std::string_view text;
    std::int64_t second;
    std::int64_t nanosecond;
  };
  for (const Case& c : {
           Case{"1970-01-01T00:00:00Z", 0, 0},
           Case{"2026-01-02T15:04:05Z", 1767366245, 0},
           Case{"2026-01-02T15:04:05.5Z", 1767366245, 500000000},
           Case{"2026-01-02T15:04:05.123456789Z", 1767366245, 123456789},
           Case{"2026-01-02T15:04:05.1234567899Z", 1767366245, 123456789},
           Case{"2026-01-02T17:04:05+02:00", 1767366245, 0},
           Case{"2026-01-02T09:34:05-05:30", 1767366245, 0},
           Case{"2024-02-29T00:00:00Z", 1709164800, 0},
           Case{"1969-12-31T23:59:59.25Z", -1, 250000000},
       }) {
    const auto time = parse_time(c.text);
    ASSERT_TRUE(time) << c.text;
    EXPECT_EQ(time->time_since_epoch(), seconds(c.second) + nanoseconds(c.nanosecond)) << c.text;
  }
}

TEST(Time, RefusesOtherForms) {
  for (std::string_view text :
       {"", "2026-01-02", "2026-01-02 15:04:05Z", "2026-01-02T15:04:05", "2026-1-2T15:04:05Z",
        "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-02T24:00:00Z", "2026-01-02T15:60:05Z", "2026-01-02T15:04:60Z",
        "2026-01-02T15:04:05.Z", "2026-01-02T15:04:05+0200", "2026-01-02T15:04:05+24:00",
        "2026-01-02T15:04:05Zx", "2026-01-02t15:04:05z", "x026-01-02T15:04:05Z"}) {
    const auto time = parse_time(text);
    ASSERT_FALSE(time) << text;
    EXPECT_EQ(time.error().code, ErrorCode::kInvalid);
  }
  EXPECT_EQ(parse_time("noon").error().message,
            "\"noon\" is not a time; write it as 2026-01-02T15:04:05Z");
}

TEST(Time, RefusesYearsThatNanosecondsCannotReach) {
  EXPECT_FALSE(parse_time("0001-01-01T00:00:00Z"));
  EXPECT_FALSE(parse_time("9999-12-31T23:59:59Z"));
  EXPECT_TRUE(parse_time("1678-01-01T00:00:00Z"));
  EXPECT_TRUE(parse_time("2261-12-31T23:59:59.999999999Z"));
}

TEST(Time, PrintsInUtc) {
  const auto time = parse_time("2026-01-02T17:04:05.123456789+02:00").value();
  EXPECT_EQ(format_time(time), "2026-01-02T15:04:05Z");
  EXPECT_EQ(format_micro_time(time), "2026-01-02T15:04:05.123456Z");
  const auto before_epoch = parse_time("1969-12-31T23:59:59.5Z").value();
  EXPECT_EQ(format_time(before_epoch), "1969-12-31T23:59:59Z");
  EXPECT_EQ(format_micro_time(before_epoch), "1969-12-31T23:59:59.500000Z");
}

}  // namespace
}  // namespace slipway
