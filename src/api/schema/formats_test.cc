#include "api/schema/formats.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

TEST(Formats, TellGoodFromBad) {
  struct Case {
    std::string_view format, good, bad;
  };
  for (auto [format, good, bad] :
       {Case{"date-time", "2026-01-02T03:04:05.5+02:00", "2026-01-02"},
        Case{"date", "2026-02-28", "2026-02-30"}, Case{"duration", "1h30m", "soon"},
        Case{"byte", "aGk=", "a"}, Case{"ipv4", "127.0.0.1", "127.0.0"},
        Case{"ipv6", "::1", "127.0.0.1"}, Case{"cidr", "10.0.0.0/8", "10.0.0.0/33"},
        Case{"uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"},
        Case{"uri", "https://a/b", "a b"}, Case{"email", "a@b.c", "a@"},
        Case{"hostname", "a-b.example.com", "-a.com"}}) {
    EXPECT_TRUE(has_format(good, format)) << format;
    EXPECT_FALSE(has_format(bad, format)) << format;
  }
  EXPECT_TRUE(has_format("anything", "int32"));
}

}  // namespace
}  // namespace slipway::api
