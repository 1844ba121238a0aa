#include "api/schema/crd_schema.h"

#include <gtest/gtest.h>

#include "api/rules/crd_rules.h"
#include "api/schema/crd_fixture.h"

namespace slipway::api {
namespace {

using testing::crontab_crd;
using testing::Crontabs;
using testing::object_of;

std::string problems_of(const json::Object& crd) {
  Findings findings;
  check_crd(crd, findings);
  std::string out;
  for (const Cause& cause : findings.causes)
    out += (out.empty() ? "" : "\n") + cause.field + ": " + cause.message;
  return out;
}

TEST(CustomKinds, TakeNamesColumnsAndSubresourcesFromTheDefinition) {
  Crontabs crontabs(R"({"type":"object"})");
  const Resource& resource = crontabs.resource();
  EXPECT_EQ(resource.gvr(), (Gvr{"example.com", "v1", "crontabs"}));
  EXPECT_EQ(resource.gvk.kind, "CronTab");
  EXPECT_EQ(resource.singular, "crontab");
  EXPECT_EQ(resource.short_names, std::vector<std::string>{"ct"});
  EXPECT_TRUE(resource.custom && resource.namespaced && resource.status_subresource &&
              !resource.native);
  EXPECT_EQ(resource.scale->spec_replicas, ".spec.replicas");
  ASSERT_EQ(resource.columns.size(), 1u);
  EXPECT_EQ(resource.columns[0].json_path, ".metadata.creationTimestamp");
  EXPECT_EQ(resource.schema->find("metadata")->type->name,
            "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
}

TEST(CustomKinds, ReadListsMapsAndAtomicity) {
  Crontabs crontabs(R"({"type":"object","x-kubernetes-map-type":"atomic","properties":{
    "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
    "map":{"type":"object","additionalProperties":{"type":"integer"}},
    "free":{"type":"object","additionalProperties":true}}})");
  const Schema& spec = *crontabs.schema().find("spec")->type;
  EXPECT_TRUE(spec.atomic);
  EXPECT_EQ(spec.find("set")->type->list_type, ListType::kSet);
  EXPECT_EQ(spec.find("map")->type->shape, Shape::kMap);
  EXPECT_EQ(spec.find("map")->type->element->shape, Shape::kInt64);
  EXPECT_EQ(spec.find("free")->type->element->shape, Shape::kAny);
}

struct Case {
  std::string_view schema, problem;
};

TEST(CrdRules, RefuseSchemasThatAreNotStructural) {
  const std::string at = "spec.validation.openAPIV3Schema.properties[spec]";
  for (auto [schema, problem] : {
           Case{R"({"properties":{}})",
                ".type: Required value: must not be empty for specified object fields"},
           Case{R"({"type":"array","items":{}})",
                ".items.type: Required value: must not be empty for specified array items"},
           Case{R"({"type":"array"})", ".items: Required value: must be specified"},
           Case{R"({"type":"text"})",
                ".type: Unsupported value: \"text\": supported values: \"array\", \"boolean\", "
                "\"integer\", \"number\", "
                "\"object\", \"string\""},
           Case{R"({"type":"object","$ref":"#/x"})", ".$ref: Forbidden: $ref is not supported"},
           Case{R"({"type":"object","additionalProperties":{"type":"string"},"properties":{"a":{)"
                R"("type":"string"}}})",
                ".additionalProperties: Forbidden: additionalProperties and properties are mutual "
                "exclusive"},
           Case{R"({"type":"object","oneOf":[{"description":"x"}]})",
                ".oneOf[0].description: Forbidden: must be empty to be structural"},
           Case{
               R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
                  "items":{"type":"object","properties":{"n":{"type":"string"}}}})",
               ".items.properties[n].default: Required value: this property is in "
               "x-kubernetes-list-map-keys, so it must "
               "have a default or be a required property"},
       }) {
    EXPECT_EQ(problems_of(crontab_crd(schema)), at + std::string(problem));
  }
  std::string bad = problems_of(crontab_crd(R"({"type":"string","pattern":"(a"})"));
  EXPECT_TRUE(
      bad.starts_with(at + ".pattern: Invalid value: \"(a\": must be a valid regular expression"))
      << bad;
}

TEST(CrdRules, RefuseWrongNamesAndVersions) {
  struct Edit {
    std::string_view from, to, problem;
  };
  const std::string good = json::write(crontab_crd(R"({"type":"object"})"));
  EXPECT_EQ(problems_of(object_of(good)), "");
  for (auto [from, to, problem] :
       {Edit{R"("name":"crontabs.example.com")", R"("name":"crontabs.example.org")",
             R"(metadata.name: Invalid value: "crontabs.example.org": must be spec.names.plural+)"
             R"("."+spec.group)"},
        Edit{R"("scope":"Namespaced")", R"("scope":"Everywhere")",
             R"(spec.scope: Unsupported value: "Everywhere": supported values: "Cluster", "Names)"
             R"(paced")"},
        Edit{R"("kind":"CronTab")", R"("kind":"Cron Tab")",
             "spec.names.kind: Invalid value: \"Cron Tab\": may have mixed"},
        Edit{R"("versions":[)", R"("versions":[],"old":[)",
             "spec.versions: Invalid value: []: must have exactly one"},
        Edit{R"("storage":true)", R"("storage":false)", "spec.versions: Invalid value: ["},
        Edit{R"("storage":true)", R"("storage":true,"deprecationWarning":"old")",
             R"(spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for )"
             R"(deprecated versions)"},
        Edit{R"("storage":true)", R"("storage":true,"deprecated":true,"deprecationWarning":"")",
             R"(spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty)"},
        Edit{R"("storage":true)",
             R"("storage":true,"deprecated":true,"deprecationWarning":"a\u0007")",
             R"(spec.versions[0].deprecationWarning: Invalid value: "a\u0007": must only contain )"
             R"(printable UTF-8 characters; non-printable character found at index 1)"},
        Edit{R"("schema":)", R"("schemas":)",
             "spec.versions[0].schema.openAPIV3Schema: Required value"}}) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    EXPECT_TRUE(problems_of(object_of(text)).starts_with(problem)) << problems_of(object_of(text));
  }
}

TEST(CrdRules, EstablishTheKindAtOnce) {
  json::Object crd = crontab_crd(R"({"type":"object"})");
  KindRules rules = crd_rules();
  rules.set_defaults(crd);
  rules.prepare(crd, nullptr);
  EXPECT_EQ(json::string_at(crd, {"spec", "names", "listKind"}), "CronTabList");
  EXPECT_EQ(json::string_at(crd, {"spec", "conversion", "strategy"}), "None");
  EXPECT_EQ(json::string_at(crd, {"status", "acceptedNames", "kind"}), "CronTab");
  EXPECT_EQ(json::write(*json::at(crd, {"status", "storedVersions"})), R"(["v1"])");
  EXPECT_EQ(json::at(crd, {"status", "conditions"})->get_array().size(), 2u);
}

TEST(CustomKinds, ErrorsNameTheFieldOfTheDefinition) {
  SchemaSet builtin;
  auto kinds = read_crd(crontab_crd("{}"), builtin);
  ASSERT_FALSE(kinds);
  EXPECT_EQ(kinds.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(kinds.error().where, "spec.validation.openAPIV3Schema.properties[spec].type");
}

}  // namespace
}  // namespace slipway::api
