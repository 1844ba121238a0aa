#include "api/admit.h"

#include <gtest/gtest.h>

#include "api/schema/crd_fixture.h"
#include "api/wire/go_types.h"

namespace slipway::api {
namespace {

using testing::Crontabs;
using testing::object_of;

const Resource& kind(std::string_view api_version, std::string_view name) {
  static const std::unique_ptr<Registry> kRegistry = Registry::make();
  static std::vector<std::shared_ptr<const Resource>> kept;
  kept.push_back(kRegistry->find(parse_gvk(api_version, name)));
  return *kept.back();
}

struct Answer {
  std::string error;
  ErrorCode code = {};
  std::string object;
  std::vector<std::string> warnings;
};

Answer admitted(const Resource& resource, std::string_view text, Unknown unknown = Unknown::kStrict,
                Source source = Source::kBody, const std::vector<std::string>& duplicates = {}) {
  Answer answer;
  json::Object object = object_of(text);
  auto done = admit(object, nullptr, resource, unknown, duplicates, answer.warnings, source);
  if (!done) {
    answer.error = done.error().message;
    answer.code = done.error().code;
  }
  answer.object = json::write(object, {.sort_keys = true});
  return answer;
}

constexpr std::string_view kConfigMap =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n"})";
std::string config_map(std::string_view rest) {
  return std::string(kConfigMap) + std::string(rest) + "}";
}

TEST(Admit, RefusesUnknownAndRepeatedFieldsWhenStrict) {
  const Resource& resource = kind("v1", "ConfigMap");
  Answer answer = admitted(resource, config_map(R"(,"dota":{},"metadato":1)"), Unknown::kStrict,
                           Source::kBody, {"data.x"});
  EXPECT_EQ(answer.code, ErrorCode::kBadRequest);
  EXPECT_EQ(
      answer.error,
      R"(ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: du)"
      R"(plicate field "data.x", )"
      R"(unknown field "dota", unknown field "metadato")");

  answer = admitted(resource, config_map(R"(,"dota":{})"), Unknown::kWarn);
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.warnings, std::vector<std::string>{R"(unknown field "dota")"});
  EXPECT_EQ(answer.object.find("dota"), std::string::npos);

  answer = admitted(resource, config_map(R"(,"dota":{})"), Unknown::kIgnore);
  EXPECT_EQ(answer.error, "");
  EXPECT_TRUE(answer.warnings.empty());

  answer = admitted(resource, config_map(R"(,"dota":1)"), Unknown::kStrict, Source::kPatch);
  EXPECT_EQ(answer.code, ErrorCode::kInvalid);
  EXPECT_TRUE(answer.error.ends_with(R"(": strict decoding error: unknown field "dota")"))
      << answer.error;
}

TEST(Admit, WordsWrongTypesOfNativeKindsAsGoDoes) {
  const Resource& resource = kind("apps/v1", "Deployment");
  struct Case {
    std::string_view spec, problem;
  };
  for (auto [spec, problem] :
       {Case{R"({"replicas":"3"})",
             "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of "
             "type int32"},
        Case{R"({"replicas":3000000000})",
             "json: cannot unmarshal number 3000000000 into Go struct field "
             "DeploymentSpec.spec.replicas of type int32"},
        Case{R"({"template":[]})",
             "json: cannot unmarshal array into Go struct field DeploymentSpec.spec.template of "
             "type v1.PodTemplateSpec"},
        Case{R"({"template":{"spec":{"containers":[{"env":[{"name":"a","value":5}]}]}}})",
             "json: cannot unmarshal number into Go struct field "
             "EnvVar.spec.template.spec.containers.env.value of type "
             "string"},
        Case{R"({"template":{"metadata":{"labels":{"a":true}}}})",
             "json: cannot unmarshal bool into Go struct field "
             "ObjectMeta.spec.template.metadata.labels of type string"},
        Case{R"({"template":{"spec":{"containers":{}}}})",
             "json: cannot unmarshal object into Go struct field "
             "PodSpec.spec.template.spec.containers of type "
             "[]v1.Container"},
        Case{R"({"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"many"}}}]}}})",
             "quantities must match the regular expression "
             "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"}}) {
    std::string text =
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","namespace":"n"})"
        R"(,"spec":)" +
        std::string(spec) + "}";
    Answer answer = admitted(resource, text);
    EXPECT_EQ(answer.code, ErrorCode::kBadRequest);
    EXPECT_EQ(answer.error, R"(Deployment in version "v1" cannot be handled as a Deployment: )" +
                                std::string(problem));
  }
}

TEST(Admit, ChecksWordsOfNativeKinds) {
  Answer answer =
      admitted(kind("v1", "Service"), R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a",
    "namespace":"n"},"spec":{"type":"Cluster","ports":[{"port":80}]}})");
  EXPECT_EQ(answer.code, ErrorCode::kInvalid);
  EXPECT_NE(
      answer.error.find(
          R"(spec.type: Unsupported value: "Cluster": supported values: "ClusterIP", "External)"
          R"(Name", )"
          R"("LoadBalancer", "NodePort")"),
      std::string::npos)
      << answer.error;
}

