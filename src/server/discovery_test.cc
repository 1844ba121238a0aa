#include "server/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/gzip.h"
#include "server/api_server_fixture.h"

namespace slipway::server {
namespace {

using testing::HasSubstr;

class DiscoveryTest : public testing::Test, public ServerFixture {};

TEST_F(DiscoveryTest, ListsTheCoreGroup) {
  EXPECT_EQ(
      get("/api").body,
      R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"localhost:8080"}]})"
      "\n");
  auto core = get("/api/v1").body;
  EXPECT_TRUE(core.starts_with(R"({"kind":"APIResourceList","groupVersion":"v1","resources":[)"));
  EXPECT_THAT(
      core,
      HasSubstr(
          R"({"name":"configmaps","singularName":"configmap","namespaced":true,"kind":"ConfigMap","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["cm"]})"));
  EXPECT_THAT(
      core,
      HasSubstr(
          R"({"name":"namespaces/finalize","singularName":"","namespaced":false,"kind":"Namespace","verbs":["update"]})"));
  EXPECT_EQ(get("/api/v2").status, 404);
}

TEST_F(DiscoveryTest, ListsGroups) {
  EXPECT_THAT(
      get("/apis").body,
      HasSubstr(
          R"({"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}})"));
  EXPECT_TRUE(
      get("/apis/apps").body.starts_with(R"({"kind":"APIGroup","apiVersion":"v1","name":"apps",)"));
  auto apps = get("/apis/apps/v1").body;
  EXPECT_TRUE(apps.starts_with(
      R"({"kind":"APIResourceList","groupVersion":"apps/v1","apiVersion":"v1","resources":[)"))
      << apps;
  EXPECT_THAT(
      apps,
      HasSubstr(
          R"({"name":"deployments/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]})"));
  EXPECT_EQ(get("/apis/none").status, 404);
  EXPECT_EQ(get("/apis/apps/v2").status, 404);
}

TEST_F(DiscoveryTest, GivesEverythingInOneDocumentWhenAsked) {
  auto accept =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
      "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
  auto all = ask({.target = "/apis", .accept = accept});
  EXPECT_EQ(all.headers.get("Content-Type"),
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  EXPECT_TRUE(all.body.starts_with(
      R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[)"));
  EXPECT_THAT(
      all.body,
      HasSubstr(
          R"({"resource":"deployments","responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced","singularResource":"deployment","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["deploy"],"categories":["all"],"subresources":[{"subresource":"scale")"));
  EXPECT_FALSE(all.headers.get("ETag").empty());
  EXPECT_EQ(ask({.target = "/apis", .accept = "application/json"}).json().at("kind").as_string(),
            "APIGroupList");
}

TEST_F(DiscoveryTest, FollowsCustomKinds) {
  auto created = post(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.io"},
          "spec":{"group":"example.io","scope":"Namespaced","names":{"plural":"things","singular":"thing","kind":"Thing","shortNames":["th"]},
          "versions":[{"name":"v1beta1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}},
                      {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}]}})");
  ASSERT_EQ(created.status, 201) << created.body;
  EXPECT_THAT(get("/apis/example.io").body,
              HasSubstr(R"("preferredVersion":{"groupVersion":"example.io/v1","version":"v1"})"));
  auto index = get("/openapi/v3").body;
  EXPECT_THAT(index, HasSubstr("apis/example.io/v1"));
}

TEST_F(DiscoveryTest, ServesOpenApiByHash) {
  auto index = get("/openapi/v3").json();
  std::string url(json::string_at(index, {"paths", "apis/apps/v1", "serverRelativeURL"}));
  EXPECT_TRUE(url.starts_with("/openapi/v3/apis/apps/v1?hash=")) << json::write(index);
  auto document = get(url);
  EXPECT_EQ(document.status, 200);
  EXPECT_THAT(std::string(document.headers.get("Cache-Control")), HasSubstr("immutable"));
  EXPECT_THAT(document.body, HasSubstr("io.k8s.api.apps.v1.Deployment"));
  EXPECT_EQ(get("/openapi/v3/apis/apps/v1?hash=OLD").status, 301);
  EXPECT_EQ(get("/openapi/v3/apis/none/v1").status, 404);
}

TEST_F(DiscoveryTest, CompressesOpenApiOnceForThoseWhoTakeIt) {
  for (const char* path : {"/openapi/v2", "/openapi/v3/api/v1"}) {
    auto plain = get(path);
    auto packed = ask({.target = path, .encoding = "gzip"});
    EXPECT_EQ(packed.headers.get("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.headers.get("ETag"), plain.headers.get("ETag"));
    EXPECT_LT(packed.body.size(), plain.body.size() / 4);
    EXPECT_TRUE(http::gunzip(packed.body, plain.body.size()) == plain.body) << path;
  }
}

TEST_F(DiscoveryTest, ServesSwaggerAsJsonAndProtobuf) {
  auto swagger = get("/openapi/v2");
  EXPECT_EQ(json::string_at(swagger.json(), {"swagger"}), "2.0");
  auto proto = ask({.target = "/openapi/v2",
                    .accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"});
  EXPECT_EQ(proto.status, 200);
  EXPECT_TRUE(
      proto.body.starts_with("\x0a\x03"
                             "2.0"));
  EXPECT_EQ(ask({.target = "/openapi/v2", .accept = "text/html"}).status, 406);
}

}  // namespace
}  // namespace slipway::server
