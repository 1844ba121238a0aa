#include "server/printers.h"

#include <gtest/gtest.h>

#include "api/registry.h"

namespace slipway::server {
namespace {

const Time kNow = *parse_time("2026-01-01T01:00:00Z");

// The cells of a YAML-free object: JSON in, "a | b | c" out.
std::string cells_of(const Printer& printer, const std::string& text) {
  auto value = json::read(text);
  EXPECT_TRUE(value) << text;
  json::Array cells;
  printer.print(*value, kNow, cells);
  EXPECT_EQ(cells.size(), printer.columns.size());
  std::string line;
  for (const auto& cell : cells) {
    if (!line.empty()) line += " | ";
    line += cell.is_string() ? std::string(std::string_view(cell.get_string())) : json::write(cell);
  }
  return line;
}

std::string row(const api::Gvk& gvk, const std::string& text) {
  for (auto find : {pod_printer, workload_printer, network_printer, core_printer})
    if (auto printer = find(gvk)) return cells_of(*printer, text);
  return "no printer";
}

constexpr auto kMeta = R"("metadata":{"name":"a","creationTimestamp":"2026-01-01T00:00:00Z"})";

std::string object(std::string rest) { return std::string("{") + kMeta + "," + rest + "}"; }

TEST(PodRow, SaysWhatItsContainersDo) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("spec":{"containers":[{}]},"status":{"phase":"Pending"})",
       "a | 0/1 | Pending | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"containers":[{},{}],"nodeName":"n"},"status":{"phase":"Running","podIPs":[{"ip":"127.64.0.1"}],
         "containerStatuses":[{"ready":true,"state":{"running":{}},"restartCount":2,
           "lastState":{"terminated":{"finishedAt":"2026-01-01T00:58:20Z"}}},{"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})",
       "a | 1/2 | CrashLoopBackOff | 2 (100s ago) | 60m | 127.64.0.1 | n | <none> | <none>"},
      {R"("spec":{"containers":[{}]},"status":{"phase":"Failed","reason":"Evicted"})",
       "a | 0/1 | Evicted | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"containers":[{}]},"status":{"phase":"Succeeded","containerStatuses":[{"state":{"terminated":{"reason":"Completed","exitCode":0}}}]})",
       "a | 0/1 | Completed | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"containers":[{}]},"status":{"phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":3}}}]})",
       "a | 0/1 | ExitCode:3 | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"containers":[{}]},"status":{"phase":"Failed","containerStatuses":[{"state":{"terminated":{"signal":9,"exitCode":137}}}]})",
       "a | 0/1 | Signal:9 | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"initContainers":[{"name":"i"},{"name":"j"}],"containers":[{}]},
         "status":{"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":0}}},{"name":"j","state":{"running":{}}}]})",
       "a | 0/1 | Init:1/2 | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"initContainers":[{"name":"i"}],"containers":[{}]},
         "status":{"phase":"Pending","initContainerStatuses":[{"name":"i","restartCount":4,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})",
       "a | 0/1 | Init:CrashLoopBackOff | 4 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"initContainers":[{"name":"i","restartPolicy":"Always"}],"containers":[{}]},
         "status":{"phase":"Running","initContainerStatuses":[{"name":"i","started":true,"ready":true,"state":{"running":{}}}],
         "containerStatuses":[{"ready":true,"state":{"running":{}}}]})",
       "a | 2/2 | Running | 0 | 60m | <none> | <none> | <none> | <none>"},
      {R"("spec":{"containers":[{}],"readinessGates":[{"conditionType":"g"},{"conditionType":"h"}]},
         "status":{"phase":"Running","conditions":[{"type":"g","status":"True"}]})",
       "a | 0/1 | Running | 0 | 60m | <none> | <none> | <none> | 1/2"},
  };
  for (const auto& [text, want] : cases)
    EXPECT_EQ(row({"", "v1", "Pod"}, object(text)), want) << text;
}

