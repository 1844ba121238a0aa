#include "runtime/node/order.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "runtime/node/volumes.h"

namespace slipway::runtime {
namespace {

json::Value value(std::string_view text) {
  auto read = json::read(text);
  EXPECT_TRUE(read) << read.error().text();
  return read ? *read : json::Value(nullptr);
}

json::Value pod(std::string_view container, std::string_view spec = "") {
  return value(R"({"metadata": {"name": "web", "namespace": "shop", "uid": "u1",
                     "labels": {"app": "web", "tier": "a\"b"}},
                   "spec": {"serviceAccountName": "sa", "terminationGracePeriodSeconds": 7,
                            "restartPolicy": "OnFailure")" +
               std::string(spec) + R"(, "containers": [{"name": "main", "image": "img:blue")" +
               std::string(container) + "}]}}");
}

PodSources sources() {
  PodSources found;
  found.config_maps["cm"] =
      value(R"({"data": {"a": "1", "b": "2", "bad=key": "3"}, "binaryData": {"bin": "AAE="}})");
  found.secrets["sec"] = value(R"({"data": {"pw": ")" + base64_encode("s3cret") + R"("}})");
  found.secrets["raw"] = value(R"({"data": {"bytes": ")" + base64_encode("\x80\xFF") + R"("}})");
  found.services.push_back(value(
      R"({"metadata": {"name": "my-db"}, "spec": {"clusterIP": "127.128.0.9",
          "ports": [{"name": "sql", "port": 5432}, {"port": 99, "protocol": "UDP"}]}})"));
  found.services.push_back(
      value(R"({"metadata": {"name": "headless"}, "spec": {"clusterIP": "None"}})"));
  return found;
}

std::expected<PodOrder, Refusal> build(const json::Value& pod, const char* images = "") {
  return build_order(pod, sources(), *Images::parse(images),
                     {.node = {.cpus = 4, .memory_bytes = 1024},
                      .pod_ip = "127.64.0.5",
                      .folder = "/data/pods/u1",
                      .base = {{"PATH", "/bin"}}});
}

std::string variable(const PodOrder& order, std::string_view name) {
  for (const auto& [known, text] : order.plan.containers.front().env)
    if (known == name) return text;
  return "(none)";
}

