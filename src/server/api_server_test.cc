#include "server/api_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/api_server_fixture.h"

namespace slipway::server {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto kConfigMaps = "/api/v1/namespaces/default/configmaps";

std::string config_map(const std::string& name, const std::string& rest = R"("data":{"k":"v"})") {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + "\"}," + rest +
         "}";
}

class ApiServerTest : public testing::Test, public ServerFixture {};

TEST_F(ApiServerTest, CreatesReadsAndDeletesAnObject) {
  auto created = post(kConfigMaps, config_map("a"));
  ASSERT_EQ(created.status, 201) << created.body;
  EXPECT_EQ(json::string_at(created.json(), {"data", "k"}), "v");
  EXPECT_EQ(json::string_at(created.json(), {"metadata", "namespace"}), "default");
  auto read = get(std::string(kConfigMaps) + "/a");
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(read.body, created.body);
  auto deleted = ask({.method = "DELETE", .target = std::string(kConfigMaps) + "/a"});
  EXPECT_EQ(deleted.status, 200);
  EXPECT_THAT(deleted.body,
              HasSubstr(R"("status":"Success","details":{"name":"a","kind":"configmaps","uid":")"));
  auto gone = get(std::string(kConfigMaps) + "/a");
  EXPECT_EQ(gone.status, 404);
  EXPECT_THAT(
      gone.body,
      HasSubstr(
          R"("message":"configmaps \"a\" not found","reason":"NotFound","details":{"name":"a","kind":"configmaps"})"));
}

TEST_F(ApiServerTest, ANameThatIsNoneDeletesNothing) {
  ASSERT_EQ(post(kConfigMaps, config_map("a")).status, 201);
  for (const char* name : {"/", "/.", "/..", "/%2E", "//a"}) {
    auto refused = ask({.method = "DELETE", .target = std::string(kConfigMaps) + name});
    EXPECT_EQ(refused.status, 400) << name;
    EXPECT_THAT(refused.body, HasSubstr("where a name has to be")) << name;
  }
  EXPECT_EQ(get(std::string(kConfigMaps) + "/a").status, 200);
  EXPECT_EQ(get("/api/v1/namespaces/default").status, 200);
}

TEST_F(ApiServerTest, TurnsAwayWhoeverHasNoRight) {
  EXPECT_EQ(ask({.target = kConfigMaps, .token = ""}).status, 401);
  EXPECT_EQ(ask({.target = kConfigMaps, .token = "wrong"}).status, 401);
  EXPECT_EQ(ask({.target = kConfigMaps, .token = "view-token"}).status, 200);
  EXPECT_EQ(ask({.target = "/api/v1/secrets", .token = "view-token"}).status, 403);
  auto refused = ask(
      {.method = "POST", .target = kConfigMaps, .body = config_map("a"), .token = "view-token"});
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(
      json::string_at(refused.json(), {"message"}),
      R"(configmaps is forbidden: User "view" cannot create resource "configmaps" in API group "" in the namespace "default")");
  EXPECT_EQ(ask({.target = "/healthz", .token = ""}).body, "ok");
  EXPECT_EQ(ask({.target = "/metrics", .token = ""}).status, 401);
  EXPECT_EQ(ask({.target = "/healthz", .host = "evil.example"}).status, 403);
}

TEST_F(ApiServerTest, RefusesBeforeTheBodyIsRead) {
  http::Request head{.method = "POST",
                     .target = *http::parse_target(kConfigMaps),
                     .headers = {},
                     .body = {},
                     .peer = {}};
  head.headers.set("Host", "localhost");
  auto refusal = handler->refuse(head);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 401);
  head.headers.set("Authorization", "Bearer admin-token");
  EXPECT_FALSE(handler->refuse(head));
}

class Refusals : public ApiServerTest {
 protected:
  struct Refusal {
    Ask ask;
    int status;
    std::string part;
  };

  void SetUp() override {
    ApiServerTest::SetUp();
    post(kConfigMaps, config_map("a"));
  }
  void expect(const std::vector<Refusal>& cases) {
    for (const auto& each : cases) {
      auto answer = ask(each.ask);
      EXPECT_EQ(answer.status, each.status) << each.ask.method << " " << each.ask.target << "\n"
                                            << answer.body;
      EXPECT_THAT(answer.body, HasSubstr(each.part)) << each.ask.method << " " << each.ask.target;
    }
  }
  static std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  }
  const std::string a = std::string(kConfigMaps) + "/a";
};

TEST_F(Refusals, SayWhatIsWrongWithAPathOrABody) {
  expect({
      {{.target = "/nowhere"}, 404, "404 page not found"},
      {{.target = "/apis/nobody.io/v1/things"}, 404, "404 page not found"},
      {{.target = "/api/v1/namespaces/default/namespaces"},
       404,
       "the server could not find the requested resource"},
      {{.target = "/apis/apps/v1/gadgets"},
       404,
       "the server could not find the requested resource"},
      {{.method = "HEAD", .target = kConfigMaps}, 405, "MethodNotAllowed"},
      {{.method = "PUT", .target = kConfigMaps, .body = "{}"}, 405, "MethodNotAllowed"},
      {{.method = "POST", .target = "/api/v1/configmaps", .body = config_map("b")},
       405,
       "does not allow this method"},
      {{.method = "OPTIONS", .target = a}, 405, "MethodNotAllowed"},
      {{.target = a, .accept = "application/vnd.kubernetes.protobuf"},
       406,
       "only the following media types are accepted"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body = "x=1",
        .content_type = "application/x-www-form-urlencoded"},
       415,
       "the body of the request was in an unknown format - accepted media types include: "
       "application/json, application/yaml"},
      {{.method = "PATCH", .target = a, .body = "{}"}, 415, "415: Unsupported Media Type"},
      {{.method = "POST", .target = kConfigMaps, .body = "{bad"},
       400,
       "the object provided is unrecognized (must be of type ConfigMap): couldn't get "
       "version/kind; json parse error"},
      {{.method = "POST", .target = kConfigMaps, .body = "[]"}, 400, "must be of type ConfigMap"},
      {{.method = "POST", .target = kConfigMaps, .body = R"({"kind":"Pod","apiVersion":"v1"})"},
       400,
       R"(Pod in version \"v1\" cannot be handled as a ConfigMap)"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body = R"({"kind":"ConfigMap","apiVersion":"v2"})"},
       400,
       R"(no kind \"ConfigMap\" is registered for version \"v2\")"},
      {{.method = "POST",
        .target = "/apis/argoproj.io/v1alpha1/namespaces/default/rollouts",
        .body = "{}"},
       400,
       "(must be of type Rollout): Object 'Kind' is missing in '{}' ({})"},
  });
}

