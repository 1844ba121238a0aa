#include "server/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/wire/protobuf.h"
#include "server/api_server_fixture.h"
#include "server/proto_writer.h"

namespace slipway::server {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

constexpr auto kConfigMaps = "/api/v1/namespaces/default/configmaps";

std::string envelope(std::string_view version, std::string_view kind, std::string_view raw) {
  ProtoWriter type, unknown;
  type.text(1, version);
  type.text(2, kind);
  unknown.message(1, type.take());
  unknown.message(2, raw);
  return "k8s\0"s + unknown.take();
}

std::string config_map(std::string_view name) {
  ProtoWriter metadata, entry, object;
  metadata.text(1, name);
  entry.text(1, "k");
  entry.text(2, "v");
  object.message(1, metadata.take());
  object.message(2, entry.take());
  return envelope("v1", "ConfigMap", object.take());
}

class BodyTest : public testing::Test, public ServerFixture {
 public:
  Answer send(std::string method, std::string target, std::string body) {
    return ask({.method = std::move(method),
                .target = std::move(target),
                .body = std::move(body),
                .content_type = std::string(api::kProtobufMedia)});
  }
};

TEST_F(BodyTest, ProtobufIsTakenForKindsOfKubernetes) {
  auto created = send("POST", kConfigMaps, config_map("a"));
  ASSERT_EQ(created.status, 201) << created.body;
  EXPECT_EQ(json::string_at(created.json(), {"data", "k"}), "v");
  EXPECT_EQ(json::string_at(created.json(), {"metadata", "namespace"}), "default");
  EXPECT_EQ(send("PUT", kConfigMaps + "/a"s, config_map("a")).status, 200);

  ProtoWriter attributes, spec, review;
  attributes.text(2, "get");
  attributes.text(5, "secrets");
  spec.message(1, attributes.take());
  review.message(2, spec.take());
  auto answer = send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                     envelope("authorization.k8s.io/v1", "SelfSubjectAccessReview", review.take()));
  ASSERT_EQ(answer.status, 201) << answer.body;
  EXPECT_EQ(*json::at(answer.json(), {"status", "allowed"}), json::Value(true));
}

TEST_F(BodyTest, DeleteOptionsInProtobufAreObeyed) {
  send("POST", kConfigMaps, config_map("a"));
  ProtoWriter preconditions, options;
  preconditions.text(1, "another");
  options.message(2, preconditions.take());
  auto refused =
      send("DELETE", kConfigMaps + "/a"s, envelope("v1", "DeleteOptions", options.take()));
  EXPECT_EQ(refused.status, 409) << refused.body;
  EXPECT_EQ(send("DELETE", kConfigMaps + "/a"s, envelope("v1", "DeleteOptions", "")).status, 200);
}

TEST_F(BodyTest, ProtobufThatCannotBeReadIsRefused) {
  auto garbage = send("POST", kConfigMaps, "{}");
  EXPECT_EQ(garbage.status, 400);
  EXPECT_EQ(json::string_at(garbage.json(), {"message"}),
            "the object provided is unrecognized (must be of type ConfigMap): provided data does "
            "not appear to be a protobuf message, expected prefix [107 56 115 0] ({})");
  auto other = send("POST", kConfigMaps, envelope("v1", "Pod", ""));
  EXPECT_EQ(other.status, 400);
  EXPECT_THAT(json::string_at(other.json(), {"message"}),
              HasSubstr("Pod in version \"v1\" cannot be handled as a ConfigMap"));
  auto custom = send("POST", "/apis/argoproj.io/v1alpha1/namespaces/default/rollouts",
                     envelope("argoproj.io/v1alpha1", "Rollout", ""));
  EXPECT_EQ(custom.status, 415);
  EXPECT_EQ(json::string_at(custom.json(), {"message"}),
            "the body of the request was in an unknown format - accepted media types include: "
            "application/json, application/yaml");
}

}  // namespace
}  // namespace slipway::server
