#include "api/versions.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

TEST(Versions, AreOneObjectAsFarAsEachSchemaKnowsIt) {
  auto registry = Registry::make();
  auto added = registry->add_custom(json::read(R"({
    "metadata":{"name":"cogs.example.com"},
    "spec":{"group":"example.com","scope":"Namespaced",
      "names":{"plural":"cogs","singular":"cog","kind":"Cog","listKind":"CogList"},
      "versions":[
        {"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":
          {"a":{"type":"integer"},"old":{"type":"string","default":"o"}}}}},
        {"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":
          {"a":{"type":"integer"},"new":{"type":"string"}}}}}]}})")
                                        ->as_object());
  ASSERT_TRUE(added) << added.error().text();
  EXPECT_EQ(registry->find(Gvk{"example.com", "v1", "Cog"}), nullptr) << "it is not served";
  auto v2 = registry->find(Gvk{"example.com", "v2", "Cog"});
  ASSERT_TRUE(v2);
  EXPECT_EQ(storage_api_version(*v2), "example.com/v1");

  json::Object object =
      json::read(R"({"apiVersion":"example.com/v2","kind":"Cog","a":1,"new":"n"})")->as_object();
  to_storage(object, *v2);
  EXPECT_EQ(json::write(object), R"({"apiVersion":"example.com/v1","kind":"Cog","a":1,"old":"o"})");
  to_version(object, *v2);
  EXPECT_EQ(json::write(object), R"({"apiVersion":"example.com/v2","kind":"Cog","a":1})");
}

TEST(Versions, AKindOfOneVersionIsKeptAsItIs) {
  auto registry = Registry::make();
  auto pods = registry->find(Gvk{"", "v1", "Pod"});
  EXPECT_EQ(storage_api_version(*pods), "v1");
  json::Object object = json::read(R"({"apiVersion":"v1","strange":1})")->as_object();
  to_storage(object, *pods);
  EXPECT_TRUE(object.contains("strange"));
}

}  // namespace
}  // namespace slipway::api
