#include "store/kube/kube_store.h"

#include <gmock/gmock.h>

#include "store/kube/fake_api_server.h"

namespace slipway::store::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
const std::string kConfigMap =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n","resourceVersion":"7","uid":"u"}})";

class KubeStoreTest : public testing::Test {
 protected:
  FakeApiServer server_;
  std::unique_ptr<Connection> connection_ =
      connect(server_.loop(), server_.pool(), server_.access());
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<Store> store_ = make_kube_store(server_.loop(), *connection_, *registry_);
};

TEST_F(KubeStoreTest, SendsWritesWithTheirOptions) {
  http::Headers warned;
  warned.add("Warning", R"(299 - "careful")");
  server_.replies = {{.status = 201, .body = kConfigMap, .headers = warned},
                     {.body = kConfigMap},
                     {.body = kConfigMap}};
  std::vector<std::string> warnings;
  auto made = server_.run(store_->create(kConfigMaps, "n", {{"data", json::Object()}},
                                         {.manager = "me",
                                          .dry_run = true,
                                          .validation = FieldValidation::kWarn,
                                          .duplicates = {"data.k"},
                                          .warnings = &warnings}));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->key, (Key{"n", "a"}));
  EXPECT_EQ(made->version, 7u);
  EXPECT_THAT(warnings, ElementsAre(R"(duplicate field "data.k")", "careful"));
  EXPECT_EQ(server_.requests[0].body, R"({"data":{},"apiVersion":"v1","kind":"ConfigMap"})");
  ASSERT_TRUE(server_.run(store_->update(kConfigMaps, {"n", "a"}, {}, {.subresource = "status"})));
  ASSERT_TRUE(server_.run(
      store_->patch(kConfigMaps, {"n", "a"},
                    {.type = PatchType::kApply, .body = json::Object(), .force = true}, {})));
  EXPECT_EQ(server_.requests[2].headers.get("Content-Type"), "application/apply-patch+yaml");
  const std::string path = "/api/v1/namespaces/n/configmaps";
  EXPECT_THAT(
      server_.asked,
      ElementsAre("POST " + path + "?fieldManager=me&fieldValidation=Warn&dryRun=All",
                  "PUT " + path + "/a/status?fieldManager=slipway&fieldValidation=Strict",
                  "PATCH " + path + "/a?fieldManager=slipway&fieldValidation=Strict&force=true"));
}

TEST_F(KubeStoreTest, RefusesRepeatedKeysItself) {
  auto made = server_.run(store_->create(kConfigMaps, "n", {}, {.duplicates = {"data.k"}}));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kBadRequest);
  EXPECT_THAT(made.error().message, HasSubstr(R"(duplicate field "data.k")"));
  EXPECT_THAT(server_.asked, SizeIs(0));
}

TEST_F(KubeStoreTest, NeverSendsAKeyThatNamesSomethingElse) {
  for (const Key& key :
       {Key{"n", ""}, Key{"n", ".."}, Key{"n", "a/b"}, Key{"", "a"}, Key{".", "a"}}) {
    auto deleted = server_.run(store_->remove(kConfigMaps, key, {}));
    ASSERT_FALSE(deleted);
    EXPECT_EQ(deleted.error().code, ErrorCode::kInvalid);
  }
  EXPECT_THAT(server_.asked, SizeIs(0));
}

TEST_F(KubeStoreTest, GivesTheLastStateOfWhatItRemoved) {
  server_.replies = {{.body = kConfigMap}, {.body = R"({"kind":"Status","status":"Success"})"}};
  auto deleted = server_.run(store_->remove(kConfigMaps, {"n", "a"}, {.if_uid = "u"}));
  ASSERT_TRUE(deleted) << deleted.error().text();
  EXPECT_TRUE(deleted->gone);
  EXPECT_EQ(*deleted->item.bytes, kConfigMap);
  EXPECT_THAT(server_.requests[1].body, HasSubstr(R"("preconditions":{"uid":"u"})"));
}

TEST_F(KubeStoreTest, FindsKindsByTheirDefinition) {
  const std::string definition =
      R"({"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
    "metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
    "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
    "versions":[{"name":"v1","served":true,"storage":true,
      "schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
  server_.replies = {{.body = definition},
                     {.body = R"({"metadata":{"resourceVersion":"3"},"items":[]})"},
                     {.body = R"({"metadata":{"resourceVersion":"3"},"items":[]})"}};
  for (int i = 0; i < 2; ++i) {
    auto page = server_.run(store_->list({"example.com", "v1", "widgets"}, {.ns = "n"}));
    ASSERT_TRUE(page) << page.error().text();
  }
  EXPECT_THAT(
      server_.asked,
      ElementsAre("GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com",
                  "GET /apis/example.com/v1/namespaces/n/widgets",
                  "GET /apis/example.com/v1/namespaces/n/widgets"));
}

TEST_F(KubeStoreTest, DoesNotKnowKindsThatNobodyDefines) {
  server_.replies = {refusal_reply(404, "NotFound")};
  auto page = server_.run(store_->list({"example.com", "v1", "gadgets"}, {}));
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(page.error().message, "the server could not find the requested resource");
}

TEST_F(KubeStoreTest, PassesPagesThrough) {
  server_.replies = {
      {.body = R"({"metadata":{"resourceVersion":"3","continue":"t2"},"items":[]})"}};
  auto page = server_.run(store_->list(
      kConfigMaps, {.labels = {{{.key = "app", .op = api::Requirement::Op::kIn, .values = {"a"}}}},
                    .limit = 5,
                    .continue_token = "t1"}));
  ASSERT_TRUE(page) << page.error().text();
  EXPECT_EQ(page->continue_token, "t2");
  EXPECT_THAT(server_.asked[0], HasSubstr("limit=5&continue=t1"));
}

}  // namespace
}  // namespace slipway::store::kube
