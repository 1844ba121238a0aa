#include "cli/kept_selector.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

json::Value service(const std::string& selector, const std::string& rollout = {}) {
  const std::string annotations =
      rollout.empty() ? ""
                      : R"(,"annotations":{"argo-rollouts.argoproj.io/managed-by-rollouts":")" +
                            rollout + "\"}";
  return *json::read(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"web")" +
                     annotations + R"(},"spec":{"selector":)" + selector +
                     R"(,"ports":[{"port":80}]}})");
}

TEST(KeptSelector, IsTheRolloutsWhereOnlyTheVersionDiffers) {
  const char* kept = R"({"app":"web","rollouts-pod-template-hash":"abc"})";
  struct Case {
    json::Value manifest, served;
    bool is_kept;
  };
  const Case cases[] = {
      {service(R"({"app":"web"})"), service(kept, "web"), true},
      {service(R"({"app":"web"})"), service(kept), false},  // nobody's
      {service(R"({"app":"other"})"), service(kept, "web"), false},
      {service(R"({"app":"web","tier":"front"})"), service(kept, "web"), false},
      {service(R"({"app":"web"})"), service(R"({"app":"web"})", "web"), false},
      {service(kept), service(kept, "web"), false},
  };
  for (const auto& [manifest, served, is_kept] : cases) {
    json::Value applied = manifest;
    leave_selector_to_rollout(applied, served);
    EXPECT_EQ(json::at(applied, {"spec", "selector"}) == nullptr, is_kept) << json::write(served);
    EXPECT_TRUE(json::at(applied, {"spec", "ports"}));
  }
  json::Value other = service(R"({"app":"web"})");
  other.as_object()["kind"] = "Deployment";
  leave_selector_to_rollout(other, service(kept, "web"));
  EXPECT_TRUE(json::at(other, {"spec", "selector"}));
}

}  // namespace
}  // namespace slipway::cli
