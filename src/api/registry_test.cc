#include "api/registry.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/schema/crd_fixture.h"

namespace slipway::api {
namespace {

using testing::crontab_crd;

TEST(Registry, FindsKindsByResourceAndByKind) {
  auto registry = Registry::make();
  auto deployments = registry->find(Gvr{"apps", "v1", "deployments"});
  ASSERT_NE(deployments, nullptr);
  EXPECT_EQ(registry->find(Gvk{"apps", "v1", "Deployment"}), deployments);
  EXPECT_EQ(registry->find(Gvk{"apps", "v2", "Deployment"}), nullptr);
  EXPECT_TRUE(deployments->native && deployments->namespaced && deployments->scale);
  EXPECT_FALSE(registry->find(Gvr{"", "v1", "namespaces"})->namespaced);
  EXPECT_FALSE(registry->find(Gvr{"gateway.networking.k8s.io", "v1", "httproutes"})->native);
  EXPECT_FALSE(
      registry->find(Gvk{"authorization.k8s.io", "v1", "SelfSubjectAccessReview"})->stored);
}

TEST(Registry, KnowsTheWordsPeopleType) {
  auto registry = Registry::make();
  struct Case {
    std::string_view word, plural;
  };
  for (auto [word, plural] :
       {Case{"deploy", "deployments"}, Case{"Deployment", "deployments"},
        Case{"deployments.apps", "deployments"}, Case{"deployments.v1.apps", "deployments"},
        Case{"po", "pods"}, Case{"PODS", "pods"}, Case{"ing", "ingresses"}, Case{"ev", "events"},
        Case{"crd", "customresourcedefinitions"}, Case{"pods.v1", "pods"}}) {
    auto found = registry->find_by_word(word);
    ASSERT_NE(found, nullptr) << word;
    EXPECT_EQ(found->plural, plural) << word;
  }
  for (std::string_view word : {"", "nothing", "deployments.batch", "deployments.v2.apps"}) {
    EXPECT_EQ(registry->find_by_word(word), nullptr) << word;
  }
}

TEST(Registry, EveryStoredKindHasASchemaColumnsAndAnOrder) {
  auto registry = Registry::make();
  auto all = registry->all();
  EXPECT_TRUE(
      std::ranges::is_sorted(all, {}, [](const auto& resource) { return resource->gvr(); }));
  for (const auto& resource : all) {
    if (!resource->stored) continue;
    ASSERT_NE(resource->schema, nullptr) << resource->plural;
    EXPECT_FALSE(resource->columns.empty()) << resource->plural;
    EXPECT_NE(resource->schema->find("metadata"), nullptr) << resource->plural;
  }
}

TEST(Registry, AddsReplacesAndRemovesCustomKinds) {
  auto registry = Registry::make();
  Gvr gvr{"example.com", "v1", "crontabs"};
  std::uint64_t before = registry->version();
  ASSERT_TRUE(registry->add_custom(crontab_crd(R"({"type":"object"})")));
  auto first = registry->find(gvr);
  ASSERT_NE(first, nullptr);
  EXPECT_GT(registry->version(), before);
  EXPECT_EQ(registry->find_by_word("ct"), first);

  ASSERT_TRUE(registry->add_custom(crontab_crd(R"({"type":"string"})")));
  EXPECT_EQ(registry->find(gvr)->schema->find("spec")->type->shape, Shape::kString);
  EXPECT_EQ(first->schema->find("spec")->type->shape, Shape::kObject)
      << "a request may still hold the old one";

  registry->remove_custom("crontabs.example.com");
  EXPECT_EQ(registry->find(gvr), nullptr);
  EXPECT_EQ(registry->find(Gvk{"example.com", "v1", "CronTab"}), nullptr);
}

TEST(Registry, KeepsItsOwnKindsWhenSomebodyBringsTheirCrds) {
  auto registry = Registry::make();
  auto before = registry->find(Gvr{"gateway.networking.k8s.io", "v1", "gateways"});
  json::Object crd =
      testing::object_of(R"({"metadata":{"name":"gateways.gateway.networking.k8s.io"},"spec":{
    "group":"gateway.networking.k8s.io","scope":"Namespaced","names":{"plural":"gateways",
    "kind":"Gateway"},
    "versions":[{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object"}}}]}})");
  ASSERT_TRUE(registry->add_custom(crd));
  EXPECT_EQ(registry->find(before->gvr()), before);
  registry->remove_custom("gateways.gateway.networking.k8s.io");
  EXPECT_EQ(registry->find(before->gvr()), before);
}

TEST(Registry, LetsNobodyAddVersionsToItsOwnKinds) {
  auto registry = Registry::make();
  ASSERT_TRUE(registry->add_custom(
      testing::object_of(R"({"metadata":{"name":"leases.coordination.k8s.io"},"spec":{
    "group":"coordination.k8s.io","scope":"Namespaced","names":{"plural":"leases","kind":"Lease"},
    "versions":[{"name":"v9","served":true,"storage":true,"schema":{"openAPIV3Schema":{
    "type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})")));
  EXPECT_EQ(registry->find(Gvr{"coordination.k8s.io", "v9", "leases"}), nullptr);
  EXPECT_EQ(registry->find(Gvk{"coordination.k8s.io", "v9", "Lease"}), nullptr);
}

TEST(Registry, KnowsOneOfTwoThatShareAKindWhenTheOtherGoes) {
  auto registry = Registry::make();
  ASSERT_TRUE(registry->add_custom(crontab_crd(R"({"type":"object"})")));
  json::Object other = crontab_crd(R"({"type":"object"})");
  other["metadata"].as_object()["name"] = "others.example.com";
  other["spec"].as_object()["names"].as_object()["plural"] = "others";
  ASSERT_TRUE(registry->add_custom(other));
  registry->remove_custom("crontabs.example.com");
  EXPECT_NE(registry->find(Gvk{"example.com", "v1", "CronTab"}), nullptr);
}

TEST(Registry, RefusesABadDefinitionAndStaysAsItWas) {
  auto registry = Registry::make();
  std::uint64_t before = registry->version();
  auto added = registry->add_custom(crontab_crd("{}"));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(registry->version(), before);
}

}  // namespace
}  // namespace slipway::api
