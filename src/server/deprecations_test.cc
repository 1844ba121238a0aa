#include "server/deprecations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/api_server_fixture.h"

namespace slipway::server {
namespace {

struct DeprecationTest : ServerFixture, testing::Test {
  static std::string version(std::string_view name, std::string_view more) {
    return fmt::format(
        R"({{"name":"{}","served":true,{},"schema":{{"openAPIV3Schema":{{"type":"object"}}}}}})",
        name, more);
  }
  static std::string definition(std::string_view versions) {
    return fmt::format(
        R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{{"name":"things.example.io"}},"spec":{{"group":"example.io","scope":"Namespaced",
"names":{{"plural":"things","kind":"Thing"}},"versions":[{}]}}}})",
        versions);
  }
  void define(std::string_view versions) {
    const auto made = post(kDefinitions, definition(versions));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  std::string warned(std::string_view version, std::string_view rest = "", std::string body = "") {
    const auto answer = ask(
        {.method = body.empty() ? "GET" : "POST",
         .target = fmt::format("/apis/example.io/{}/namespaces/default/things{}", version, rest),
         .body = std::move(body)});
    return std::string(answer.headers.get("Warning"));
  }

  inline static const std::string kDefinitions =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
};

TEST_F(DeprecationTest, EveryRequestForADeprecatedVersionIsWarned) {
  define(version("v1alpha1", R"("storage":false,"deprecated":true)") + "," +
         version("v1beta1", R"("storage":false,"deprecated":true,
"deprecationWarning":"things are \"old\"")") +
         "," + version("v1", R"("storage":true)"));
  const std::string kText =
      R"(299 - "example.io/v1alpha1 Thing is deprecated; use example.io/v1 Thing")";
  EXPECT_EQ(warned("v1alpha1"), kText);
  EXPECT_EQ(warned("v1alpha1", "?watch=true&timeoutSeconds=1"), kText);
  EXPECT_EQ(warned("v1alpha1", "/not-there"), kText);
  EXPECT_EQ(
      warned("v1alpha1", "",
             R"({"apiVersion":"example.io/v1alpha1","kind":"Thing","metadata":{"name":"a"}})"),
      kText);
  EXPECT_EQ(warned("v1beta1"), R"(299 - "things are \"old\"")");
  EXPECT_EQ(warned("v1", "/a"), "");
}

TEST_F(DeprecationTest, TheWarningComesBeforeThoseAboutTheObject) {
  define(version("v1", R"("storage":true,"deprecated":true)"));
  const auto made = post("/apis/example.io/v1/namespaces/default/things",
                         R"({"apiVersion":"example.io/v1","kind":"Thing","foo":1,
"metadata":{"name":"a"}})");
  std::vector<std::string> warnings;
  for (const auto& [name, value] : made.headers.all())
    if (name == "Warning") warnings.push_back(value);
  EXPECT_EQ(warnings, (std::vector<std::string>{R"(299 - "example.io/v1 Thing is deprecated")",
                                                R"(299 - "unknown field \"foo\"")"}));
}

TEST_F(DeprecationTest, AWarningFollowsItsDefinition) {
  define(version("v1", R"("storage":true)"));
  EXPECT_EQ(warned("v1"), "");
  const auto patched =
      ask({.method = "PATCH",
           .target = kDefinitions + "/things.example.io",
           .body = R"([{"op":"add","path":"/spec/versions/0/deprecated","value":true}])",
           .content_type = "application/json-patch+json"});
  ASSERT_EQ(patched.status, 200) << patched.body;
  EXPECT_EQ(warned("v1"), R"(299 - "example.io/v1 Thing is deprecated")");
}

TEST(DeprecationWarning, NamesTheBestVersionThatIsBetter) {
  const std::tuple<std::string_view, std::string_view, std::string_view> cases[] = {
      // deprecated, others that are served, the one that is named
      {"v1", "v1beta1", ""},
      {"v1beta1", "v1beta2 v1 v2alpha1", "v1"},
      {"v1", "v2 v10 v3", "v10"},
      {"foo", "v1alpha1", "v1alpha1"},
  };
  for (const auto& [old, others, best] : cases) {
    json::Array versions{json::Object{{"name", old}, {"served", true}, {"deprecated", true}}};
    std::string_view rest = others;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      versions.push_back(json::Object{{"name", rest.substr(0, end)}, {"served", true}});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    versions.push_back(json::Object{{"name", "v99"}, {"served", false}});
    const json::Object definition{{"spec", json::Object{{"group", "example.io"},
                                                        {"names", json::Object{{"kind", "Thing"}}},
                                                        {"versions", std::move(versions)}}}};
    std::string expected = fmt::format("example.io/{} Thing is deprecated", old);
    if (!best.empty()) expected += fmt::format("; use example.io/{} Thing", best);
    EXPECT_EQ(deprecation_warning(definition, old), expected);
    EXPECT_EQ(deprecation_warning(definition, "v99"), "");
  }
}

}  // namespace
}  // namespace slipway::server