TEST_F(Refusals, SayWhatIsWrongWithMetadata) {
  expect({
      {{.method = "POST", .target = kConfigMaps, .body = "null"},
       400,
       "cannot unmarshal null into"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":[]})"},
       400,
       "cannot unmarshal array into Go struct field ConfigMap.metadata of type v1.ObjectMeta"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body =
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b","generation":"x"}})"},
       400,
       "cannot unmarshal string into Go struct field ObjectMeta.metadata.generation of type int64"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body =
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b","generation":1.5}})"},
       400,
       "cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b","uid":5}})"},
       400,
       "cannot unmarshal number into Go struct field ObjectMeta.metadata.uid"},
      {{.method = "POST",
        .target = kConfigMaps,
        .body =
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b","creationTimestamp":"yesterday"}})"},
       400,
       "parsing time"},
  });
}

TEST_F(Refusals, SayWhatIsWrongWithAWriteOrASelector) {
  expect({
      {{.method = "POST",
        .target = kConfigMaps,
        .body = R"({"metadata":{"name":"b","namespace":"other"}})"},
       400,
       "the namespace of the provided object does not match the namespace sent on the request"},
      {{.method = "PUT", .target = a, .body = config_map("b")},
       400,
       "the name of the object (b) does not match the name on the URL (a)"},
      {{.method = "PUT", .target = a, .body = "{}"}, 400, "was undeterminable"},
      {{.method = "POST", .target = kConfigMaps, .body = config_map("a")},
       409,
       R"(configmaps \"a\" already exists)"},
      {{.method = "POST", .target = "/api/v1/namespaces/none/configmaps", .body = config_map("a")},
       404,
       R"(namespaces \"none\" not found)"},
      {{.target = std::string(kConfigMaps) + "?limit=x"}, 400, "invalid syntax"},
      {{.target = std::string(kConfigMaps) + "?labelSelector=a%3D%3D%3Db"},
       400,
       "unable to parse requirement"},
      {{.target = std::string(kConfigMaps) + "?fieldSelector=data.k%3Dv"},
       400,
       R"(\"data.k\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\")"},
      {{.target = std::string(kConfigMaps) + "?labelSelector=b" + repeated(",a", 200) +
                  "&fieldSelector=metadata.name!%3Db" + repeated(",metadata.name!%3Da", 55)},
       400,
       "labelSelector and fieldSelector have 257 terms together; send at most 256"},
      {{.target = std::string(kConfigMaps) + "?resourceVersion=x"}, 400, "Invalid value"},
      {{.target = std::string(kConfigMaps) + "?resourceVersionMatch=Exact"},
       422,
       "ListOptions.meta.k8s.io \\\"\\\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch is forbidden unless resourceVersion is provided"},
      {{.target = std::string(kConfigMaps) + "?resourceVersion=99999"},
       504,
       "Too large resource version: 99999"},
      {{.method = "POST",
        .target = std::string(kConfigMaps) + "?dryRun=Some",
        .body = config_map("b")},
       422,
       "dryRun: Unsupported value"},
      {{.method = "POST",
        .target = std::string(kConfigMaps) + "?fieldValidation=Loud",
        .body = config_map("b")},
       422,
       "fieldValidation: Unsupported value"},
  });
}

