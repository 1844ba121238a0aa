#include "server/auth.h"

#include <gtest/gtest.h>

namespace slipway::server {
namespace {

std::string who(const Tokens& tokens, std::string header) {
  http::Headers headers;
  if (!header.empty()) headers.set("Authorization", std::move(header));
  auto user = tokens.find(headers);
  return user ? user->name : "nobody";
}

TEST(Tokens, LetInOnlyTheirBearers) {
  Tokens tokens("secret-a", "secret-v");
  EXPECT_EQ(who(tokens, "Bearer secret-a"), "admin");
  EXPECT_EQ(who(tokens, "bearer secret-a"), "admin");
  EXPECT_EQ(who(tokens, "Bearer secret-v"), "view");
  for (auto wrong : {"", "Bearer", "Bearer ", "Bearer secret", "Bearer secret-aa",
                     "Bearer secret-b", "Basic secret-a", "secret-a", "Bearer secret-asecret-a"})
    EXPECT_EQ(who(tokens, wrong), "nobody") << wrong;
}

TEST(Tokens, AnEmptyTokenLetsNobodyIn) {
  Tokens tokens("", "");
  EXPECT_EQ(who(tokens, "Bearer "), "nobody");
  EXPECT_EQ(who(tokens, ""), "nobody");
}

TEST(May, ViewReadsAllButSecrets) {
  struct Case {
    Access access;
    bool view;
  };
  const Case cases[] = {
      {{.verb = "get", .resource = "pods"}, true},
      {{.verb = "list", .group = "apps", .resource = "deployments"}, true},
      {{.verb = "watch", .resource = "configmaps"}, true},
      {{.verb = "create", .resource = "pods"}, false},
      {{.verb = "deletecollection", .resource = "pods"}, false},
      {{.verb = "get", .resource = "secrets"}, false},
      {{.verb = "list", .resource = "secrets"}, false},
      {{.verb = "get", .group = "x.io", .resource = "secrets"}, true},
      {{.verb = "get", .resource = "*"}, false},
      {{.verb = "create", .group = "authorization.k8s.io", .resource = "selfsubjectaccessreviews"},
       true},
      {{.verb = "get", .path = "/metrics"}, true},
      {{.verb = "post", .path = "/metrics"}, false},
  };
  for (const auto& each : cases) {
    auto text = each.access.verb + " " + each.access.resource + each.access.path;
    EXPECT_EQ(may(Role::kView, each.access), each.view) << text;
    EXPECT_TRUE(may(Role::kAdmin, each.access)) << text;
  }
}

TEST(Forbidden, IsWordedAsUpstream) {
  User view{Role::kView, "view", {}};
  EXPECT_EQ(
      forbidden(view,
                {.verb = "create", .group = "argoproj.io", .resource = "rollouts", .ns = "default"})
          .message,
      R"(rollouts.argoproj.io is forbidden: User "view" cannot create resource "rollouts" in )"
      R"(API group "argoproj.io" in the namespace "default")");
  EXPECT_EQ(
      forbidden(view,
                {.verb = "update", .resource = "namespaces", .subresource = "status", .name = "a"})
          .message,
      R"(namespaces "a" is forbidden: User "view" cannot update resource "namespaces/status" )"
      R"(in API group "" at the cluster scope)");
  EXPECT_EQ(forbidden(view, {.verb = "post", .path = "/x"}).message,
            R"(forbidden: User "view" cannot post path "/x")");
}

TEST(Host, MustBeOneOfOurs) {
  const std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1"};
  for (auto ours :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:80", "[::1]", "localhost."})
    EXPECT_TRUE(host_is_ours(ours, hosts, "")) << ours;
  for (auto foreign : {"", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "[::1",
                       "localhost.evil.example", "[::2]"})
    EXPECT_FALSE(host_is_ours(foreign, hosts, "")) << foreign;
}

TEST(Host, MayBeTheAddressTheRequestCameTo) {
  struct Case {
    std::string host, local;
    bool ours;
  };
  const Case cases[] = {
      {"192.0.2.2:8080", "192.0.2.2", true},     {"192.0.2.2", "192.0.2.2", true},
      {"[2001:DB8::2]:80", "2001:db8::2", true}, {"192.0.2.3:8080", "192.0.2.2", false},
      {"evil.example:8080", "192.0.2.2", false}, {"", "", false}};
  for (const auto& each : cases)
    EXPECT_EQ(host_is_ours(each.host, {"localhost"}, each.local), each.ours) << each.host;
}

TEST(Health, NeedsNoToken) {
  for (auto open : {"/healthz", "/livez", "/readyz", "/readyz/store"})
    EXPECT_TRUE(needs_no_token(open)) << open;
  for (auto closed : {"/", "/metrics", "/version", "/healthzz", "/api", "/openapi/v2"})
    EXPECT_FALSE(needs_no_token(closed)) << closed;
}

}  // namespace
}  // namespace slipway::server