TEST(Order, HasWhatTheShimNeeds) {
  const auto order = build(pod(R"j(, "command": ["run", "$(POD_IP)"], "args": ["$(HOSTNAME)"],
      "workingDir": "/srv", "terminationMessagePolicy": "FallbackToLogsOnError",
      "lifecycle": {"preStop": {"exec": {"command": ["bye"]}}})j"));
  ASSERT_TRUE(order) << order.error().message;
  const PodPlan& plan = order->plan;
  EXPECT_EQ(plan.uid, "u1");
  EXPECT_EQ(plan.ns, "shop");
  EXPECT_EQ(plan.pod_ip, "127.64.0.5");
  EXPECT_EQ(plan.grace_seconds, 7U);
  EXPECT_EQ(plan.restart_policy, RestartPolicy::kOnFailure);
  const ContainerPlan& main = plan.containers.front();
  EXPECT_EQ(main.argv, (std::vector<std::string>{"run", "127.64.0.5", "web"}));
  EXPECT_EQ(main.working_dir, "/srv");
  EXPECT_EQ(main.pre_stop->exec, std::vector<std::string>{"bye"});
  EXPECT_TRUE(main.termination_message_from_log);
  EXPECT_EQ(variable(*order, "SLIPWAY_IMAGE_TAG"), "blue");
  EXPECT_EQ(variable(*order, "PATH"), "/bin");
}

TEST(Order, TheFolderWithThePlanIsNobodysWorkingFolder) {
  const auto order = build(pod(R"(, "command": ["run"])"));
  EXPECT_EQ(order->plan.containers.front().working_dir, "/data/pods/u1/work");
}

TEST(Order, ImagesGiveTheCommandThatIsMissing) {
  const char* images = "img:*: {command: [prog], args: [-x, $(SLIPWAY_IMAGE_TAG)], env: {E: v}}";
  EXPECT_EQ(build(pod(""), images)->plan.containers.front().argv,
            (std::vector<std::string>{"prog", "-x", "blue"}));
  EXPECT_EQ(build(pod(R"(, "args": ["y"])"), images)->plan.containers.front().argv,
            (std::vector<std::string>{"prog", "y"}));
  EXPECT_EQ(build(pod(R"(, "command": ["z"])"), images)->plan.containers.front().argv,
            std::vector<std::string>{"z"});
  EXPECT_EQ(variable(*build(pod(""), images), "E"), "v");
  const auto refused = build(pod(R"(, "args": ["y"])"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, "ImagePullBackOff");
  EXPECT_EQ(refused.error().container, "main");
  EXPECT_NE(refused.error().message.find("\"img:blue\""), std::string::npos);
  EXPECT_NE(refused.error().message.find("images.yaml"), std::string::npos);
}

TEST(Order, EnvironmentComesFromEverywhere) {
  const auto order = build(pod(R"j(, "command": ["run"],
      "resources": {"limits": {"cpu": "1500m", "memory": "64Mi"}},
      "envFrom": [{"prefix": "P_", "configMapRef": {"name": "cm"}},
                  {"secretRef": {"name": "sec"}},
                  {"configMapRef": {"name": "missing", "optional": true}}],
      "env": [{"name": "ONE", "value": "1"},
              {"name": "TWO", "value": "$(ONE)+$(P_a)+$(LATER)+$$(ONE)"},
              {"name": "LATER", "value": "x"},
              {"name": "IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
              {"name": "APP", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}},
              {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
              {"name": "SA", "valueFrom": {"fieldRef": {"fieldPath": "spec.serviceAccountName"}}},
              {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
              {"name": "MILLI", "valueFrom": {"resourceFieldRef":
                  {"resource": "limits.cpu", "divisor": "1m"}}},
              {"name": "MEM", "valueFrom": {"resourceFieldRef":
                  {"resource": "limits.memory", "divisor": "1Mi"}}},
              {"name": "PW", "valueFrom": {"secretKeyRef": {"name": "sec", "key": "pw"}}},
              {"name": "OPT", "valueFrom": {"configMapKeyRef":
                  {"name": "cm", "key": "none", "optional": true}}}])j"));
  ASSERT_TRUE(order) << order.error().message;
  for (const auto& [name, text] :
       std::vector<std::pair<const char*, const char*>>{{"P_a", "1"},
                                                        {"P_bad=key", "(none)"},
                                                        {"pw", "s3cret"},
                                                        {"TWO", "1+1+$(LATER)+$(ONE)"},
                                                        {"IP", "127.64.0.5"},
                                                        {"APP", "web"},
                                                        {"NODE", "slipway"},
                                                        {"SA", "sa"},
                                                        {"CPU", "2"},
                                                        {"MILLI", "1500"},
                                                        {"MEM", "64"},
                                                        {"PW", "s3cret"},
                                                        {"OPT", "(none)"},
                                                        {"MY_DB_SERVICE_HOST", "127.128.0.9"},
                                                        {"MY_DB_SERVICE_PORT", "5432"},
                                                        {"MY_DB_SERVICE_PORT_SQL", "5432"},
                                                        {"MY_DB_PORT", "tcp://127.128.0.9:5432"},
                                                        {"MY_DB_PORT_99_UDP_PROTO", "udp"},
                                                        {"HEADLESS_SERVICE_HOST", "(none)"}})
    EXPECT_EQ(variable(*order, name), text) << name;
}

TEST(Order, ASecretNeedNotBeText) {
  const auto order = build(pod(R"(, "command": ["run"], "envFrom": [{"secretRef": {"name": "raw"}}],
      "env": [{"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "raw", "key": "bytes"}}}])"));
  ASSERT_TRUE(order) << order.error().message;
  EXPECT_EQ(variable(*order, "bytes"), "\x80\xFF");
  EXPECT_EQ(variable(*order, "KEY"), "\x80\xFF");
}

TEST(Order, ServicesAreFoundWhereTheProxyListens) {
  for (const bool root : {true, false}) {
    PodSources found;
    found.services.push_back(
        value(R"({"metadata": {"name": "web"}, "spec": {"clusterIP": "127.128.0.9", "ports":
            [{"name": "http", "port": 80}, {"name": "dns", "port": 53, "protocol": "UDP"},
             {"name": "high", "port": 8080}]}})"));
    const auto order = build_order(
        pod(R"(, "command": ["run"])"), found, Images(),
        {.node = {.first_open_port = root ? 0 : 1024}, .pod_ip = "127.64.0.5", .folder = "/p"});
    ASSERT_TRUE(order) << order.error().message;
    const std::string port = root ? "80" : "20080";
    EXPECT_EQ(variable(*order, "WEB_SERVICE_PORT"), port);
    EXPECT_EQ(variable(*order, "WEB_SERVICE_PORT_HTTP"), port);
    EXPECT_EQ(variable(*order, "WEB_PORT"), "tcp://127.128.0.9:" + port);
    EXPECT_EQ(variable(*order, "WEB_PORT_80_TCP"), "tcp://127.128.0.9:" + port);
    EXPECT_EQ(variable(*order, "WEB_PORT_80_TCP_PORT"), port);
    EXPECT_EQ(variable(*order, "WEB_SERVICE_PORT_DNS"), "53");
    EXPECT_EQ(variable(*order, "WEB_SERVICE_PORT_HIGH"), "8080");
  }
}

TEST(Order, WhatIsMissingIsNamed) {
  const struct {
    const char* container;
    const char* spec;
    const char* reason;
    const char* message;
  } cases[] = {
      {R"("envFrom": [{"configMapRef": {"name": "no"}}])", "", "CreateContainerConfigError",
       "configmap \"no\" not found"},
      {R"("env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "sec", "key": "no"}}}])", "",
       "CreateContainerConfigError", "couldn't find key no in Secret shop/sec"},
      {R"("env": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "cm", "key": "bin"}}}])",
       "", "CreateContainerConfigError", "env A: its value has a zero byte"},
      {R"("volumeMounts": [{"name": "v", "mountPath": "/v"}])", "", "CreateContainerConfigError",
       "volume \"v\" is not among"},
      {R"("lifecycle": {"postStart": {"exec": {"command": ["a"]}}})", "",
       "CreateContainerConfigError", "postStart"},
      {R"("stdin": false)", R"(, "volumes": [{"name": "v", "secret": {"secretName": "no"}}])",
       "FailedMount", "secret \"no\" not found"},
      {R"("stdin": false)", R"(, "volumes": [{"name": "v", "nfs": {"server": "s", "path": "/"}}])",
       "FailedMount", "volume \"v\": this node has emptyDir"},
      {R"("stdin": false)", R"(, "volumes": [{"name": "v", "configMap": {"name": "cm",
          "items": [{"key": "a", "path": "../a"}]}}])",
       "FailedMount", "leads out of the volume"},
  };
  for (const auto& one : cases) {
    const auto refused =
        build(pod(std::string(R"(, "command": ["run"], )") + one.container, one.spec));
    ASSERT_FALSE(refused) << one.message;
    EXPECT_EQ(refused.error().reason, one.reason);
    EXPECT_NE(refused.error().message.find(one.message), std::string::npos)
        << refused.error().message;
  }
}

