#include <gtest/gtest.h>

#include "api/admit.h"
#include "api/object.h"
#include "api/rules/admit_testing.h"

// Addresses of Services, and paths within volumes, in the words of Kubernetes' validation.
namespace slipway::api {
namespace {

constexpr std::string_view kNoAddress =
    "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
constexpr std::string_view kNoRange =
    "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

Result<> admit_over(json::Object& object, const json::Object* old) {
  static const std::unique_ptr<Registry> registry = Registry::make();
  const std::shared_ptr<const Resource> resource = registry->find(gvk_of(object));
  EXPECT_NE(resource, nullptr);
  metadata_of(object)["name"] = "x";
  metadata_of(object)["namespace"] = "default";
  metadata_of(object)["uid"] = "7281196f-737f-4623-b632-6f12cbf28286";
  std::vector<std::string> warnings;
  return admit(object, old, *resource, Unknown::kStrict, {}, warnings);
}

json::Object service(std::string_view fields) {
  return parse(R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80}],)" +
               std::string(fields) + "}}");
}

Lines made(json::Object object) { return findings_of(admit_over(object, nullptr)); }

std::string line(std::string_view field, std::string_view value, std::string_view problem) {
  return std::string(field) + ": Invalid value: " + std::string(value) + ": " +
         std::string(problem);
}

TEST(ServiceRules, AddressesAreSome) {
  EXPECT_EQ(made(service(R"("clusterIP":"10.0.0.7","externalIPs":["1.2.3.4","2001:db8::1"])")),
            Lines{});
  EXPECT_EQ(made(service(R"("clusterIP":"None")")), Lines{});
  EXPECT_EQ(made(service(R"("clusterIP":"")")), Lines{});
  EXPECT_EQ(made(service(R"("clusterIPs":["10.0.0.7","2001:db8::1"])")), Lines{});
  for (const std::string_view wrong : {R"("x")", R"("10.0.0")", R"("none")", R"("10.0.0.7/8")"})
    EXPECT_EQ(made(service(R"("clusterIP":)" + std::string(wrong))),
              Lines{line("spec.clusterIPs[0]", wrong, kNoAddress)});
  EXPECT_EQ(made(service(R"("externalIPs":["1.2.3.4","::x"])")),
            Lines{line("spec.externalIPs[1]", R"("::x")", kNoAddress)});
}

TEST(ServiceRules, AClusterAddressIsOneOfEachFamilyOrNone) {
  EXPECT_EQ(made(service(R"("clusterIPs":["None","10.0.0.7"])")),
            Lines{line("spec.clusterIPs", R"(["None","10.0.0.7"])",
                       "'None' must be the first and only value")});
  EXPECT_EQ(made(service(R"("clusterIPs":["10.0.0.7","None"])")),
            Lines{line("spec.clusterIPs[1]", R"("None")", kNoAddress)});
  EXPECT_EQ(made(service(R"("clusterIPs":["10.0.0.7","10.0.0.8"])")),
            Lines{line("spec.clusterIPs", R"(["10.0.0.7","10.0.0.8"])",
                       "may specify no more than one IP for each IP family")});
}

TEST(ServiceRules, SourceRangesAreOfLoadBalancers) {
  EXPECT_EQ(
      made(service(R"("type":"LoadBalancer","loadBalancerSourceRanges":["10.0.0.0/8"," ::/0 "])")),
      Lines{});
  EXPECT_EQ(made(service(R"("type":"LoadBalancer","loadBalancerSourceRanges":["10.0.0.0"])")),
            Lines{line("spec.LoadBalancerSourceRanges[0]", R"("10.0.0.0")", kNoRange)});
  EXPECT_EQ(made(service(R"("loadBalancerSourceRanges":["10.0.0.0/8"])")),
            Lines{"spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is "
                  "'LoadBalancer'"});
}

TEST(ServiceRules, WhatWasWrongBeforeMayStay) {
  json::Object old = service(R"("clusterIP":"None")");
  ASSERT_TRUE(admit_over(old, nullptr));
  old["spec"].as_object()["externalIPs"] = json::Array{"x"};
  json::Object now = old;
  EXPECT_EQ(findings_of(admit_over(now, &old)), Lines{});
  now = old;
  now["spec"].as_object()["externalIPs"] = json::Array{"x", "y"};
  EXPECT_EQ(findings_of(admit_over(now, &old)),
            Lines{line("spec.externalIPs[1]", R"("y")", kNoAddress)});
}

json::Object pod(std::string_view mount, std::string_view volume) {
  return parse(R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"c","image":"i",
"volumeMounts":[{"name":"v","mountPath":"/m")" +
               std::string(mount) + R"(}]}],"volumes":[{"name":"v",)" + std::string(volume) +
               "}]}}");
}

TEST(VolumeRules, APartOfAVolumeIsWithinIt) {
  struct Case {
    std::string_view path, problem;
  };
  for (const Case& c : {Case{"a/b", ""},
                        {"..a", ""},
                        {"a/..b", ""},
                        {"/a", "must be a relative path"},
                        {"..", "must not contain '..'"},
                        {"a/../b", "must not contain '..'"}}) {
    const std::string quoted = "\"" + std::string(c.path) + "\"";
    for (const std::string& field : std::vector<std::string>{"subPath", "subPathExpr"})
      EXPECT_EQ(made(pod(",\"" + field + "\":" + quoted, R"("emptyDir":{})")),
                c.problem.empty()
                    ? Lines{}
                    : Lines{line("spec.containers[0].volumeMounts." + field, quoted, c.problem)});
  }
}

TEST(VolumeRules, FilesStayWithinTheirVolume) {
  struct Source {
    std::string_view volume, field;  // with % where the path belongs
  };
  const Source sources[] = {
      {R"("configMap":{"name":"n","items":[{"key":"k","path":%}]})", "configMap.items[0].path"},
      {R"("secret":{"secretName":"n","items":[{"key":"k","path":%}]})", "secret.items[0].path"},
      {R"("downwardAPI":{"items":[{"path":%,"fieldRef":{"fieldPath":"metadata.name"}}]})",
       "downwardAPI.path"},
      {R"("projected":{"sources":[{"secret":{"name":"n","items":[{"key":"k","path":%}]}}]})",
       "projected.sources[0].secret.items[0].path"}};
  struct Case {
    std::string_view path, problem;
  };
  for (const Source& source : sources)
    for (const Case& c : {Case{"a/b", ""},
                          {"a..", ""},
                          {"/a", "must be a relative path"},
                          {"a/..", "must not contain '..'"},
                          {"..a", "must not start with '..'"}}) {
      const std::string quoted = "\"" + std::string(c.path) + "\"";
      std::string volume(source.volume);
      volume.replace(volume.find('%'), 1, quoted);
      const std::string field = "spec.volumes[0]." + std::string(source.field);
      Lines wanted;
      if (!c.problem.empty())
        wanted = {line(field, quoted, c.problem),
                  R"(spec.containers[0].volumeMounts[0].name: Not found: "v")"};
      EXPECT_EQ(made(pod("", volume)), wanted) << volume;
    }
  const Lines host = made(pod("", R"("hostPath":{"path":"/a/../b"})"));
  ASSERT_FALSE(host.empty());
  EXPECT_EQ(host[0],
            line("spec.volumes[0].hostPath.path", R"("/a/../b")", "must not contain '..'"));
}

}  // namespace
}  // namespace slipway::api
