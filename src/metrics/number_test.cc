#include "metrics/number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/redact.h"
#include "metrics/url.h"

namespace slipway::metrics {
namespace {

TEST(Number, IsReadAsGoReadsIt) {
  const std::pair<std::string, double> good[] = {
      {"1", 1},      {"+1.5", 1.5},     {"-2e3", -2000},
      {".5", 0.5},   {"0x1p-2", 0.25},  {"-0X10", -16},
      {"1e-400", 0}, {"inf", INFINITY}, {"-Infinity", -INFINITY}};
  for (const auto& [text, want] : good) EXPECT_EQ(parse_number(text), want) << text;
  EXPECT_TRUE(std::isnan(*parse_number("NaN")));
  for (std::string bad :
       {"", " 1", "1 ", "1e400", "-1e400", "--1", "+-1", "x", "infx", "0x", "nano", "1,5"}) {
    EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
  }
}

TEST(Number, IsWrittenAsGoWritesIt) {
  EXPECT_EQ(plain_text(1e21), "1000000000000000000000");
  EXPECT_EQ(plain_text(0.00001), "0.00001");
  EXPECT_EQ(plain_text(-INFINITY), "-Inf");
  EXPECT_EQ(go_text(1e21), "1e+21");
  EXPECT_EQ(go_text(0.00001), "1e-05");
  EXPECT_EQ(go_text(0), "0");
  EXPECT_EQ(fixed_text(12.345678, 2), "12.35");
  EXPECT_EQ(fixed_text(NAN, 2), "NaN");
}

TEST(Number, MomentsHaveBounds) {
  EXPECT_EQ(unix_seconds(from_unix_seconds(1700000000.5)), 1700000000);
  EXPECT_EQ(unix_millis(from_unix_millis(1700000000250)), 1700000000250);
  EXPECT_EQ(unix_seconds(from_unix_seconds(-0.5)), -1);
  EXPECT_EQ(from_unix_seconds(NAN), Time());
  EXPECT_GT(from_unix_seconds(1e300), Time());
  EXPECT_LT(from_unix_seconds(-INFINITY), Time());
  EXPECT_EQ(seconds_text(from_unix_seconds(1700000000.25)), "1700000000.25");
  EXPECT_EQ(seconds_text(Duration(std::chrono::milliseconds(1500))), "1.5");
}

TEST(Url, IsTakenApart) {
  auto url = parse_url("https://u%40x:p@Host:8080/a/b//?q=1#f");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->user, "u@x");
  EXPECT_EQ(url->password, "p");
  EXPECT_EQ(url->with("/c"), "https://Host:8080/a/b/c");
  EXPECT_EQ(url->query, "q=1");
  for (std::string bad : {"", "host", "http://", "ftp://x", ":::", "http://a b", "file:///x"}) {
    EXPECT_FALSE(parse_url(bad)) << bad;
  }
  EXPECT_EQ(form_escape("a b+c&%~"), "a+b%2Bc%26%25~");
}

TEST(Redact, FindsEverySecretOfASpec) {
  ProviderSpec spec{
      .type = "x",
      .address = "http://me:addr-pass@h",
      .headers = {{"Authorization", "Bearer head-token"}, {"X-Org", "visible"}},
      .credentials = Credentials{{"token", "tok en+1"}, {"org", "open-org"}, {"pin", "123"}},
      .basic = BasicAuth{"user", "basic-pass"},
      .oauth2 =
          OAuth2{.token_url = "http://t", .client_id = "id", .client_secret = "oauth-secret"}};
  auto secrets = secrets_of(spec);
  EXPECT_EQ(redacted("addr-pass head-token visible tok en+1 tok+en%2B1 tok%20en%2B1 open-org "
                     "basic-pass oauth-secret 123",
                     secrets),
            "*** *** visible *** *** *** open-org *** *** 123");
}

}  // namespace
}  // namespace slipway::metrics