TEST(Order, VolumesAreFoldersWithFiles) {
  const auto order = build(pod(R"(, "command": ["run"], "volumeMounts": [
              {"name": "my-data", "mountPath": "/data"},
              {"name": "all", "mountPath": "/all", "subPath": "x/y", "readOnly": true},
              {"name": "host", "mountPath": "/h"}])",
                               R"(, "volumes": [
              {"name": "my-data", "emptyDir": {}},
              {"name": "host", "hostPath": {"path": "/srv", "type": "DirectoryOrCreate"}},
              {"name": "all", "projected": {"defaultMode": 256, "sources": [
                {"configMap": {"name": "cm", "items": [{"key": "a", "path": "x/a", "mode": 384}]}},
                {"secret": {"name": "sec"}},
                {"downwardAPI": {"items": [
                  {"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}}]}}]}},
              {"name": "whole", "configMap": {"name": "cm", "defaultMode": 420}}])"));
  ASSERT_TRUE(order) << order.error().message;
  const auto& mounts = order->plan.containers.front().mounts;
  ASSERT_EQ(mounts.size(), 3U);
  EXPECT_EQ(mounts[0].source, "/data/pods/u1/volumes/my-data");
  EXPECT_EQ(mounts[0].target, "/data");
  EXPECT_EQ(mounts[1].source, "/data/pods/u1/volumes/all/x/y");
  EXPECT_TRUE(mounts[1].read_only);
  EXPECT_EQ(mounts[1].within, "/data/pods/u1/volumes/all");
  EXPECT_EQ(mounts[0].within, "");
  EXPECT_EQ(mounts[2].source, "/srv");
  EXPECT_EQ(variable(*order, "SLIPWAY_MOUNT_MY_DATA"), "/data/pods/u1/volumes/my-data");
  ASSERT_EQ(order->volumes.size(), 4U);
  EXPECT_TRUE(order->volumes[1].make_host_path);
  const auto& files = order->volumes[2].files;
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].path, "x/a");
  EXPECT_EQ(files[0].mode, 0600U);
  EXPECT_EQ(files[1].bytes, "s3cret");
  EXPECT_EQ(files[1].mode, 0400U);
  EXPECT_EQ(files[2].bytes, "app=\"web\"\ntier=\"a\\\"b\"");
  EXPECT_EQ(order->volumes[3].files.size(), 4U);
  EXPECT_EQ(order->volumes[3].files[3].bytes, std::string("\0\1", 2));
}

TEST(Order, APortIsANumberOrAName) {
  const auto container = value(R"({"ports": [{"name": "web", "containerPort": 80}]})");
  EXPECT_EQ(port_of(80, container), 80);
  EXPECT_EQ(port_of("web", container), 80);
  EXPECT_EQ(port_of("no", container), 0);
  EXPECT_EQ(port_of(70000, container), 0);
}

}  // namespace
}  // namespace slipway::runtime
