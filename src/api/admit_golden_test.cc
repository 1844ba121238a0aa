#include <gtest/gtest.h>

#include "api/admit.h"
#include "api/golden_cases.h"
#include "api/object.h"

namespace slipway::api {
namespace {

// What kube-apiserver 1.34 made of these objects (tests/kube/oracle/admission asked it).
TEST(AdmitGolden, JudgesObjectsAsKubernetesDoes) {
  auto registry = Registry::make();
  json::Array cases = golden_cases("admission");
  ASSERT_FALSE(cases.empty());
  ASSERT_TRUE(registry->add_custom(cases[0].at("input").get_object()));

  for (std::size_t i = 1; i < cases.size(); ++i) {
    const json::Object& golden = cases[i].get_object();
    json::Object object = golden.at("input").get_object();
    SCOPED_TRACE(json::write(object));
    auto resource = registry->find(gvk_of(object));
    ASSERT_NE(resource, nullptr);
    if (resource->namespaced) metadata_of(object)["namespace"] = "default";

    std::vector<std::string> warnings;
    auto done = admit(object, nullptr, *resource, Unknown::kStrict, {}, warnings);
    if (!done) {
      ASSERT_TRUE(golden.contains("message")) << done.error().message;
      EXPECT_EQ(done.error().message, golden.at("message").get_string());
      EXPECT_EQ(done.error().code == ErrorCode::kInvalid ? 422 : 400, golden.at("code"));
      continue;
    }
    ASSERT_TRUE(golden.contains("object")) << golden.at("message").get_string();
    json::erase(metadata_of(object), "namespace");
    if (gvk_of(object).kind == "CustomResourceDefinition") json::erase(object, "status");
    EXPECT_EQ(json::write(object, {.sort_keys = true}),
              json::write(golden.at("object"), {.sort_keys = true}));
  }
}

}  // namespace
}  // namespace slipway::api
