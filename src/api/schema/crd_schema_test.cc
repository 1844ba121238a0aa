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
           Case{
               R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
                  "items":{"type":"object","required":["n"],"properties":{"n":{"type":"array",
                  "items":{"type":"string"}}}}})",
               ".items.properties[n].type: Invalid value: \"object\": must be a scalar type if "
               "parent array's x-kubernetes-list-type is map"},
           Case{
               R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n",
                  "n"],"items":{"type":"object","required":["n"],"properties":{"n":{"type":"string"
                  }}}})",
               ".x-kubernetes-list-map-keys: Invalid value: [\"n\",\"n\"]: must not contain "
               "duplicate entries"},
           Case{
               R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
                  "items":{"type":"string"}})",
               ".items.type: Invalid value: \"string\": must be object if parent array's "
               "x-kubernetes-list-type is map"},
           Case{R"({"type":"array","x-kubernetes-list-map-keys":["n"],"items":{"type":"string"}})",
                ".x-kubernetes-list-type: Required value: must be map if "
                "x-kubernetes-list-map-keys is non-empty"},
           Case{R"({"type":"string","x-kubernetes-list-type":"set"})",
                ".type: Invalid value: \"string\": must be array if x-kubernetes-list-type is "
                "specified"},
           Case{R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"object"}})",
                ".items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a "
                "list with x-kubernetes-list-type=set"},
           Case{R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string",)"
                R"("nullable":true}})",
                ".items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is "
                "set"},
           Case{R"({"type":"object","properties":{"a":{"type":"string"}},"default":{"a":"x",)"
                R"("b":1}})",
                ".default: Invalid value: {\"a\":\"x\",\"b\":1}: must not have unknown fields"},
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

TEST(CrdRules, TakeListsOfAllTypesAndDefaultsThatFit) {
  EXPECT_EQ(problems_of(crontab_crd(R"({"type":"object","properties":{
    "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object",
      "x-kubernetes-map-type":"atomic"}},
    "map":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n","p"],
      "items":{"type":"object","required":["n"],"properties":{"n":{"type":"string"},
        "p":{"type":"integer","default":1}}}},
    "free":{"type":"object","additionalProperties":{"type":"string"},"default":{"any":"thing"}},
    "open":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{"a":{"b":1}}},
    "pod":{"type":"object","x-kubernetes-embedded-resource":true,"properties":{
      "metadata":{"type":"object","default":{"labels":{"a":"b"}}}}},
    "some":{"type":"object","properties":{"l":{"type":"array","items":{"type":"object",
      "properties":{"a":{"type":"string"}}}}},"default":{"l":[{"a":"x"}]}}}})")),
            "");
}

