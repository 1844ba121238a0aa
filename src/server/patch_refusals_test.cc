#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/api_server_fixture.h"

// What kube-apiserver says to patches it cannot take, word for word.
namespace slipway::server {
namespace {

const std::string kConfigMap = "/api/v1/namespaces/default/configmaps/a";
const std::string kMerge = "application/merge-patch+json";
const std::string kStrategic = "application/strategic-merge-patch+json";
const std::string kJson = "application/json-patch+json";
const std::string kApply = "application/apply-patch+yaml";

struct PatchRefusals : testing::Test, ServerFixture {
  struct Case {
    std::string type, body;
    int status;
    std::string message;  // its end
  };
  void SetUp() override {
    ASSERT_EQ(post("/api/v1/namespaces/default/configmaps",
                   R"({"metadata":{"name":"a"},"data":{"k":"v"}})")
                  .status,
              201);
  }
  void expect(const std::vector<Case>& cases) {
    for (const auto& [type, body, status, message] : cases) {
      auto answer = ask({.method = "PATCH",
                         .target = kConfigMap + (type == kApply ? "?fieldManager=me" : ""),
                         .body = body,
                         .content_type = type});
      EXPECT_EQ(answer.status, status) << type << " " << body << "\n" << answer.body;
      EXPECT_THAT(std::string(json::string_at(answer.json(), {"message"})),
                  testing::EndsWith(message))
          << type << " " << body;
    }
  }
};

TEST_F(PatchRefusals, OfBodiesThatAreNoPatch) {
  expect({
      {kMerge, "[]", 400,
       "error decoding patch: json: cannot unmarshal array into Go value of type "
       "map[string]interface {}"},
      {kMerge, "null", 400, "Invalid JSON Patch"},
      {kStrategic, "1", 400,
       "json: cannot unmarshal number into Go value of type map[string]interface {}"},
      {kStrategic, "{", 400, "unexpected end of JSON input"},
      {kStrategic, "null", 200, ""},
      {kJson, "{}", 400,
       "error decoding patch: json: cannot unmarshal object into Go value of type "
       "[]handlers.jsonPatchOp"},
      {kJson, "null", 200, ""},
      {kApply, "[]", 400,
       "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
       "array into Go value of type map[string]interface {}"},
      {kApply, "null", 400, "invalid object type: /, Kind="},
      {kApply, R"({"apiVersion":"v1"})", 400, "invalid object type: /v1, Kind="},
  });
}

TEST_F(PatchRefusals, OfObjectsThatCannotBeDecoded) {
  expect({
      {kMerge, R"({"metadata":[]})", 422,
       R"("{\"apiVersion\":\"v1\",\"data\":{\"k\":\"v\"},\"kind\":\"ConfigMap\",\"metadata\":[]}": )"
       "json: cannot unmarshal array into Go struct field ConfigMap.metadata of type "
       "v1.ObjectMeta"},
      {kMerge, R"({"kind":"X"})", 422,
       R"(no kind "X" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110")"},
      {kMerge, R"({"kind":1})", 422,
       "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct "
       "field .kind of type string"},
      {kMerge, R"({"metadata":null})", 400,
       "the name of the object (a based on URL) was undeterminable: name must be provided"},
      {kStrategic, R"({"data":1})", 422, R"("map[data:1]": cannot restore map from int64)"},
      {kStrategic, R"({"metadata":1})", 422,
       R"("map[metadata:1]": cannot restore struct from: int64)"},
      {kStrategic, R"({"data":{"k":1}})", 422,
       R"("map[data:map[k:1]]": cannot convert int64 to string)"},
      {kStrategic, R"({"kind":"X"})", 200, ""},
      {kStrategic, R"({"kind":1})", 422, R"("map[kind:1]": cannot convert int64 to string)"},
      {kApply, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"uid":"z"}})", 422,
       R"(ConfigMap "a" is invalid: metadata.uid: Invalid value: "z": field is immutable)"},
  });
}

// In the order Go has it, but for the objects the patch went into.
TEST_F(PatchRefusals, QuoteTheObjectAsItWasPatched) {
  auto answer = ask(
      {.method = "PATCH", .target = kConfigMap, .body = R"({"data":1})", .content_type = kMerge});
  EXPECT_THAT(std::string(json::string_at(answer.json(), {"message"})),
              testing::HasSubstr(R"("metadata\":{\"name\":\"a\",\"namespace\":\"default\",)"));
}

TEST_F(PatchRefusals, OfConfigurationsThatDoNotFitTheSchemaArePlain) {
  auto answer = ask({.method = "PATCH",
                     .target = kConfigMap + "?fieldManager=me",
                     .body = R"({"apiVersion":"v1","kind":"ConfigMap","foo":1})",
                     .content_type = kApply});
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"failed to create typed patch object (/; /v1, Kind=ConfigMap): )"
            R"(.foo: field not declared in schema","code":500})"
            "\n");
}

// The words are about what was sent, not about where it was sent to.
TEST_F(PatchRefusals, OfConfigurationsNameThemAsTheyNameThemselves) {
  for (const auto& [metadata, shown] :
       {std::pair(R"({"name":"c"})", "/c"), std::pair(R"({"namespace":"default"})", "default/"),
        std::pair(R"({"name":"c","namespace":"default"})", "default/c")}) {
    auto answer = ask({.method = "PATCH",
                       .target = kConfigMap + "?fieldManager=me",
                       .body = fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","foo":1,)"
                                           R"("metadata":{}}})",
                                           metadata),
                       .content_type = kApply});
    EXPECT_EQ(json::string_at(answer.json(), {"message"}),
              fmt::format("failed to create typed patch object ({}; /v1, Kind=ConfigMap): .foo: "
                          "field not declared in schema",
                          shown));
  }
}

TEST_F(PatchRefusals, OfAScaleAreThoseOfItsStruct) {
  const std::string path = "/apis/apps/v1/namespaces/default/deployments";
  ASSERT_EQ(post(path, R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                .status,
            201);
  const std::vector<Case> cases = {
      {kMerge, R"({"spec":{"replicas":"x"}})", 422,
       "json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32"},
      {kMerge, R"({"kind":"X"})", 422,
       R"(no kind "X" is registered for version "autoscaling/v1" in scheme "pkg/runtime/scheme.go:110")"},
      {kMerge, R"({"metadata":{"name":"e"}})", 400,
       "the name of the object (e) does not match the name on the URL (d)"},
      {kMerge, R"({"metadata":{"uid":"z"}})", 409, ""},
  };
  for (const auto& [type, body, status, message] : cases) {
    auto answer =
        ask({.method = "PATCH", .target = path + "/d/scale", .body = body, .content_type = type});
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(std::string(json::string_at(answer.json(), {"message"})),
                testing::EndsWith(message));
  }
}

TEST_F(PatchRefusals, APatchOfNothingIsNotLookedAt) {
  auto answer =
      ask({.method = "PATCH", .target = kConfigMap + "b", .body = "1", .content_type = kMerge});
  EXPECT_EQ(answer.status, 404) << answer.body;
}

}  // namespace
}  // namespace slipway::server
