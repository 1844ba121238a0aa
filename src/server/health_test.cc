#include "server/health.h"

#include <gtest/gtest.h>

namespace slipway::server {
namespace {

http::Response ask(std::string raw, bool well) {
  std::vector<HealthCheck> checks = {{.name = "store", .check = [well]() -> Result<> {
                                        if (well) return {};
                                        return fail(ErrorCode::kUnavailable, "disk is gone");
                                      }}};
  http::Request request{
      .method = "GET", .target = *http::parse_target(raw), .headers = {}, .body = {}, .peer = {}};
  auto response = health(request, checks);
  return response ? std::move(*response) : http::Response{.status = 0};
}

TEST(Health, AddsUpItsChecks) {
  EXPECT_EQ(ask("/readyz", true).body, "ok");
  EXPECT_EQ(ask("/readyz?verbose", true).body, "[+]ping ok\n[+]store ok\nreadyz check passed\n");
  auto failed = ask("/readyz", false);
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(failed.body, "[+]ping ok\n[-]store failed: disk is gone\nreadyz check failed\n");
}

TEST(Health, LivenessLeavesOutWhatARestartWouldNotMend) {
  EXPECT_EQ(ask("/livez", false).status, 200);
  EXPECT_EQ(ask("/healthz", false).status, 500);
}

TEST(Health, AnswersSingleAndExcludedChecks) {
  EXPECT_EQ(ask("/readyz/store", false).status, 500);
  EXPECT_EQ(ask("/readyz/ping", false).status, 200);
  EXPECT_EQ(ask("/readyz?exclude=store", false).status, 200);
  EXPECT_EQ(ask("/readyz/other", true).status, 404);
  EXPECT_EQ(ask("/readyzz", true).status, 0);
}

}  // namespace
}  // namespace slipway::server
