#include <gtest/gtest.h>

#include "server/api_server_fixture.h"

// What is asked of Pods beside their objects: logs, usage, eviction, binding.
namespace slipway::server {
namespace {

using namespace std::chrono_literals;

class OneText final : public http::Stream {
 public:
  explicit OneText(std::string text) : text_(std::move(text)) {}
  Task<Result<std::string>> next(std::stop_token) override { co_return std::exchange(text_, {}); }

 private:
  std::string text_;
};

class FakeLogs final : public PodLogs {
 public:
  LogOptions asked;
  Task<Result<std::unique_ptr<http::Stream>>> open(std::string, std::string pod,
                                                   LogOptions options) override {
    asked = std::move(options);
    if (asked.previous) co_return fail(ErrorCode::kBadRequest, "no run before");
    co_return std::make_unique<OneText>("said by " + pod + "\n");
  }
};

class FakeUsage final : public PodUsage {
 public:
  std::vector<PodUsageSample> samples;
  std::vector<PodUsageSample> pods() const override { return samples; }
  std::optional<NodeUsageSample> node() const override {
    return NodeUsageSample{.name = "slipway",
                           .at = Time(1'800'000'000s),
                           .window = 10s,
                           .usage = {.cpu_nanocores = 5, .memory_bytes = 2048}};
  }
};

struct PodPartsTest : testing::Test, ServerFixture {
  static constexpr const char* kPods = "/api/v1/namespaces/default/pods";
  PodPartsTest() {
    handler = make_api_server(
        *loop, *registry, *store,
        {.admin_token = "admin-token", .view_token = "view-token", .logs = &logs, .usage = &usage},
        metrics);
  }
  std::string add(const std::string& name,
                  const std::string& containers = R"([{"name": "main", "image": "i"}])",
                  const std::string& more = "") {
    const auto made =
        post(kPods, R"({"metadata": {"name": ")" + name + R"(", "labels": {"app": ")" + name +
                        R"("}}, "spec": {"containers": )" + containers + more + "}}");
    EXPECT_EQ(made.status, 201) << made.body;
    const auto document = made.json();
    return std::string(json::string_at(document, {"metadata", "uid"}));
  }
  std::string message(const Answer& answer) {
    const auto document = answer.json();
    return std::string(json::string_at(document, {"message"}));
  }

  FakeLogs logs;
  FakeUsage usage;
};

TEST_F(PodPartsTest, ALogIsTextOfTheOnlyContainer) {
  add("web");
  auto answer = get(std::string(kPods) +
                    "/web/log?follow=true&timestamps=1&tailLines=5&"
                    "limitBytes=9&stream=Stderr&sinceTime=2026-01-02T10:00:00Z");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.headers.get("Content-Type"), "text/plain");
  EXPECT_EQ(next(answer), "said by web\n");
  EXPECT_EQ(next(answer), "");
  EXPECT_EQ(logs.asked.container, "main");
  EXPECT_TRUE(logs.asked.follow);
  EXPECT_TRUE(logs.asked.timestamps);
  EXPECT_EQ(logs.asked.tail_lines, 5);
  EXPECT_EQ(logs.asked.limit_bytes, 9);
  EXPECT_EQ(logs.asked.stream, "stderr");
  EXPECT_EQ(logs.asked.since, *parse_time("2026-01-02T10:00:00Z"));
  get(std::string(kPods) + "/web/log?sinceSeconds=60");
  EXPECT_EQ(logs.asked.since, loop->clock().now() - 60s);
}

TEST_F(PodPartsTest, WhatIsWrongWithARequestForALogIsSaid) {
  add("web");
  add("two", R"([{"name": "a", "image": "i"}, {"name": "b", "image": "i"}])",
      R"(, "initContainers": [{"name": "c", "image": "i"}])");
  const struct {
    const char* target;
    int status;
    const char* message;
  } cases[] = {
      {"/none/log", 404, "pods \"none\" not found"},
      {"/two/log", 400,
       "a container name must be specified for pod two, choose one of: [a b] or one of the init "
       "containers: [c]"},
      {"/web/log?container=x", 400, "container x is not valid for pod web"},
      {"/web/log?previous=true", 400, "no run before"},
      {"/web/log?tailLines=x", 400, "strconv.ParseInt: parsing \"x\": invalid syntax"},
      {"/web/log?tailLines=-1", 422, "must be greater than or equal to 0"},
      {"/web/log?limitBytes=0", 422, "must be greater than 0"},
      {"/web/log?sinceSeconds=1&sinceTime=2026-01-02T10:00:00Z", 422, "at most one of"},
      {"/web/log?sinceTime=now", 400, "\"now\" is not a time"},
      {"/web/log?stream=Both", 422, "Unsupported value: \"Both\""},
  };
  for (const auto& one : cases) {
    const auto answer = get(std::string(kPods) + one.target);
    EXPECT_EQ(answer.status, one.status) << one.target << answer.body;
    EXPECT_NE(message(answer).find(one.message), std::string::npos) << answer.body;
  }
  EXPECT_EQ(get(std::string(kPods) + "/two/log?container=c").status, 200);
  EXPECT_EQ(post(std::string(kPods) + "/web/log", "{}").status, 405);
}