TEST_F(Refusals, SayWhatIsWrongWithAPatchOrADelete) {
  expect({
      {{.method = "PATCH",
        .target = a,
        .body = "{}",
        .content_type = "application/apply-patch+yaml"},
       422,
       "PatchOptions.meta.k8s.io \\\"\\\" is invalid: fieldManager: Required value: is required "
       "for apply patch"},
      {{.method = "PATCH",
        .target = a + "?force=true",
        .body = "{}",
        .content_type = "application/merge-patch+json"},
       422,
       "force: Forbidden: may not be specified for non-apply patch"},
      {{.method = "PATCH",
        .target = a,
        .body = "{}",
        .content_type = "application/json-patch+json"},
       400,
       "error decoding patch"},
      {{.method = "DELETE", .target = a + "?propagationPolicy=Slowly"},
       422,
       "propagationPolicy: Unsupported value"},
      {{.method = "DELETE", .target = a, .body = R"({"kind":"Pod"})"},
       400,
       "cannot be converted to DeleteOptions"},
      {{.method = "DELETE", .target = a, .body = R"({"preconditions":{"uid":"other"}})"},
       409,
       "the UID in the precondition (other) does not match the UID in record"},
      {{.method = "DELETE", .target = a, .body = R"({"preconditions":{"uid":""}})"},
       409,
       "Precondition failed: uid is empty"},
      {{.method = "DELETE", .target = a, .body = R"({"preconditions":{"resourceVersion":""}})"},
       409,
       "Precondition failed: resourceVersion is empty"},
      {{.method = "DELETE", .target = a, .body = R"({"preconditions":{"uid":5}})"},
       400,
       "is of a wrong type"},
      {{.method = "DELETE", .target = a, .body = R"({"preconditions":[]})"},
       400,
       "is of a wrong type"},
      {{.target = a + "/status"}, 404, "could not find the requested resource"},
      {{.target = a, .accept = "application/json;as=Table;v=v1;g=meta.k8s.io", .agent = "x"},
       200,
       "Table"},
      {{.target = a + "?includeObject=All",
        .accept = "application/json;as=Table;v=v1;g=meta.k8s.io"},
       400,
       "includeObject"},
  });
}

TEST_F(ApiServerTest, ListsInPages) {
  for (int i = 0; i < 5; ++i) post(kConfigMaps, config_map("cm" + std::to_string(i)));
  auto first = get(std::string(kConfigMaps) + "?limit=2").json();
  EXPECT_EQ(json::string_at(first, {"kind"}), "ConfigMapList");
  EXPECT_EQ(first.at("items").as_array().size(), 2u);
  EXPECT_EQ(first.at("metadata").at("remainingItemCount").to_number<int>(), 3);
  std::string token(json::string_at(first, {"metadata", "continue"}));
  auto rest =
      get(std::string(kConfigMaps) + "?limit=10&continue=" + http::percent_encode(token)).json();
  EXPECT_EQ(rest.at("items").as_array().size(), 3u);
  EXPECT_EQ(json::string_at(rest, {"metadata", "continue"}), "");
}

