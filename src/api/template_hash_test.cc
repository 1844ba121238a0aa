#include "api/template_hash.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/yaml.h"

namespace slipway::api {
namespace {

json::Object from_yaml(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents && documents->size() == 1) << text;
  return documents ? documents->front().value.as_object() : json::Object();
}

json::Object demo(std::string_view tag) {
  json::Object made = from_yaml(R"(
spec:
  containers:
  - image: argoproj/rollouts-demo
    name: rollouts-demo
    ports: [{containerPort: 8080, name: http, protocol: TCP}]
    resources: {requests: {memory: 32Mi, cpu: 5m}}
metadata: {labels: {app: rollouts-demo}}
)");
  json::Value& container = made["spec"].as_object()["containers"].as_array()[0];
  container.as_object()["image"] = "argoproj/rollouts-demo:" + std::string(tag);
  return made;
}

TEST(TemplateHash, AgreesWithArgo) {
  EXPECT_EQ(template_text(demo("blue")),
            R"({"metadata":{"labels":{"app":"rollouts-demo"}},"spec":{"containers":[{"name":)"
            R"("rollouts-demo","image":"argoproj/rollouts-demo:blue","ports":[{"name":"http",)"
            R"("containerPort":8080,"protocol":"TCP"}],"resources":{"requests":{"cpu":"5m",)"
            R"("memory":"32Mi"}}}]}})");
  EXPECT_EQ(template_hash(demo("blue")), "5cd66ff7ff");
  EXPECT_EQ(template_hash(demo("blue"), 1), "7dd5d94754");
  EXPECT_EQ(template_hash(demo("yellow")), "76ddfb4f47");
  EXPECT_EQ(template_hash(demo("red")), "64fbcbbd74");
}

// Earlier releases of Argo wrote a creationTimestamp: names that are there since have such hashes.
TEST(TemplateHash, EarlierReleasesHaveHashedATimestamp) {
  const auto hash = [](std::string_view tag, std::string_view counted = "") {
    std::string text = template_text(demo(tag));
    text.insert(text.find(R"("labels")"), R"("creationTimestamp":null,)");
    return safe_encode(std::to_string(fnv1a32(text.append(counted))));
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(hash("blue"), "687d76d795");
  EXPECT_EQ(hash("blue", "\1\0\0\0\0\0\0\0"sv), "65c794c47d");
  EXPECT_EQ(hash("yellow"), "6cf78c66c5");
  EXPECT_EQ(hash("red"), "5747959bdb");
}

TEST(TemplateHash, StepsAgreeWithArgo) {
  EXPECT_EQ(steps_hash(json::Array{json::Object{{"pause", json::Object()}}}), "6b9b86fbd5");
  EXPECT_EQ(steps_hash(json::Array{json::Object{{"pause", json::Object()}},
                                   json::Object{{"pause", json::Object()}}}),
            "79c9b9f6bf");
  EXPECT_EQ(steps_hash(nullptr), "5ffbfbbd64");
}

TEST(TemplateHash, OnlyWhatIsSaidCounts) {
  const std::string plain = template_hash(demo("blue"));
  json::Object labelled = demo("blue");
  labelled["metadata"].as_object()["labels"].as_object()["rollouts-pod-template-hash"] = plain;
  EXPECT_EQ(template_hash(labelled), plain);
  json::Object stamped = demo("blue");
  stamped["metadata"].as_object()["creationTimestamp"] = nullptr;
  stamped["unknown"] = 1;
  stamped["spec"].as_object()["nodeName"] = "";
  stamped["spec"].as_object()["volumes"] = json::Array();
  EXPECT_EQ(template_hash(stamped), plain);
  json::Object amount = demo("blue");
  json::object_at(amount["spec"].as_object()["containers"].as_array()[0],
                  {"resources", "requests"})["cpu"] = "0.005";
  EXPECT_EQ(template_hash(amount), plain);
}

TEST(TemplateHash, WhatIsWrittenOutIsAnotherTemplate) {
  json::Object defaulted = demo("blue");
  defaulted["spec"].as_object()["restartPolicy"] = "Always";
  EXPECT_NE(template_hash(defaulted), template_hash(demo("blue")));
  EXPECT_TRUE(same_template(defaulted, demo("blue")));
  EXPECT_FALSE(same_template(demo("red"), demo("blue")));
}

TEST(TemplateHash, SaltTellsEqualTemplatesApart) {
  const std::string a = template_hash(demo("blue"), {}, "exp\nbaseline");
  EXPECT_NE(a, template_hash(demo("blue"), {}, "exp\ncanary"));
  EXPECT_NE(a, template_hash(demo("blue")));
  EXPECT_EQ(a, template_hash(demo("blue"), {}, "exp\nbaseline"));
}

TEST(TemplateHash, EmptyStructsOfGoAreWritten) {
  EXPECT_EQ(template_text({}), R"({"metadata":{},"spec":{"containers":null}})");
  EXPECT_EQ(template_text(from_yaml("spec: {containers: [{name: \"a<b\"}]}")),
            R"({"metadata":{},"spec":{"containers":[{"name":"a\u003cb","resources":{}}]}})");
}

}  // namespace
}  // namespace slipway::api