TEST(PodRow, SaysTerminatingOnceItIsDeleted) {
  EXPECT_EQ(
      row({"", "v1", "Pod"},
          R"({"metadata":{"name":"a","deletionTimestamp":"2026-01-01T00:00:00Z"},"status":{"phase":"Running"}})"),
      "a | 0/0 | Terminating | 0 | <unknown> | <none> | <none> | <none> | <none>");
}

TEST(WorkloadRows, CountReplicas) {
  std::string spec =
      R"("spec":{"replicas":3,"selector":{"matchLabels":{"app":"a"}},"template":{"spec":{"containers":[{"name":"c","image":"i"},{"name":"d","image":"j"}]}}})";
  EXPECT_EQ(
      row({"apps", "v1", "Deployment"},
          object(spec +
                 R"(,"status":{"readyReplicas":1,"updatedReplicas":2,"availableReplicas":1})")),
      "a | 1/3 | 2 | 1 | 60m | c,d | i,j | app=a");
  EXPECT_EQ(row({"apps", "v1", "ReplicaSet"}, object(spec + R"(,"status":{"replicas":2})")),
            "a | 3 | 2 | 0 | 60m | c,d | i,j | app=a");
  EXPECT_EQ(
      row({"batch", "v1", "Job"},
          object(
              R"("spec":{"completions":2},"status":{"succeeded":2,"startTime":"2026-01-01T00:00:00Z","completionTime":"2026-01-01T00:00:42Z","conditions":[{"type":"Complete","status":"True"}]})")),
      "a | Complete | 2/2 | 42s | 60m |  |  | <none>");
  EXPECT_EQ(row({"batch", "v1", "Job"}, object(R"("spec":{"parallelism":4},"status":{})")),
            "a | Running | 0/1 of 4 |  | 60m |  |  | <none>");
}

TEST(NetworkRows, ListAddressesAndPorts) {
  EXPECT_EQ(
      row({"", "v1", "Service"},
          object(
              R"("spec":{"type":"NodePort","clusterIPs":["127.128.0.1"],"ports":[{"port":80,"nodePort":30000,"protocol":"TCP"},{"port":53,"protocol":"UDP"}],"selector":{"b":"2","a":"1"}})")),
      "a | NodePort | 127.128.0.1 | <none> | 80:30000/TCP,53/UDP | 60m | a=1,b=2");
  EXPECT_EQ(row({"", "v1", "Service"}, object(R"("spec":{"type":"LoadBalancer"})")),
            "a | LoadBalancer | <none> | <pending> | <none> | 60m | <none>");
  EXPECT_EQ(
      row({"", "v1", "Service"}, object(R"("spec":{"type":"ExternalName","externalName":"x.y"})")),
      "a | ExternalName | <none> | x.y | <none> | 60m | <none>");
  EXPECT_EQ(
      row({"", "v1", "Endpoints"},
          object(
              R"("subsets":[{"addresses":[{"ip":"1.1.1.1"},{"ip":"::1"}],"ports":[{"port":80},{"port":81}]}])")),
      "a | 1.1.1.1:80,[::1]:80,1.1.1.1:81 + 1 more... | 60m");
  EXPECT_EQ(row({"", "v1", "Endpoints"}, object(R"("subsets":[])")), "a | <none> | 60m");
  EXPECT_EQ(
      row({"discovery.k8s.io", "v1", "EndpointSlice"},
          object(
              R"("addressType":"IPv4","ports":[{"port":80},{"name":"x"}],"endpoints":[{"addresses":["1.1.1.1"]}])")),
      "a | IPv4 | 80,x | 1.1.1.1 | 60m");
  EXPECT_EQ(row({"discovery.k8s.io", "v1", "EndpointSlice"}, object(R"("addressType":"IPv4")")),
            "a | IPv4 | <unset> | <unset> | 60m");
  EXPECT_EQ(
      row({"networking.k8s.io", "v1", "Ingress"},
          object(
              R"("spec":{"ingressClassName":"nginx","rules":[{"host":"a"},{"host":"b"},{"host":"c"},{"host":"d"}],"tls":[{}]},"status":{"loadBalancer":{"ingress":[{"ip":"2.2.2.2"}]}})")),
      "a | nginx | a,b,c + 1 more... | 2.2.2.2 | 80, 443 | 60m");
  EXPECT_EQ(row({"networking.k8s.io", "v1", "Ingress"}, object(R"("spec":{})")),
            "a | <none> | * |  | 80 | 60m");
}

