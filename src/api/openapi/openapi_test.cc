#include "api/openapi/openapi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/openapi/openapi_structural.h"
#include "api/rules/crd_rules.h"
#include "api/schema/crd_fixture.h"

namespace slipway::api {
namespace {

using testing::crontab_crd;
using testing::object_of;

std::string text_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* found = json::at(value, path);
  return found == nullptr ? "(none)" : json::write(*found, {.sort_keys = true});
}

void collect_references(const json::Value& value, std::set<std::string>& out) {
  if (value.is_array()) {
    for (const json::Value& item : value.get_array()) collect_references(item, out);
  } else if (value.is_object()) {
    for (const auto& entry : value.get_object()) {
      if (entry.key() == "$ref" && entry.value().is_string())
        out.insert(std::string(entry.value().get_string()));
      collect_references(entry.value(), out);
    }
  }
}

TEST(OpenApi, HasADocumentForEachGroupAndVersion) {
  auto registry = Registry::make();
  std::vector<std::string> paths = openapi_v3_paths(*registry);
  for (std::string_view path :
       {"api/v1", "apis/apps/v1", "apis/batch/v1", "apis/gateway.networking.k8s.io/v1"}) {
    EXPECT_NE(std::ranges::find(paths, path), paths.end()) << path;
  }
  EXPECT_TRUE(openapi_v3(*registry, "apis/nothing/v1").is_null());
}

TEST(OpenApi, ReferencesOnlyWhatItContains) {
  auto registry = Registry::make();
  for (const std::string& path : openapi_v3_paths(*registry)) {
    json::Value document = openapi_v3(*registry, path);
    std::set<std::string> references;
    collect_references(document, references);
    const json::Object& schemas = document.at("components").at("schemas").get_object();
    for (const std::string& reference : references) {
      ASSERT_TRUE(reference.starts_with("#/components/schemas/")) << reference;
      EXPECT_TRUE(schemas.contains(reference.substr(21))) << path << " " << reference;
    }
  }
  json::Value document = openapi_v2(*registry);
  std::set<std::string> references;
  collect_references(document, references);
  for (const std::string& reference : references) {
    ASSERT_TRUE(reference.starts_with("#/definitions/")) << reference;
    EXPECT_TRUE(document.at("definitions").get_object().contains(reference.substr(14)))
        << reference;
  }
}

TEST(OpenApi, SaysHowListsMergeAndWhatIsRequired) {
  auto registry = Registry::make();
  json::Value document = openapi_v3(*registry, "apis/apps/v1");
  const json::Value& schemas = document.at("components").at("schemas");
  EXPECT_EQ(
      text_at(schemas, {"io.k8s.api.core.v1.PodSpec", "properties", "containers"}),
      R"({"items":{"$ref":"#/components/schemas/io.k8s.api.core.v1.Container"},"type":"array",)"
      R"("x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map","x-kubernetes-pa)"
      R"(tch-merge-key":"name",)"
      R"("x-kubernetes-patch-strategy":"merge"})");
  EXPECT_EQ(text_at(schemas, {"io.k8s.api.apps.v1.DeploymentSpec", "required"}),
            R"(["selector","template"])");
  EXPECT_EQ(text_at(schemas, {"io.k8s.api.apps.v1.DeploymentSpec", "properties", "strategy"}),
            R"({"allOf":[{"$ref":"#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy"}],)"
            R"("x-kubernetes-patch-strategy":"retainKeys"})");
  EXPECT_EQ(text_at(schemas, {"io.k8s.api.apps.v1.Deployment", "x-kubernetes-group-version-kind"}),
            R"([{"group":"apps","kind":"Deployment","version":"v1"}])");
  EXPECT_EQ(text_at(schemas, {"io.k8s.apimachinery.pkg.util.intstr.IntOrString"}),
            R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})");
}