TEST_F(PodPartsTest, UsageIsToldOfPodsThatAreThere) {
  usage.samples = {
      {.uid = add("web"),
       .at = Time(1'800'000'000s),
       .window = 10s,
       .containers = {{"main", {.cpu_nanocores = 1500, .memory_bytes = 3 * 1024 * 1024}}}},
      {.uid = "gone", .at = Time(1'800'000'000s)}};
  add("new");
  const std::string base = "/apis/metrics.k8s.io/v1beta1";
  for (const std::string& path : {base + "/pods", base + "/namespaces/default/pods",
                                  base + "/namespaces/default/pods?labelSelector=app%3Dweb"}) {
    const auto page = get(path).json();
    EXPECT_EQ(json::string_at(page, {"kind"}), "PodMetricsList");
    ASSERT_EQ(page.at("items").as_array().size(), 1U) << path;
    const auto& container = page.at("items").at(0).at("containers").at(0);
    EXPECT_EQ(json::string_at(container, {"usage", "cpu"}), "1500n");
    EXPECT_EQ(json::string_at(container, {"usage", "memory"}), "3072Ki");
    EXPECT_EQ(json::string_at(page.at("items").at(0), {"window"}), "10s");
  }
  const auto none = get(base + "/namespaces/default/pods?labelSelector=app%3Dnew").json();
  EXPECT_TRUE(none.at("items").as_array().empty());
  EXPECT_EQ(get(base + "/namespaces/default/pods/web").status, 200);
  EXPECT_EQ(get(base + "/namespaces/default/pods/new").status, 404);
  const auto nodes = get(base + "/nodes").json();
  EXPECT_EQ(json::string_at(nodes.at("items").at(0), {"usage", "memory"}), "2Ki");
  EXPECT_EQ(get(base + "/nodes/other").status, 404);
  EXPECT_EQ(post(base + "/namespaces/default/pods", "{}").status, 405);
  EXPECT_EQ(get(base + "/things").status, 404);
}

TEST_F(PodPartsTest, UsageIsOfThePodsThatAFieldSelectorChooses) {
  for (const char* name : {"a", "b"})
    usage.samples.push_back({.uid = add(name), .at = Time(1'800'000'000s), .window = 10s});
  const std::string base = "/apis/metrics.k8s.io/v1beta1";
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"metadata.name%3Da", {"a"}},
      {"metadata.name!%3Da", {"b"}},
      {"metadata.namespace%3Ddefault", {"a", "b"}},
      {"metadata.namespace%3Dother", {}},
      {"metadata.name%3Da&labelSelector=app%3Db", {}},
      {"", {"a", "b"}}};
  for (const auto& [selector, expected] : cases)
    for (const std::string& path : {base + "/pods", base + "/namespaces/default/pods"}) {
      const auto page = get(path + "?fieldSelector=" + selector).json();
      std::vector<std::string> names;
      for (const json::Value& item : page.at("items").as_array())
        names.emplace_back(json::string_at(item, {"metadata", "name"}));
      EXPECT_EQ(names, expected) << path << selector;
    }
  const auto unknown = get(base + "/pods?fieldSelector=spec.nodeName%3Dx");
  EXPECT_EQ(unknown.status, 400) << unknown.body;
  EXPECT_NE(message(unknown).find("\"spec.nodeName\" is not a known field selector"),
            std::string::npos)
      << unknown.body;
  EXPECT_EQ(get(base + "/pods?fieldSelector=x").status, 400);
}

TEST_F(PodPartsTest, UsageIsATableWhereOneIsAskedFor) {
  usage.samples = {{.uid = add("web"),
                    .at = Time(1'800'000'000s),
                    .window = 10s,
                    .containers = {{"main", {.cpu_nanocores = 1500, .memory_bytes = 2048}},
                                   {"side", {.cpu_nanocores = 500, .memory_bytes = 1024}}}}};
  const std::string accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  for (const char* path : {"/pods", "/namespaces/default/pods/web"}) {
    const auto table =
        ask({.target = std::string("/apis/metrics.k8s.io/v1beta1") + path, .accept = accept})
            .json();
    ASSERT_EQ(json::string_at(table, {"kind"}), "Table") << path;
    EXPECT_EQ(json::write(table.at("rows").at(0).at("cells")), R"(["web","2000n","3Ki","10s"])");
    EXPECT_EQ(json::string_at(table.at("rows").at(0), {"object", "metadata", "name"}), "web");
  }
  const auto nodes = ask({.target = "/apis/metrics.k8s.io/v1beta1/nodes", .accept = accept}).json();
  EXPECT_EQ(nodes.at("columnDefinitions").as_array().size(), 4U);
  EXPECT_EQ(nodes.at("rows").as_array().size(), 1U);
}

TEST_F(PodPartsTest, UsageIsDiscovered) {
  EXPECT_NE(get("/apis").body.find("metrics.k8s.io/v1beta1"), std::string::npos);
  EXPECT_NE(get("/apis/metrics.k8s.io/v1beta1").body.find("PodMetrics"), std::string::npos);
  EXPECT_EQ(get("/apis/metrics.k8s.io").status, 200);
  const auto all = ask({.target = "/apis",
                        .accept = "application/json;g=apidiscovery.k8s.io;v=v2;as="
                                  "APIGroupDiscoveryList"});
  EXPECT_NE(all.body.find("NodeMetrics"), std::string::npos);
  EXPECT_EQ(ServerFixture().get("/apis").body.find("metrics.k8s.io"), std::string::npos);
  EXPECT_NE(get("/api/v1").body.find("pods/eviction"), std::string::npos);
}

TEST_F(PodPartsTest, AnEvictionDeletes) {
  add("web");
  const std::string path = std::string(kPods) + "/web/eviction";
  EXPECT_EQ(post(path, R"({"kind": "Scale"})").status, 400);
  EXPECT_EQ(post(path, R"({"metadata": {"name": "other"}})").status, 400);
  EXPECT_EQ(post(path, R"({"deleteOptions": {"preconditions": {"uid": "other"}}})").status, 409);
  EXPECT_EQ(post(path, R"({"deleteOptions": {"dryRun": ["All"]}})").status, 201);
  EXPECT_EQ(post(path, R"({"deleteOptions": 5})").status, 400);
  EXPECT_EQ(post(path + "?dryRun=Some", "{}").status, 422);
  EXPECT_EQ(post(path + "?dryRun=All", "{}").status, 201);
  EXPECT_EQ(get(std::string(kPods) + "/web").status, 200);
  EXPECT_EQ(post(path, R"({"apiVersion": "policy/v1", "kind": "Eviction",
                           "metadata": {"name": "web"}})")
                .status,
            201);
  EXPECT_EQ(get(std::string(kPods) + "/web").status, 404);
  EXPECT_EQ(post(path, "{}").status, 404);
  EXPECT_EQ(get(path).status, 405);
}

TEST_F(PodPartsTest, ABindingGivesThePodItsNode) {
  add("web");
  const std::string path = std::string(kPods) + "/web/binding";
  EXPECT_EQ(post(path, R"({"target": {}})").status, 422);
  EXPECT_EQ(post(path + "?dryRun=All", R"({"target": {"kind": "Node", "name": "n0"}})").status,
            201);
  EXPECT_EQ(json::string_at(get(std::string(kPods) + "/web").json(), {"spec", "nodeName"}), "");
  EXPECT_EQ(post(path, R"({"target": {"kind": "Node", "name": "n1"}})").status, 201);
  const auto pod = get(std::string(kPods) + "/web").json();
  EXPECT_EQ(json::string_at(pod, {"spec", "nodeName"}), "n1");
  EXPECT_EQ(post(path, R"({"target": {"kind": "Node", "name": "n2"}})").status, 409);
}

}  // namespace
}  // namespace slipway::server
