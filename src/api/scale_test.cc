#include "api/scale.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

Resource deployments() {
  return {.gvk = {"apps", "v1", "Deployment"},
          .plural = "deployments",
          .singular = "deployment",
          .scale = ScalePaths{".spec.replicas", ".status.replicas", ".spec.selector"}};
}

json::Object object_of(std::string_view text) { return json::read(text)->as_object(); }

TEST(Scale, ShowsReplicasAndSelectorOfAnObject) {
  json::Object scale = scale_of(
      object_of(
          R"({"metadata":{"name":"web","namespace":"default","uid":"u","resourceVersion":"7",)"
          R"("labels":{"a":"b"}},"spec":{"replicas":3,"selector":{"matchLabels":{"b":"2","a":"1"}}},)"
          R"("status":{"replicas":2}})"),
      deployments());
  EXPECT_EQ(
      json::write(scale),
      R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web","namespace":"default",)"
      R"("uid":"u","resourceVersion":"7"},"spec":{"replicas":3},"status":{"replicas":2,"selector":"a=1,b=2"}})");
}

TEST(Scale, TakesTheSelectorOfACustomKindAsItStands) {
  Resource resource = deployments();
  resource.scale->selector = ".status.selector";
  json::Object scale = scale_of(
      object_of(R"({"metadata":{"name":"w"},"spec":{"replicas":0},"status":{"selector":"a=b"}})"),
      resource);
  EXPECT_EQ(json::write(scale.at("spec")), "{}");
  EXPECT_EQ(json::write(scale.at("status")), R"({"replicas":0,"selector":"a=b"})");
}

TEST(Scale, SetsReplicas) {
  json::Object object = object_of(R"({"metadata":{"name":"web"}})");
  ASSERT_TRUE(set_scale(object, object_of(R"({"spec":{"replicas":5}})"), deployments()));
  EXPECT_EQ(json::write(object), R"({"metadata":{"name":"web"},"spec":{"replicas":5}})");
  ASSERT_TRUE(set_scale(object, object_of(R"({"spec":{}})"), deployments()));
  EXPECT_EQ(json::write(object.at("spec")), R"({"replicas":0})") << "Go leaves zero out";
}

TEST(Scale, RefusesNegativeAndOtherReplicas) {
  json::Object object = object_of(R"({"metadata":{"name":"web"}})");
  auto negative = set_scale(object, object_of(R"({"spec":{"replicas":-1}})"), deployments());
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(negative.error().message,
            "Scale.autoscaling \"web\" is invalid: spec.replicas: Invalid value: -1: must be "
            "greater than or equal to 0");
  auto text = set_scale(object, object_of(R"({"spec":{"replicas":"3"}})"), deployments());
  ASSERT_FALSE(text);
  EXPECT_EQ(
      text.error().message,
      "json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32");
}

TEST(Scale, NamesWhatACustomObjectHoldsInItsPlaceAndCannotBeRead) {
  Resource resource = deployments();
  resource.scale->selector = ".status.selector";
  struct Case {
    std::string_view object;
    std::vector<std::string> causes;
  };
  const Case cases[] = {
      {R"({})", {}},
      {R"({"spec":{"replicas":3},"status":{"replicas":0,"selector":"a=b"}})", {}},
      {R"({"spec":null})", {}},
      {R"({"spec":{"replicas":"three"}})",
       {"Invalid value: 0: .spec.replicas accessor error: three is of the type string, expected "
        "int64"}},
      {R"({"spec":{"replicas":2.5},"status":{"replicas":[1]}})",
       {"Invalid value: 0: .spec.replicas accessor error: 2.5 is of the type float64, expected "
        "int64",
        "Invalid value: 0: .status.replicas accessor error: [1] is of the type []interface {}, "
        "expected int64"}},
      {R"({"spec":"many"})",
       {"Invalid value: 0: .spec.replicas accessor error: many is of the type string, expected "
        "map[string]interface {}"}},
      {R"({"spec":{"replicas":-1}})", {"Invalid value: -1: should be a non-negative integer"}},
      {R"({"spec":{"replicas":2147483648}})",
       {"Invalid value: 2147483648: should be less than or equal to 2147483647"}},
      {R"({"status":{"selector":7}})",
       {"Invalid value: \"\": .status.selector accessor error: 7 is of the type int64, expected "
        "string"}},
  };
  for (const Case& one : cases) {
    Findings findings;
    check_scale(object_of(one.object), resource, findings);
    std::vector<std::string> found;
    for (const Cause& cause : findings.causes) found.push_back(cause.message);
    EXPECT_EQ(found, one.causes) << one.object;
  }
}

}  // namespace
}  // namespace slipway::api
