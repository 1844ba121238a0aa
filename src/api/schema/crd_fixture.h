#pragma once

#include <gtest/gtest.h>

#include <string>

#include "api/schema/builtin_table.h"
#include "api/schema/crd_schema.h"

// Custom kinds for tests: a CronTab of example.com/v1 whose spec has the given schema.
namespace slipway::api::testing {

inline json::Object object_of(std::string_view text) {
  auto value = json::read(text);
  EXPECT_TRUE(value) << value.error().message << " in " << text;
  return value ? value->get_object() : json::Object();
}

inline json::Object crontab_crd(std::string_view spec_schema) {
  return object_of(
      std::string(R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"crontabs.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
    "names":{"plural":"crontabs","kind":"CronTab","shortNames":["ct"],"categories":["all"]},
    "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":{
    "specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)") +
      std::string(spec_schema) + "}}}}]}}");
}

class Crontabs {
 public:
  explicit Crontabs(std::string_view spec_schema) {
    EXPECT_TRUE(read_table(builtin_table(), builtin_));
    EXPECT_TRUE(builtin_.seal());
    auto kinds = read_crd(crontab_crd(spec_schema), builtin_);
    EXPECT_TRUE(kinds) << kinds.error().message;
    if (kinds) resource_ = kinds->resources.at(0);
  }
  const Resource& resource() const { return resource_; }
  const Schema& schema() const { return *resource_.schema; }

 private:
  SchemaSet builtin_;
  Resource resource_;
};

}  // namespace slipway::api::testing