TEST(Admit, WordsWrongTypesOfCustomKindsBySchema) {
  Crontabs crontabs(
      R"({"type":"object","properties":{"replicas":{"type":"integer","default":1}}})");
  constexpr std::string_view kStart =
      R"({"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a","namespace":"n)"
      R"("},"spec":)";
  Answer answer = admitted(crontabs.resource(), std::string(kStart) + R"({"replicas":"3"}})");
  EXPECT_EQ(answer.code, ErrorCode::kInvalid);
  EXPECT_EQ(
      answer.error,
      R"(CronTab.example.com "a" is invalid: [spec.replicas: Invalid value: "string": spec.rep)"
      R"(licas in body must be of type integer: "string", .spec.replicas: Invalid value: 0: )"
      R"(.spec.replicas accessor error: 3 is of the type string, expected int64])");
  answer = admitted(crontabs.resource(), std::string(kStart) + R"({"b":1,"a":2}})");
  EXPECT_EQ(
      answer.error,
      R"(CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknow)"
      R"(n field "spec.a", )"
      R"(unknown field "spec.b")");
  answer = admitted(crontabs.resource(), std::string(kStart) + "{}}");
  EXPECT_NE(answer.object.find(R"("spec":{"replicas":1})"), std::string::npos);
}

TEST(Admit, ChecksMetadata) {
  const Resource& resource = kind("v1", "ConfigMap");
  struct Case {
    std::string_view metadata, problem;
  };
  for (auto [metadata, problem] :
       {Case{R"({"namespace":"n"})",
             "metadata.name: Required value: name or generateName is required"},
        Case{R"({"name":"A","namespace":"n"})",
             R"(metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain)"},
        Case{R"({"name":"a"})", "metadata.namespace: Required value"},
        Case{R"({"name":"a","namespace":"n","labels":{"a b":"c"}})",
             R"(metadata.labels: Invalid value: "a b": name part must consist of)"},
        Case{R"({"name":"a","namespace":"n","labels":{"a":"-"}})",
             R"(metadata.labels: Invalid value: "-": a valid label)"},
        Case{R"({"name":"a","namespace":"n","annotations":{"/":"c"}})",
             R"(metadata.annotations: Invalid value: "/": )"},
        Case{R"({"name":"a","namespace":"n","finalizers":["orphan","foregroundDeletion"]})",
             R"(metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer o)"
             R"(rphan and)"},
        Case{R"({"name":"a","namespace":"n","ownerReferences":[{"apiVersion":"v1","kind":"Pod",")"
             R"(name":"p"}]})",
             R"(metadata.ownerReferences.uid: Invalid value: "": must not be empty)"}}) {
    Answer answer = admitted(resource, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":)" +
                                           std::string(metadata) + "}");
    EXPECT_NE(answer.error.find(problem), std::string::npos) << answer.error;
  }
}

TEST(Admit, RefusesChangesOfIdentity) {
  const Resource& resource = kind("v1", "ConfigMap");
  json::Object old =
      object_of(R"({"metadata":{"name":"a","namespace":"n","uid":"1","deletionTimestamp":
    "2026-01-01T00:00:00Z"}})");
  json::Object now =
      object_of(R"({"metadata":{"name":"a","namespace":"n","uid":"2","deletionTimestamp":
    "2026-01-01T00:00:00Z","finalizers":["x/y"]}})");
  std::vector<std::string> warnings;
  auto done = admit(now, &old, resource, Unknown::kStrict, {}, warnings);
  ASSERT_FALSE(done);
  EXPECT_EQ(
      done.error().message,
      R"(ConfigMap "a" is invalid: [metadata.uid: Invalid value: "2": field is immutable, meta)"
      R"(data.finalizers: )"
      R"(Forbidden: no new finalizers can be added if the object is being deleted, found new f)"
      R"(inalizers )"
      R"([]string{"x/y"}])");
}

TEST(GoTypes, ReachAllYearsThatGoDoes) {
  const Resource& resource = kind("coordination.k8s.io/v1", "Lease");
  json::Object object = object_of(
      R"({"metadata":{"creationTimestamp":"0001-01-01T01:00:00+01:00",
      "deletionTimestamp":"9999-12-31T23:59:59Z"},
      "spec":{"acquireTime":"1492-10-12T02:00:00.123456+02:30",
      "renewTime":"0001-01-01T00:00:00.000000Z"}})");
  EXPECT_EQ(go_decode(object, *resource.schema), std::nullopt);
  EXPECT_EQ(json::write(object, {.sort_keys = true}),
            R"({"metadata":{"deletionTimestamp":"9999-12-31T23:59:59Z"},)"
            R"("spec":{"acquireTime":"1492-10-11T23:30:00.123456Z"}})");
}

TEST(GoTypes, WriteObjectsAsGoWritesThem) {
  const Resource& resource = kind("apps/v1", "Deployment");
  json::Object object = object_of(
      R"({"metadata":{"name":"a","labels":{},"creationTimestamp":null},"spec":{"replicas":0,
    "paused":false,"minReadySeconds":0,"selector":{"matchLabels":{"a":"b"}},
    "template":{"metadata":{"creationTimestamp":null},
    "spec":{"nodeSelector":{},"securityContext":{},"containers":[{"name":"c","image":"","env":[],
    "resources":{"limits":{"cpu":"1000m","memory":1024}}}]}}}})");
  EXPECT_EQ(go_decode(object, *resource.schema), std::nullopt);
  go_encode(object, *resource.schema);
  const char* expected =
      R"({"metadata":{"name":"a"},"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"s)"
      R"(trategy":{},)"
      R"("template":{"metadata":{},"spec":{"containers":[{"name":"c","resources":{"limits":{"c)"
      R"(pu":"1","memory":"1024"}}}],)"
      R"("securityContext":{}}}},"status":{}})";
  EXPECT_EQ(json::write(object, {.sort_keys = true}), expected);
  EXPECT_EQ(go_decode(object, *resource.schema), std::nullopt);
  go_encode(object, *resource.schema);
  EXPECT_EQ(json::write(object, {.sort_keys = true}), expected) << "a second pass changes nothing";
}

}  // namespace
}  // namespace slipway::api
