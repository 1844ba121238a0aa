#include "server/scrape_targets.h"

#include <gtest/gtest.h>

#include "server/api_server_fixture.h"

namespace slipway::server {
namespace {

constexpr std::string_view kPod = R"({"apiVersion":"v1","kind":"Pod",
  "metadata":{"name":"web-1","namespace":"shop","uid":"u","labels":{"app.kubernetes.io/name":"web"},
    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"r",
      "controller":true}]},
  "spec":{"containers":[
    {"name":"a","ports":[{"name":"http","containerPort":8080},{"containerPort":9000}]},
    {"name":"b"}]},
  "status":{"podIP":"127.64.0.1","phase":"Running",
    "conditions":[{"type":"Ready","status":"True"}]}})";

TEST(ScrapeTargets, AreThePortsOfAPodWithTheLabelsOfKubernetes) {
  const auto groups = scrape_targets(json::read(kPod).value());
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(json::write(*json::at(groups[0], {"targets"})), R"(["127.64.0.1:8080"])");
  EXPECT_EQ(json::write(*json::at(groups[1], {"targets"})), R"(["127.64.0.1:9000"])");
  const std::pair<std::string_view, std::string_view> expected[] = {
      {"__meta_kubernetes_namespace", "shop"},
      {"__meta_kubernetes_pod_name", "web-1"},
      {"__meta_kubernetes_pod_phase", "Running"},
      {"__meta_kubernetes_pod_ready", "true"},
      {"__meta_kubernetes_pod_label_app_kubernetes_io_name", "web"},
      {"__meta_kubernetes_pod_labelpresent_app_kubernetes_io_name", "true"},
      {"__meta_kubernetes_pod_controller_kind", "ReplicaSet"},
      {"__meta_kubernetes_pod_controller_name", "web"},
      {"__meta_kubernetes_pod_container_name", "a"},
      {"__meta_kubernetes_pod_container_port_name", "http"},
      {"__meta_kubernetes_pod_container_port_number", "8080"}};
  for (const auto& [name, value] : expected)
    EXPECT_EQ(json::string_at(groups[0], {"labels", name}), value) << name;
}

TEST(ScrapeTargets, AreNoneBeforeAPodHasAnAddress) {
  json::Value pod = json::read(kPod).value();
  json::erase(json::object_at(pod, {"status"}), "podIP");
  EXPECT_TRUE(scrape_targets(pod).empty());
}

TEST(ScrapeTargets, AreServedByNamespaceAndLabelToWhoMayLook) {
  ServerFixture server;
  for (const std::string_view name : {"one", "two"}) {
    const std::string path = "/api/v1/namespaces/default/pods";
    const auto made = server.post(path, fmt::format(R"({{"metadata":{{"name":"{0}",
        "labels":{{"app":"{0}"}}}},"spec":{{"containers":[{{"name":"c","image":"i",
        "ports":[{{"containerPort":80}}]}}]}}}})",
                                                    name));
    ASSERT_EQ(made.status, 201) << made.body;
    ASSERT_EQ(server
                  .ask({.method = "PATCH",
                        .target = fmt::format("{}/{}/status", path, name),
                        .body = R"({"status":{"podIP":"127.64.0.7"}})",
                        .content_type = "application/merge-patch+json"})
                  .status,
              200);
  }
  const auto count = [&](std::string query) {
    const auto answer = server.get(std::string(kScrapeTargetsPath) + query);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.headers.get("Content-Type"), "application/json");  // Prometheus insists
    return answer.json().get_array().size();
  };
  EXPECT_EQ(count(""), 2U);
  EXPECT_EQ(count("?namespace=default"), 2U);
  EXPECT_EQ(count("?namespace=other"), 0U);
  EXPECT_EQ(count("?labelSelector=app%3Done"), 1U);
  EXPECT_EQ(server.get(std::string(kScrapeTargetsPath) + "?labelSelector=%21%21").status, 400);
  std::string many = "?labelSelector=app";
  for (int i = 0; i < 256; ++i) many += ",app";
  EXPECT_EQ(server.get(std::string(kScrapeTargetsPath) + many).status, 400);
  EXPECT_EQ(server.ask({.target = std::string(kScrapeTargetsPath), .token = ""}).status, 401);
}

}  // namespace
}  // namespace slipway::server
