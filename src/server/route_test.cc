#include "server/route.h"

#include <gtest/gtest.h>

namespace slipway::server {
namespace {

Route route_of(std::string method, std::string raw) {
  auto target = http::parse_target(raw);
  EXPECT_TRUE(target) << raw;
  return parse_route(method, *target);
}

// group/version ns resource name subresource verb
std::string text_of(const Route& route) {
  if (!route.is_resource) return "path " + route.verb_text();
  return route.group + "/" + route.version + " ns=" + route.ns + " " + route.resource + " " +
         route.name + " " + route.subresource + " " + route.verb_text() +
         (route.too_deep ? " deep" : "") + (route.has_no_name ? " nameless" : "");
}

TEST(Route, ReadsMethodAndPath) {
  struct Case {
    std::string method, target, want;
  };
  const Case cases[] = {
      {"GET", "/api/v1/pods", "/v1 ns= pods   list"},
      {"GET", "/api/v1/pods?watch=1", "/v1 ns= pods   watch"},
      {"GET", "/api/v1/pods?watch=false", "/v1 ns= pods   list"},
      {"GET", "/api/v1/pods?watch", "/v1 ns= pods   watch"},
      {"HEAD", "/api/v1/namespaces/a/pods/b", "/v1 ns=a pods b  get"},
      {"POST", "/api/v1/namespaces/a/pods", "/v1 ns=a pods   create"},
      {"GET", "/api/v1/namespaces", "/v1 ns= namespaces   list"},
      {"GET", "/api/v1/namespaces/a", "/v1 ns=a namespaces a  get"},
      {"PUT", "/api/v1/namespaces/a/finalize", "/v1 ns=a namespaces a finalize update"},
      {"PUT", "/api/v1/namespaces/a/status", "/v1 ns=a namespaces a status update"},
      {"PATCH", "/apis/apps/v1/namespaces/a/deployments/w/scale",
       "apps/v1 ns=a deployments w scale patch"},
      {"DELETE", "/apis/apps/v1/namespaces/a/deployments",
       "apps/v1 ns=a deployments   deletecollection"},
      {"DELETE", "/apis/apps/v1/namespaces/a/deployments/w", "apps/v1 ns=a deployments w  delete"},
      {"GET", "/api/v1/watch/namespaces/a/pods/b", "/v1 ns=a pods b  watch"},
      {"GET", "/api/v1/watch/pods", "/v1 ns= pods   watch"},
      {"OPTIONS", "/api/v1/pods", "/v1 ns= pods   options"},
      {"GET", "/api/v1/namespaces/a/pods/b/log/c", "/v1 ns=a pods b log get deep"},
      {"GET", "/api/v1/pods/", "/v1 ns= pods   list"},
      {"GET", "/api//v1//pods", "/v1 ns= pods   list nameless"},
      {"GET", "/api/v1/namespaces/a/pods//log", "/v1 ns=a pods log  get nameless"},
      {"DELETE", "/api/v1/namespaces/a/pods/", "/v1 ns=a pods   deletecollection nameless"},
      {"DELETE", "/api/v1/namespaces/a/pods/.", "/v1 ns=a pods .  delete nameless"},
      {"DELETE", "/api/v1/namespaces/a/pods/%2e%2e", "/v1 ns=a pods ..  delete nameless"},
      {"DELETE", "/api/v1/namespaces/a/pods/..b", "/v1 ns=a pods ..b  delete"},
      {"GET", "/api/v1", "path get"},
      {"GET", "/apis/apps/v1", "path get"},
      {"POST", "/healthz", "path post"},
      {"GET", "/", "path get"},
  };
  for (const auto& each : cases)
    EXPECT_EQ(text_of(route_of(each.method, each.target)), each.want) << each.target;
}

}  // namespace
}  // namespace slipway::server
