#include "cli/manifests.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

std::vector<ManifestObject> objects_of(std::string_view text) {
  std::vector<Manifest> manifests;
  for (auto& document : yaml::read(text).value()) manifests.push_back({"a.yaml", document});
  return objects_in_order(manifests);
}

std::vector<std::string> names(const std::vector<ManifestObject>& objects) {
  std::vector<std::string> found;
  for (const auto& object : objects)
    found.emplace_back(json::string_at(object.value, {"metadata", "name"}));
  return found;
}

TEST(Manifests, ObjectsComeInTheOrderTheyCanBeMade) {
  EXPECT_EQ(names(objects_of(R"({kind: Pod, metadata: {name: b}}
---
{kind: Pod, metadata: {name: a}}
---
{kind: CustomResourceDefinition, metadata: {name: crd}}
---
{kind: Namespace, metadata: {name: ns}}
)")),
            (std::vector<std::string>{"ns", "crd", "b", "a"}));
}

TEST(Manifests, WhatIsUsedComesBeforeWhatUsesIt) {
  EXPECT_EQ(names(objects_of(R"({kind: Experiment, metadata: {name: e}}
---
{kind: Rollout, metadata: {name: r}}
---
{kind: AnalysisTemplate, metadata: {name: t}}
---
{kind: ClusterAnalysisTemplate, metadata: {name: ct}}
---
{kind: MetricTemplate, metadata: {name: m}}
---
{kind: Service, metadata: {name: s}}
---
{kind: Secret, metadata: {name: pw}}
---
{kind: ConfigMap, metadata: {name: c}}
---
{kind: Namespace, metadata: {name: ns}}
)")),
            (std::vector<std::string>{"ns", "c", "pw", "s", "m", "ct", "t", "e", "r"}));
}

TEST(Manifests, AListStandsForItsItemsEachWithItsLine) {
  const auto objects = objects_of(R"(apiVersion: v1
kind: List
items:
- kind: Pod
  metadata: {name: a}
- kind: List
  items:
  - kind: Namespace
    metadata: {name: ns}
---
apiVersion: v1
kind: ConfigMapList
items:
- metadata: {name: c}
)");
  ASSERT_EQ(names(objects), (std::vector<std::string>{"ns", "c", "a"}));
  EXPECT_EQ(objects[0].place(), "a.yaml:8");
  EXPECT_EQ(json::string_at(objects[1].value, {"kind"}), "ConfigMap");
  EXPECT_EQ(json::string_at(objects[1].value, {"apiVersion"}), "v1");
  EXPECT_EQ(objects[2].place(), "a.yaml:4");
}

TEST(Manifests, WithoutObjectsThereAreNone) {
  for (const char* text : {"", "# nothing\n", "---\n---\n", "{kind: List, items: []}"})
    EXPECT_TRUE(objects_of(text).empty()) << text;
}

TEST(Manifests, AnotherNamespaceThanTheUserNamedIsRefused) {
  const auto object = objects_of("{kind: Pod, metadata: {name: a, namespace: shop}}").front();
  const auto refused = check_namespace(object, "other");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("give -n shop"), std::string::npos);
  EXPECT_TRUE(check_namespace(object, "shop"));
  EXPECT_TRUE(check_namespace(object, ""));
  EXPECT_TRUE(check_namespace(objects_of("{kind: Pod, metadata: {name: a}}").front(), "other"));
}

}  // namespace
}  // namespace slipway::cli