TEST(OpenApi, ListsPatchParametersAndMediaTypes) {
  auto registry = Registry::make();
  const std::string path = "/apis/apps/v1/namespaces/{namespace}/deployments/{name}";
  json::Value v3 = openapi_v3(*registry, "apis/apps/v1");
  const json::Value& patch = v3.at("paths").at(path).at("patch");
  EXPECT_TRUE(patch.at("requestBody")
                  .at("content")
                  .get_object()
                  .contains("application/strategic-merge-patch+json"));
  EXPECT_EQ(text_at(patch, {"x-kubernetes-group-version-kind"}),
            R"({"group":"apps","kind":"Deployment","version":"v1"})");
  std::vector<std::string> names;
  for (const json::Value& parameter : patch.at("parameters").get_array()) {
    names.emplace_back(parameter.at("name").get_string());
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"dryRun", "fieldManager", "fieldValidation", "force"}));

  json::Value v2 = openapi_v2(*registry);
  const json::Array& parameters = v2.at("paths").at(path).at("patch").at("parameters").get_array();
  EXPECT_EQ(text_at(parameters[0], {}), R"({"in":"query","name":"dryRun","type":"string"})");
  EXPECT_FALSE(v2.at("paths").get_object().contains(
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/{name}"));
}

TEST(OpenApi, ServesTheSchemaOfACustomKindAsItCame) {
  auto registry = Registry::make();
  ASSERT_TRUE(registry->add_custom(
      crontab_crd(R"({"type":"object","description":"what to run","properties":{
    "when":{"type":"string","description":"a time"},
    "any":{"x-kubernetes-preserve-unknown-fields":true},
    "n":{"type":"integer","nullable":true}}})")));
  json::Value v3 = openapi_v3(*registry, "apis/example.com/v1");
  const json::Value& crontab =
      v3.at("components").at("schemas").at("com.example.v1.CronTab").at("properties");
  EXPECT_EQ(text_at(crontab, {"spec", "properties", "when"}),
            R"({"description":"a time","type":"string"})");
  EXPECT_EQ(text_at(crontab, {"metadata"}),
            R"({"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"})");
  EXPECT_FALSE(v3.at("paths")
                   .at("/apis/example.com/v1/namespaces/{namespace}/crontabs/{name}")
                   .at("patch")
                   .at("requestBody")
                   .at("content")
                   .get_object()
                   .contains("application/strategic-merge-patch+json"));
  json::Value v2 = openapi_v2(*registry);
  const json::Value& old = v2.at("definitions").at("com.example.v1.CronTab").at("properties");
  EXPECT_EQ(text_at(old, {"spec", "properties", "n"}), "{}");
  EXPECT_EQ(text_at(old, {"spec", "properties", "any"}),
            R"({"x-kubernetes-preserve-unknown-fields":true})");
}

TEST(CrdOf, EveryKindThatIsNotNativeGivesAValidDefinition) {
  auto registry = Registry::make();
  for (const auto& resource : registry->all()) {
    if (resource->native) continue;
    json::Object crd = crd_of(*resource);
    Findings findings;
    check_crd(crd, findings);
    for (const Cause& cause : findings.causes) {
      ADD_FAILURE() << resource->gvk.kind << ": " << cause.field << ": " << cause.message;
    }
    SchemaSet again;
    auto kinds = read_crd(crd, registry->schemas());
    ASSERT_TRUE(kinds);
    EXPECT_EQ(kinds->resources.at(0).gvk, resource->gvk);
  }
}

TEST(StructuralSchema, CutsATypeInsideItself) {
  SchemaSet set;
  Schema& node = set.add({.name = "x.Node", .shape = Shape::kObject});
  node.fields.push_back({.name = "next", .type = &node});
  node.fields.push_back({.name = "size", .type = set.scalar(Shape::kQuantity)});
  std::string text = json::write(structural_schema(node), {.sort_keys = true});
  EXPECT_TRUE(text.starts_with(
      R"({"properties":{"next":{"type":"object","x-kubernetes-preserve-unknown-fields":true},")"
      R"(size":{"anyOf":)"))
      << text;
}

}  // namespace
}  // namespace slipway::api