// What a version says beside its schema.
TEST(CrdRules, RefuseColumnsScalesAndSelectableFieldsThatLeadNowhere) {
  struct Edit {
    std::string_view from, to, problem;
  };
  const std::string good = json::write(crontab_crd(
      R"({"type":"object","properties":{"size":{"type":"integer"},"parts":{"type":"array","items":)"
      R"({"type":"string"}}}})"));
  const std::string_view served = R"("served":true)", names = R"("shortNames":["ct"])";
  for (
      auto [from, to, problem] :
      {Edit{
           R"(".spec.replicas")", R"(".status.replicas")",
           R"(spec.subresources.scale.specReplicasPath: Invalid value: ".status.replicas": should )"
           R"(be a json path under .spec)"},
       Edit{R"(".status.replicas")", R"("status.replicas")",
            R"(spec.subresources.scale.statusReplicasPath: Invalid value: "status.replicas": must )"
            R"(be a simple json path starting with .)"},
       Edit{
           R"("statusReplicasPath":".status.replicas")",
           R"("statusReplicasPath":".status.replicas","labelSelectorPath":".metadata.x")",
           R"(spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.x": should be a )"
           R"(json path under either .spec or .status)"},
       Edit{
           served,
           R"("served":true,"additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":"a"},
             {"name":"B","type":"string","jsonPath":".status.c[?(@.type==\"Ready\")].status"}])",
           R"(spec.additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json )"
           R"(path starting with .)"},
       Edit{served,
            R"("served":true,"additionalPrinterColumns":[{"name":"A","type":"string","format":"x",
             "jsonPath":".a"}])",
            R"(spec.additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,)"
            R"(date,date-time,double,float,int32,int64,password)"},
       Edit{served, R"("served":true,"selectableFields":[{"jsonPath":".spec.size"}])", ""},
       Edit{served, R"("served":true,"selectableFields":[{"jsonPath":".spec.nothing"}])",
            R"(spec.selectableFields[0].jsonPath: Invalid value: ".spec.nothing": is an invalid )"
            R"(path: does not refer to a valid field)"},
       Edit{served, R"("served":true,"selectableFields":[{"jsonPath":".spec.parts[0]"}])",
            R"(spec.selectableFields[0].jsonPath: Invalid value: ".spec.parts[0]": is an invalid )"
            R"(path: array notation is not allowed)"},
       Edit{served, R"("served":true,"selectableFields":[{"jsonPath":".spec.parts"}])",
            R"(spec.selectableFields[0].jsonPath: Invalid value: ".spec.parts": must point to a )"
            R"(field of type string, boolean or integer. Enum string fields and strings with )"
            R"(formats are allowed.)"},
       Edit{served,
            R"("served":true,"selectableFields":[{"jsonPath":".spec.size"},
             {"jsonPath":".spec.size"}])",
            R"(spec.selectableFields[1].jsonPath: Duplicate value: ".spec.size")"},
       Edit{names, R"("shortNames":["Ct"])",
            R"(spec.names.shortNames[0]: Invalid value: "Ct": a DNS-1035 label must consist of)"},
       Edit{R"(["all"])", R"(["a b"])",
            R"(spec.names.categories[0]: Invalid value: "a b": a DNS-1035 label must consist of)"},
       Edit{names, R"("singular":"CronTab")",
            R"(spec.names.singular: Invalid value: "CronTab": a DNS-1035 label must consist)"}}) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const std::string found = problems_of(object_of(text));
    EXPECT_TRUE(problem.empty() ? found.empty() : found.starts_with(problem)) << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
  }
}

TEST(CrdRules, StopCompilingPatternsWhereAllTogetherTakeTooMuch) {
  json::Object properties;
  for (int i = 0; i < 120; ++i) {
    properties["p" + std::to_string(i)] = json::Object{
        {"type", "string"}, {"pattern", std::to_string(i) + R"([\x{100}-\x{ffff}]{1000})"}};
  }
  auto schema = [&] {
    return json::write(json::Object{{"type", "object"}, {"properties", properties}});
  };
  const std::string problems = problems_of(crontab_crd(schema()));
  EXPECT_NE(problems.find("the patterns of one definition may take 400000 instructions together"),
            std::string::npos)
      << problems;
  // The same text again costs nothing.
  for (auto& entry : properties) entry.value().as_object()["pattern"] = "^[a-z]{500}$";
  EXPECT_EQ(problems_of(crontab_crd(schema())), "");
}

TEST(CrdRules, TakeOnlySoManyPropertiesInOneObject) {
  json::Object properties;
  for (int i = 0; i < 65'000; ++i)
    properties["p" + std::to_string(i)] = json::Object{{"type", "string"}};
  const auto problems = [&](std::string_view holder) {
    json::Object schema{{"type", "object"}};
    json::Object limits{{"properties", properties}};
    if (holder.empty()) schema["properties"] = properties;
    if (holder == "allOf") schema["allOf"] = json::Array{std::move(limits)};
    return problems_of(crontab_crd(json::write(schema)));
  };
  EXPECT_EQ(problems(""), "");
  properties["one-more"] = json::Object{{"type", "string"}};
  const std::string at = "spec.validation.openAPIV3Schema.properties[spec]";
  const std::string many = "properties: Too many: 65001: must have at most 65000 items";
  EXPECT_EQ(problems(""), at + "." + many);
  EXPECT_EQ(problems("allOf"), at + ".allOf[0]." + many);
}

TEST(CustomKinds, KnowEachOfManyFieldsAndWhichAreRequired) {
  json::Object properties;
  json::Array required{"p19999", "none"};
  for (int i = 0; i < 20'000; ++i)
    properties["p" + std::to_string(i)] = json::Object{{"type", "string"}};
  Crontabs crontabs(json::write(json::Object{
      {"type", "object"}, {"properties", std::move(properties)}, {"required", required}}));
  const Schema& spec = *crontabs.schema().find("spec")->type;
  EXPECT_FALSE(spec.find("p19998")->required);
  EXPECT_TRUE(spec.find("p19999")->required);
  EXPECT_EQ(spec.required_also, std::vector<std::string>{"none"});
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