TEST(CoreRows, CountWhatTheyHold) {
  EXPECT_EQ(row({"", "v1", "Namespace"}, object(R"("status":{"phase":"Active"})")),
            "a | Active | 60m");
  EXPECT_EQ(row({"", "v1", "ConfigMap"}, object(R"("data":{"a":"","b":""},"binaryData":{"c":""})")),
            "a | 3 | 60m");
  EXPECT_EQ(row({"", "v1", "Secret"}, object(R"("type":"Opaque","data":{"a":""})")),
            "a | Opaque | 1 | 60m");
  EXPECT_EQ(
      row({"", "v1", "PodTemplate"},
          object(
              R"("template":{"metadata":{"labels":{"b":"2","a":"1"}},"spec":{"containers":[{"name":"x","image":"y:1"},{"name":"z","image":"y:2"}]}})")),
      "a | x,z | y:1,y:2 | a=1,b=2");
  EXPECT_EQ(row({"", "v1", "ServiceAccount"}, object(R"("secrets":[])")), "a | 0 | 60m");
  EXPECT_EQ(
      row({"coordination.k8s.io", "v1", "Lease"}, object(R"("spec":{"holderIdentity":"me"})")),
      "a | me | 60m");
  EXPECT_EQ(row({"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}, object(R"("spec":{})")),
            "a | 2026-01-01T00:00:00Z");
}

TEST(EventRow, PrefersItsSeries) {
  EXPECT_EQ(
      row({"", "v1", "Event"},
          object(
              R"("type":"Warning","reason":"Failed","message":" x \n","involvedObject":{"kind":"Pod","name":"p","fieldPath":"f"},
                  "source":{"component":"kubelet","host":"h"},"count":3,"firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:59:00Z")")),
      "60s | Warning | Failed | pod/p | f | kubelet, h | x | 60m | 3 | a");
  EXPECT_EQ(
      row({"", "v1", "Event"},
          object(
              R"("involvedObject":{"kind":"Node"},"reportingComponent":"c","eventTime":"2026-01-01T00:59:50.000000Z",
                  "series":{"count":5,"lastObservedTime":"2026-01-01T00:59:55.000000Z"})")),
      "5s |  |  | node |  | c |  | 10s | 5 | a");
}

TEST(CustomRow, FollowsItsColumns) {
  api::Resource resource;
  resource.columns = {
      {.name = "Phase", .json_path = ".status.phase"},
      {.name = "N", .type = "integer", .json_path = ".spec.n"},
      {.name = "Ok", .type = "boolean", .json_path = ".status.ok"},
      {.name = "Ready", .json_path = R"(.status.conditions[?(@.type=="Ready")].status)"},
      {.name = "List", .json_path = ".spec.list"},
      {.name = "Since", .type = "date", .json_path = ".status.since"},
      {.name = "Bad", .json_path = ".status["},
  };
  EXPECT_EQ(
      cells_of(
          custom_printer(resource),
          object(
              R"("spec":{"n":2.0,"list":["a",1]},"status":{"phase":"Up","ok":true,"since":"2026-01-01T00:59:00Z","conditions":[{"type":"Ready","status":"True"}]})")),
      R"(a | Up | 2 | true | True | ["a",1] | 60s | null)");
  EXPECT_EQ(cells_of(custom_printer(resource), object(R"("status":{"ok":"text","since":"x"})")),
            "a | null | null | null | null | null | <invalid> | null");
}

TEST(CustomRow, ShowsItsAgeWhenNoColumnIsDeclared) {
  api::Resource resource;
  EXPECT_EQ(cells_of(custom_printer(resource), object(R"("spec":{})")), "a | 60m");
}

}  // namespace
}  // namespace slipway::server
