#include "server/status.h"

#include <gtest/gtest.h>

namespace slipway::server {
namespace {

TEST(Subject, IsReadFromTheMessage) {
  struct Case {
    std::string message, name, group, kind;
  };
  const Case cases[] = {
      {R"(rollouts.argoproj.io "web" not found)", "web", "argoproj.io", "rollouts"},
      {R"(pods "a" already exists)", "a", "", "pods"},
      {R"(Operation cannot be fulfilled on deployments.apps "web": the object has been modified)",
       "web", "apps", "deployments"},
      {R"(Rollout.argoproj.io "web" is invalid: spec: Required value)", "web", "argoproj.io",
       "Rollout"},
      {R"(pods is forbidden: User "view" cannot create resource "pods")", "", "", "pods"},
      {R"(ListOptions.meta.k8s.io "" is invalid: limit: x)", "", "meta.k8s.io", "ListOptions"},
      {R"(Apply failed with 1 conflict: conflict with "a": .spec.replicas)", "", "", ""},
      {"too old resource version: 1 (5)", "", "", ""},
      {"the server could not find the requested resource", "", "", ""},
      {"", "", "", ""},
      {R"(pods "unclosed)", "", "", ""},
  };
  for (const auto& each : cases) {
    auto subject = subject_of(each.message);
    EXPECT_EQ(subject.name, each.name) << each.message;
    EXPECT_EQ(subject.group, each.group) << each.message;
    EXPECT_EQ(subject.kind, each.kind) << each.message;
  }
}

TEST(Status, SaysAFailureAsKubernetesDoes) {
  struct Case {
    Error error;
    std::string want;
  };
  const Case cases[] = {
      {{.code = ErrorCode::kNotFound, .message = R"(rollouts.argoproj.io "web" not found)"},
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"rollouts.argoproj.io \"web\" not found","reason":"NotFound","details":{"name":"web","group":"argoproj.io","kind":"rollouts"},"code":404})"},
      {{.code = ErrorCode::kInvalid,
        .message = R"(Pod "a" is invalid: spec.x: Required value)",
        .causes = {{"FieldValueRequired", "Required value", "spec.x"}}},
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Pod \"a\" is invalid: spec.x: Required value","reason":"Invalid","details":{"name":"a","kind":"Pod","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.x"}]},"code":422})"},
      {{.code = ErrorCode::kUnauthorized, .message = "Unauthorized"},
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401})"},
      {{.code = ErrorCode::kInternal, .message = "boom"},
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"boom","code":500})"},
      {{.code = ErrorCode::kExpired, .message = "too old resource version: 1 (5)"},
       R"J({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (5)","reason":"Expired","code":410})J"},
  };
  for (const auto& each : cases) EXPECT_EQ(failure_status(each.error), each.want + "\n");
}

TEST(Status, TellsBusyClientsWhenToComeBack) {
  auto response = failure({.code = ErrorCode::kTooManyRequests, .message = "busy"});
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(response.headers.get("retry-after"), "1");
  EXPECT_NE(response.body.find(R"("retryAfterSeconds":1)"), std::string::npos);
}

TEST(Status, TellsWhoAsksTooEarlyWhenToComeBack) {
  auto response = failure({.code = ErrorCode::kTimeout, .message = "Timeout: too early"});
  EXPECT_EQ(response.status, 504);
  EXPECT_EQ(response.headers.get("retry-after"), "1");
}

TEST(Status, SaysWhatIsGone) {
  EXPECT_EQ(
      success_status({"web", "apps", "deployments"}, "u1"),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"web","group":"apps","kind":"deployments","uid":"u1"}})"
      "\n");
}

}  // namespace
}  // namespace slipway::server
