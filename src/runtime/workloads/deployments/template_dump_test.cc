#include "runtime/workloads/deployments/template_dump.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/yaml.h"
#include "runtime/workloads/deployments/deployment_revision.h"

namespace slipway::runtime {
namespace {

json::Value from_yaml(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents && documents->size() == 1) << text;
  return documents ? documents->front().value : json::Value();
}

TEST(TemplateDump, QuantitiesAreWrittenAsGoKeepsThem) {
  struct Case {
    std::string_view text;
    std::int64_t value;
    int scale;
    std::string_view kept, format;
  };
  for (const Case& one : {
           Case{"0", 0, 0, "0", "DecimalSI"},
           Case{"100m", 100, -3, "100m", "DecimalSI"},
           Case{"1500m", 1500, -3, "1500m", "DecimalSI"},
           Case{"-2", -2, 0, "-2", "DecimalSI"},
           Case{"1.234", 1234, -3, "1.234", "DecimalSI"},
           Case{"3k", 3, 3, "3k", "DecimalSI"},
           Case{"7E", 7, 18, "7E", "DecimalSI"},
           Case{"5n", 5, -9, "5n", "DecimalSI"},
           Case{"5e9", 5, 9, "5e9", "DecimalExponent"},
           Case{"1Gi", 1 << 30, 0, "1Gi", "BinarySI"},
           Case{"128Mi", 128 << 20, 0, "", "BinarySI"},
           Case{"1234567890", 1234567890, 0, "1234567890", "DecimalSI"},
       }) {
    EXPECT_EQ(dump_quantity(one.text),
              fmt::format("{{i:(resource.int64Amount){{value:(int64){} scale:(resource.Scale){}}} "
                          "d:(resource.infDecAmount){{Dec:(*inf.Dec)<nil>}} s:(string){} "
                          "Format:(resource.Format){}}}",
                          one.value, one.scale, one.kept, one.format));
  }
}

TEST(TemplateDump, LargeQuantitiesAreDecimals) {
  // 2^50 and 9 digits behind the point: 61035 times 2^64, and what is left.
  EXPECT_NE(dump_quantity("1Pi").find(
                "d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){"
                "neg:(bool)false abs:(big.nat)[2882303761517117440 61035]} "
                "scale:(inf.Scale)9}} s:(string) Format:(resource.Format)BinarySI}"),
            std::string::npos)
      << dump_quantity("1Pi");
}

constexpr std::string_view kPlain = R"(
metadata: {labels: {app: plain}}
spec:
  containers:
  - {name: main, image: "web:v1", imagePullPolicy: IfNotPresent, terminationMessagePath: /dev/termination-log,
     terminationMessagePolicy: File, resources: {}}
  dnsPolicy: ClusterFirst
  restartPolicy: Always
  schedulerName: default-scheduler
  securityContext: {}
  terminationGracePeriodSeconds: 30
)";
constexpr std::string_view kRich = R"(
metadata: {labels: {b: "2", a: "1"}, annotations: {note: "two\nlines"}, finalizers: [x.y/z]}
spec:
  volumes:
  - {name: scratch, emptyDir: {sizeLimit: 64Mi}}
  - {name: config, configMap: {name: c, defaultMode: 420, optional: false}}
  containers:
  - name: main
    image: web
    ports: [{containerPort: 80, name: http, protocol: TCP}]
    env:
    - {name: A, value: x}
    - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: "0"}}}
    readinessProbe: {httpGet: {path: /, port: http, scheme: HTTP}, periodSeconds: 10}
    livenessProbe: {tcpSocket: {port: 80}, timeoutSeconds: 1}
    resources: {limits: {memory: 1Gi, cpu: 500m}, requests: {storage: 1Pi}}
    securityContext: {runAsNonRoot: false, capabilities: {drop: [ALL]}}
    tty: true
  tolerations: [{operator: Exists, tolerationSeconds: 30}]
  securityContext: {supplementalGroups: [1, 2]}
)";

TEST(TemplateDump, HashesAreThoseOfKubernetes) {
  EXPECT_EQ(hash_of_template(from_yaml(kPlain), 0), "958f8d56d");
  EXPECT_EQ(hash_of_template(from_yaml(kRich), 0), "7d57f88cfc");
  EXPECT_EQ(hash_of_template(json::Object(), 0), "79d57d8d7d");
  EXPECT_EQ(hash_of_template(json::Object(), 1), "759bfd8867");
}

TEST(TemplateDump, WhatIsEmptyIsAbsent) {
  json::Value emptied = from_yaml(kPlain);
  json::object_at(emptied, {"spec"})["volumes"] = json::Array();
  json::object_at(emptied, {"spec"})["nodeSelector"] = json::Object();
  json::object_at(emptied, {"metadata"})["annotations"] = nullptr;
  EXPECT_EQ(dump_template(emptied), dump_template(from_yaml(kPlain)));
  json::object_at(emptied, {"spec"})["affinity"] = json::Object();  // a pointer that is there
  EXPECT_NE(dump_template(emptied), dump_template(from_yaml(kPlain)));
}

TEST(TemplateDump, WhatIsOfAWrongTypeIsAbsent) {
  const json::Value wrong = from_yaml(
      "{metadata: 1, spec: {hostname: 5, containers: {a: b}, nodeSelector: [x], hostNetwork: '', "
      "securityContext: []}}");
  json::Value bare = from_yaml("{spec: {securityContext: {}}}");
  EXPECT_EQ(dump_template(wrong), dump_template(bare));
  EXPECT_EQ(dump_template(json::Array()), dump_template(nullptr));
}

}  // namespace
}  // namespace slipway::runtime
