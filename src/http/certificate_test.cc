#include "http/certificate.h"

#include <gtest/gtest.h>

#include <set>

namespace slipway::http {
namespace {

using namespace std::chrono_literals;
constexpr Time kNow = Time(std::chrono::seconds(1'767'225'600));
constexpr auto kDay = 24h;

TEST(Certificate, IsRenewedWhenItNoLongerServes) {
  auto authority = make_authority("slipway", kNow).value();
  auto other = make_authority("slipway", kNow).value();
  auto own = make_certificate(authority, local_names(), kNow).value();
  auto more = local_names();
  more.push_back("192.0.2.1");
  KeyPair mixed{.certificate_pem = own.certificate_pem, .key_pem = authority.key_pem};
  struct Case {
    const char* name;
    const KeyPair& certificate;
    const KeyPair& authority;
    std::vector<std::string> names;
    Time now;
    bool renew;
  };
  for (const Case& c : std::vector<Case>{
           {"fresh", own, authority, local_names(), kNow, false},
           {"in half a year", own, authority, local_names(), kNow + 180 * kDay, false},
           {"in 11 months", own, authority, local_names(), kNow + 335 * kDay, true},
           {"expired", own, authority, local_names(), kNow + 400 * kDay, true},
           {"not yet valid", own, authority, local_names(), kNow - 1h, true},
           {"another authority", own, other, local_names(), kNow, true},
           {"another key", mixed, authority, local_names(), kNow, true},
           {"one name more", own, authority, more, kNow, true},
           {"nothing", {}, authority, local_names(), kNow, true}}) {
    EXPECT_EQ(needs_renewal(c.certificate, c.authority, c.names, c.now), c.renew) << c.name;
  }
}

TEST(Certificate, NeedsAnAuthorityAndNamesThatAreNames) {
  auto authority = make_authority("slipway", kNow).value();
  EXPECT_EQ(make_certificate({}, local_names(), kNow).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(make_certificate(authority, {}, kNow).error().code, ErrorCode::kInvalid);
  for (const char* name : {"", "a,DNS:evil", "a b", "a:b"}) {
    EXPECT_EQ(make_certificate(authority, {name}, kNow).error().code, ErrorCode::kInvalid) << name;
  }
}

TEST(Certificate, IsNeverTheSameTwice) {
  auto authority = make_authority("slipway", kNow).value();
  std::set<std::string> seen;
  for (int i = 0; i < 5; ++i) {
    auto pair = make_certificate(authority, {"localhost"}, kNow).value();
    seen.insert(pair.certificate_pem);
    seen.insert(pair.key_pem);
  }
  EXPECT_EQ(seen.size(), 10u);
}

}  // namespace
}  // namespace slipway::http
