#include "base/instant.h"

#include <gtest/gtest.h>

namespace slipway {
namespace {

std::string normal(std::string_view text) {
  const auto instant = parse_instant(text);
  return instant ? format_instant(*instant) : "none";
}
std::string normal_micro(std::string_view text) {
  const auto instant = parse_instant(text);
  return instant ? format_micro_instant(*instant) : "none";
}

TEST(Instant, IsOfAnyYear) {
  for (const char* text : {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
                           "2024-02-29T12:00:00Z", "9999-12-31T23:59:59Z"})
    EXPECT_EQ(normal(text), text);
}

TEST(Instant, IsWrittenInUtc) {
  EXPECT_EQ(normal("9999-12-31T23:59:59.25-00:00"), "9999-12-31T23:59:59Z");
  EXPECT_EQ(normal("1492-10-12T02:00:00.5+02:30"), "1492-10-11T23:30:00Z");
  EXPECT_EQ(normal_micro("1492-10-12T02:00:00.1234567+02:30"), "1492-10-11T23:30:00.123456Z");
}

TEST(Instant, IsNothingElse) {
  for (const char* text : {"0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
                           "2023-02-29T12:00:00Z", "2026-01-02", "noon", ""})
    EXPECT_EQ(normal(text), "none") << text;
}

}  // namespace
}  // namespace slipway