TEST_F(ApiServerTest, SelectsByLabelAndField) {
  post(kConfigMaps, R"({"metadata":{"name":"a","labels":{"app":"x"}}})");
  post(kConfigMaps, R"({"metadata":{"name":"b","labels":{"app":"y"}}})");
  EXPECT_THAT(get(std::string(kConfigMaps) + "?labelSelector=app%3Dx").body,
              testing::AllOf(HasSubstr("\"name\":\"a\""), Not(HasSubstr("\"name\":\"b\""))));
  EXPECT_THAT(get(std::string(kConfigMaps) + "?fieldSelector=metadata.name%3Db").body,
              testing::AllOf(HasSubstr("\"name\":\"b\""), Not(HasSubstr("\"name\":\"a\""))));
}

TEST_F(ApiServerTest, WarnsOfUnknownFieldsOrRefusesThem) {
  auto body = config_map("a", R"("foo":1,"data":{})");
  auto warned = post(kConfigMaps, body);
  EXPECT_EQ(warned.status, 201);
  EXPECT_EQ(warned.headers.get("Warning"), R"(299 - "unknown field \"foo\"")");
  auto strict = post(std::string(kConfigMaps) + "?fieldValidation=Strict",
                     config_map("b", R"("foo":1,"foo":2)"));
  EXPECT_EQ(strict.status, 400);
  EXPECT_EQ(
      json::string_at(strict.json(), {"message"}),
      R"(ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "foo", unknown field "foo")");
  auto refused = post(kConfigMaps, config_map("d", R"("foo":1,"data":{"b@d":"x"})"));
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.headers.get("Warning"), R"(299 - "unknown field \"foo\"")");
  auto ignored =
      post(std::string(kConfigMaps) + "?fieldValidation=Ignore", config_map("c", R"("foo":1)"));
  EXPECT_EQ(ignored.status, 201);
  EXPECT_FALSE(ignored.headers.has("Warning"));
}

TEST_F(ApiServerTest, ADryRunLeavesNothingBehind) {
  EXPECT_EQ(post(std::string(kConfigMaps) + "?dryRun=All", config_map("a")).status, 201);
  EXPECT_EQ(get(std::string(kConfigMaps) + "/a").status, 404);
}

TEST_F(ApiServerTest, TakesYamlBodies) {
  auto created =
      ask({.method = "POST",
           .target = kConfigMaps,
           .body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yam}\ndata:\n  a: b\n",
           .content_type = "application/yaml"});
  EXPECT_EQ(created.status, 201) << created.body;
  EXPECT_EQ(ask({.target = std::string(kConfigMaps) + "/yam", .accept = "application/yaml"})
                .body.starts_with("apiVersion: v1\n"),
            true);
}

TEST_F(ApiServerTest, PatchesInFourWays) {
  const std::string path = "/apis/apps/v1/namespaces/default/deployments";
  auto created =
      post(path, R"({"metadata":{"name":"w"},"spec":{"selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  ASSERT_EQ(created.status, 201) << created.body;
  auto patch = [&](std::string type, std::string body, std::string query = "") {
    return ask({.method = "PATCH",
                .target = path + "/w" + query,
                .body = body,
                .content_type = "application/" + type});
  };
  EXPECT_EQ(patch("json-patch+json", R"([{"op":"replace","path":"/spec/replicas","value":2}])")
                .json()
                .at("spec")
                .at("replicas")
                .to_number<int>(),
            2);
  EXPECT_EQ(patch("merge-patch+json", R"({"spec":{"replicas":3}})")
                .json()
                .at("spec")
                .at("replicas")
                .to_number<int>(),
            3);
  auto strategic =
      patch("strategic-merge-patch+json",
            R"({"spec":{"template":{"spec":{"containers":[{"name":"d","image":"j"}]}}}})");
  EXPECT_EQ(
      strategic.json().at("spec").at("template").at("spec").at("containers").as_array().size(), 2u)
      << strategic.body;
  auto conflict =
      patch("apply-patch+yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {replicas: 9}\n",
            "?fieldManager=other");
  EXPECT_EQ(conflict.status, 409) << conflict.body;
  EXPECT_THAT(conflict.body, HasSubstr("FieldManagerConflict"));
  auto forced =
      patch("apply-patch+yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {replicas: 9}\n",
            "?fieldManager=other&force=true");
  EXPECT_EQ(forced.status, 200) << forced.body;
  EXPECT_THAT(forced.body, HasSubstr(R"("manager":"kubectl","operation":"Update")"));
}

TEST_F(ApiServerTest, AppliesWhatIsNotThereYet) {
  auto applied = ask({.method = "PATCH",
                      .target = std::string(kConfigMaps) + "/n?fieldManager=me",
                      .body = config_map("n"),
                      .content_type = "application/apply-patch+yaml"});
  EXPECT_EQ(applied.status, 201) << applied.body;
  EXPECT_THAT(applied.body, HasSubstr(R"("manager":"me","operation":"Apply")"));
}

TEST_F(ApiServerTest, ScalesThroughTheSubresource) {
  const std::string path = "/apis/apps/v1/namespaces/default/deployments";
  post(path, R"({"metadata":{"name":"w"},"spec":{"selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  auto scale = get(path + "/w/scale").json();
  EXPECT_EQ(json::string_at(scale, {"kind"}), "Scale");
  EXPECT_EQ(json::string_at(scale, {"status", "selector"}), "a=b");
  scale.as_object()["spec"] = json::Object{{"replicas", 4}};
  auto put = ask({.method = "PUT", .target = path + "/w/scale", .body = json::write(scale)});
  EXPECT_EQ(put.status, 200) << put.body;
  EXPECT_EQ(put.json().at("spec").at("replicas").to_number<int>(), 4);
  auto patched = ask({.method = "PATCH",
                      .target = path + "/w/scale",
                      .body = R"({"spec":{"replicas":5}})",
                      .content_type = "application/merge-patch+json"});
  EXPECT_EQ(json::string_at(patched.json(), {"kind"}), "Scale") << patched.body;
  EXPECT_EQ(get(path + "/w").json().at("spec").at("replicas").to_number<int>(), 5);
}

TEST_F(ApiServerTest, WatchesFromAVersion) {
  post(kConfigMaps, config_map("a"));
  auto version =
      std::string(json::string_at(get(kConfigMaps).json(), {"metadata", "resourceVersion"}));
  auto watch =
      get(std::string(kConfigMaps) + "?watch=1&timeoutSeconds=60&resourceVersion=" + version);
  ASSERT_TRUE(watch.stream);
  post(kConfigMaps, config_map("b"));
  auto line = next(watch);
  EXPECT_TRUE(line.starts_with(R"({"type":"ADDED","object":{)")) << line;
  EXPECT_THAT(line, HasSubstr(R"("name":"b")"));
  ask({.method = "DELETE", .target = std::string(kConfigMaps) + "/b"});
  EXPECT_TRUE(next(watch).starts_with(R"({"type":"DELETED",)"));
  EXPECT_EQ(next(watch), "");
}

TEST_F(ApiServerTest, WatchesWhatIsThereFirst) {
  post(kConfigMaps, config_map("a"));
  auto watch = get(std::string(kConfigMaps) +
                   "?watch=1&timeoutSeconds=5&sendInitialEvents=true&resourceVersionMatch="
                   "NotOlderThan&allowWatchBookmarks=true");
  ASSERT_TRUE(watch.stream) << watch.body;
  std::string lines;
  for (std::string piece; !(piece = next(watch)).empty();) lines += piece;
  EXPECT_THAT(lines, HasSubstr(R"({"type":"ADDED")"));
  EXPECT_THAT(lines, HasSubstr(R"({"type":"BOOKMARK")"));
  EXPECT_THAT(lines, HasSubstr(R"("k8s.io/initial-events-end":"true")"));
}

TEST_F(ApiServerTest, AWatchShowsTablesWithColumnsOnce) {
  post(kConfigMaps, config_map("a"));
  post(kConfigMaps, config_map("b"));
  auto watch = ask({.target = std::string(kConfigMaps) + "?watch=1&timeoutSeconds=1",
                    .accept = "application/json;as=Table;v=v1;g=meta.k8s.io"});
  ASSERT_TRUE(watch.stream);
  std::string lines;
  for (std::string piece; !(piece = next(watch)).empty();) lines += piece;
  EXPECT_EQ(lines.find(R"("columnDefinitions":[)"), lines.rfind(R"("columnDefinitions":[)"));
  EXPECT_THAT(lines, HasSubstr(R"("columnDefinitions":null)"));
}

TEST_F(ApiServerTest, AWatchThatIsTooOldIsToldSoInAnEvent) {
  auto watch = get("/api/v1/configmaps?watch=1&resourceVersion=999999999");
  // A version of the future is not an expired one.
  if (watch.stream) EXPECT_THAT(next(watch), Not(HasSubstr("ADDED")));
}

TEST_F(ApiServerTest, ShowsTablesAndMetadata) {
  post(kConfigMaps, config_map("a"));
  auto table = ask({.target = kConfigMaps,
                    .accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"})
                   .json();
  EXPECT_EQ(json::string_at(table, {"kind"}), "Table");
  EXPECT_EQ(json::write(table.at("rows").at(0).at("cells")), R"(["a",1,"0s"])");
  EXPECT_EQ(json::string_at(table.at("rows").at(0), {"object", "kind"}), "PartialObjectMetadata");
  auto list = ask({.target = kConfigMaps,
                   .accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"});
  EXPECT_THAT(list.body,
              HasSubstr(R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1")"));
  EXPECT_THAT(list.body, Not(HasSubstr("\"data\"")));
}

TEST_F(ApiServerTest, AnswersReviews) {
  auto review = [&](std::string token, std::string verb, std::string resource) {
    auto answer = ask(
        {.method = "POST",
         .target = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
         .body =
             R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"namespace":"default","verb":")" +
             verb + R"(","resource":")" + resource + R"("}}})",
         .token = token});
    EXPECT_EQ(answer.status, 201) << answer.body;
    const auto value = answer.json();
    const auto* allowed = json::at(value, {"status", "allowed"});
    return allowed && allowed->as_bool();
  };
  EXPECT_TRUE(review("admin-token", "delete", "secrets"));
  EXPECT_TRUE(review("view-token", "list", "pods"));
  EXPECT_FALSE(review("view-token", "list", "secrets"));
  EXPECT_FALSE(review("view-token", "create", "pods"));
  auto who = post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
  EXPECT_EQ(json::string_at(who.json(), {"status", "userInfo", "username"}), "admin") << who.body;
}

TEST_F(ApiServerTest, LimitsWatchesAndSaysWhenToComeBack) {
  std::vector<Answer> open;
  for (int i = 0; i < 4000; ++i)
    open.push_back(get("/api/v1/configmaps?watch=1&resourceVersion=0"));
  EXPECT_TRUE(open.back().stream);
  auto refused = get("/api/v1/configmaps?watch=1");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.get("Retry-After"), "1");
  open.clear();
  EXPECT_EQ(get("/api/v1/configmaps?watch=1").status, 200);
}

TEST_F(ApiServerTest, ShowsItsVersionAndMetrics) {
  auto version = get("/version").json();
  EXPECT_EQ(json::string_at(version, {"minor"}), "34");
  EXPECT_TRUE(json::string_at(version, {"gitVersion"}).starts_with("v1.34.0+slipway-"));
  post(kConfigMaps, config_map("a"));
  auto scrape = get("/metrics");
  std::string metrics_text;
  for (auto piece = next(scrape); !piece.empty(); piece = next(scrape)) metrics_text += piece;
  EXPECT_THAT(
      metrics_text,
      HasSubstr(R"(slipway_api_requests_total{code="201",resource="configmaps",verb="create"} 1)"));
}

TEST_F(ApiServerTest, ALongScrapeLetsOthersHaveTheirTurn) {
  constexpr int kParts = 100;
  const std::string line(10'000, '#');
  metrics.add_text([&line] {
    return [&line, left = kParts](std::string& to) mutable {
      to += line + "\n";
      return --left > 0;
    };
  });
  for (const bool gzip : {false, true}) {
    auto scrape = ask({.target = "/metrics", .encoding = gzip ? "gzip" : ""});
    EXPECT_EQ(scrape.headers.get("Content-Encoding"), gzip ? "gzip" : "");
    int turns = 0;
    std::function<void()> others = [&] {
      loop->post([&] { ++turns, others ? others() : void(); });
    };
    others();
    std::string body;
    for (auto piece = next(scrape); !piece.empty(); piece = next(scrape)) body += piece;
    others = nullptr;
    loop->run_for(std::chrono::milliseconds(1));
    EXPECT_GE(turns, 10);
    if (gzip)
      EXPECT_TRUE(body.starts_with("\x1f\x8b"));
    else
      EXPECT_GE(std::ranges::count(body, '#'), kParts * std::ssize(line));
  }
}

TEST_F(ApiServerTest, PrettyPrintsOnRequest) {
  EXPECT_TRUE(get("/api/v1/namespaces/default?pretty=true").body.starts_with("{\n  \""));
  EXPECT_TRUE(get("/api/v1/namespaces/default").body.starts_with("{\""));
}

}  // namespace
}  // namespace slipway::server
