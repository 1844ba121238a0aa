#include "runtime/traffic/resolve.h"

#include <fmt/format.h>

#include "runtime/traffic/traffic_testing.h"

namespace slipway::runtime::traffic {

namespace {

const Listener* find_listener(const Resolved& resolved, std::string_view name) {
  for (const Listener& listener : resolved.traffic.listeners)
    if (listener.name == name) return &listener;
  return nullptr;
}

std::string servers(const Resolved& resolved, const std::string& backend) {
  std::string text;
  for (const Server& server : resolved.traffic.backends.at(backend).servers)
    text += server_name(server) + " ";
  return text;
}

TEST(Resolve, AServiceIsListenedForAndItsReadyPodsAreBehindIt) {
  const Resolved resolved = resolve_world();
  const Listener* web = find_listener(resolved, "at:d:web:8080");
  ASSERT_TRUE(web);
  EXPECT_EQ(web->address, "127.128.0.1");
  EXPECT_EQ(web->port, 8080);
  EXPECT_EQ(web->backend, "svc:d:web:8080");
  EXPECT_EQ(servers(resolved, "svc:d:web:8080"), "127.64.0.1:8000 127.64.0.2:8000 ");
  EXPECT_EQ(servers(resolved, "svc:d:canary:80"), "127.64.0.9:80 ");
}

TEST(Resolve, APortIsTcpUnlessItsNameItsProtocolOrARouteSaysHttp) {
  struct Case {
    std::string port;
    bool http;
  };
  const Case cases[] = {
      {"{port: 1000}", false},
      {"{port: 1000, name: http}", true},
      {"{port: 1000, name: http-api}", true},
      {"{port: 1000, name: httpd}", false},
      {"{port: 1000, name: db, appProtocol: http}", true},
      {"{port: 1000, name: http, appProtocol: kubernetes.io/h2c}", false},
  };
  for (const Case& each : cases) {
    const auto resolved =
        resolve(sources_of(fmt::format("kind: Service\nmetadata: {{name: s, namespace: d}}\n"
                                       "spec: {{clusterIP: 127.128.0.1, ports: [{}]}}\n",
                                       each.port)),
                {});
    EXPECT_EQ(resolved.traffic.backends.at("svc:d:s:1000").http, each.http) << each.port;
    EXPECT_EQ(resolved.traffic.listeners.at(0).http, each.http) << each.port;
  }
  EXPECT_FALSE(resolve_world().traffic.backends.at("svc:d:canary:80").http);
  EXPECT_TRUE(resolve_route("  rules: [{backendRefs: [{name: canary, port: 80}]}]\n")
                  .traffic.backends.at("svc:d:canary:80")
                  .http);
}

TEST(Resolve, PortsBelowTheLimitAreListenedAtElsewhere) {
  const Resolved shifted = resolve_world({}, {.first_open_port = 1024});
  EXPECT_EQ(find_listener(shifted, "at:d:canary:80")->port, 20'080);
  EXPECT_EQ(shifted.shifted.at({"d", "canary"}).at(80), 20'080);
  EXPECT_FALSE(shifted.shifted.contains({"d", "web"}));
  const Resolved root = resolve_world({}, {.first_open_port = 0});
  EXPECT_EQ(find_listener(root, "at:d:canary:80")->port, 80);
  EXPECT_TRUE(root.shifted.empty());
}

TEST(Resolve, WhatCannotBeListenedAtIsSaid) {
  const Resolved resolved =
      resolve_world({}, {.taken = {{"at:d:web:8080", "in use"}, {"gw:d:gw:8081", "in use too"}}});
  EXPECT_FALSE(find_listener(resolved, "at:d:web:8080"));
  EXPECT_EQ(resolved.silent.at({"d", "web"}).at(0), "in use");
  EXPECT_EQ(resolved.gateways.at({"d", "gw"}).at(0).programmed.reason, "PortUnavailable");
}

struct Judged {
  std::string route;     // its spec
  std::string accepted;  // reasons
  std::string resolved;
};
TEST(Resolve, RoutesAreJudgedAsTheGatewayApiSays) {
  const std::string to_web = "  rules: [{backendRefs: [{name: web, port: 8080}]}]\n";
  const auto at = [](std::string_view parent) {
    return fmt::format(
        "kind: HTTPRoute\nmetadata: {{name: r, namespace: d}}\nspec:\n"
        "  parentRefs: [{}]\n",
        parent);
  };
  const Judged cases[] = {
      {at("{name: gw}") + to_web, "Accepted", "ResolvedRefs"},
      {at("{name: gw, sectionName: main}") + to_web, "Accepted", "ResolvedRefs"},
      {at("{name: gw, sectionName: other}") + to_web, "NoMatchingParent", "ResolvedRefs"},
      {at("{name: gw, port: 1}") + to_web, "NoMatchingParent", "ResolvedRefs"},
      {at("{name: nobody}") + to_web, "NoMatchingParent", "ResolvedRefs"},
      {at("{kind: Service, group: '', name: web}") + to_web, "Accepted", "ResolvedRefs"},
      {at("{kind: Service, group: '', name: web, port: 9}") + to_web, "NoMatchingParent",
       "ResolvedRefs"},
      {at("{kind: Service, group: '', name: web, namespace: o}") + to_web, "NotAllowedByListeners",
       "ResolvedRefs"},
      {at("{name: gw}") + "  rules: [{backendRefs: [{name: nobody, port: 1}]}]\n", "Accepted",
       "BackendNotFound"},
      {at("{name: gw}") + "  rules: [{backendRefs: [{name: web, port: 1}]}]\n", "Accepted",
       "BackendNotFound"},
      {at("{name: gw}") + "  rules: [{backendRefs: [{name: x, kind: Bucket, port: 1}]}]\n",
       "Accepted", "InvalidKind"},
      {at("{name: gw}") + "  rules: [{backendRefs: [{name: web, namespace: o, port: 8080}]}]\n",
       "Accepted", "RefNotPermitted"},
      {at("{name: gw}") +
           "  rules: [{filters: [{type: RequestMirror, requestMirror: {backendRef: {name: web}}}],"
           " backendRefs: [{name: web, port: 8080}]}]\n",
       "UnsupportedValue", "ResolvedRefs"},
  };
  for (const Judged& each : cases) {
    const auto verdicts = resolve_world(each.route).routes.at({"d", "r"});
    ASSERT_EQ(verdicts.size(), 1U) << each.route;
    EXPECT_EQ(verdicts[0].accepted.reason, each.accepted) << each.route;
    EXPECT_EQ(verdicts[0].resolved.reason, each.resolved) << each.route;
    EXPECT_EQ(verdicts[0].accepted.holds, each.accepted == "Accepted");
  }
}

TEST(Resolve, MirroringIsRefusedWithItsPlaceAndAWayOut) {
  const auto resolved = resolve_route(
      "  rules: [{backendRefs: [{name: web, port: 8080}]},"
      " {filters: [{type: RequestMirror, requestMirror: {backendRef: {name: web}}}]}]\n");
  EXPECT_EQ(resolved.routes.at({"d", "r"}).at(0).accepted.message,
            "spec.rules[1].filters[0]: RequestMirror: the embedded proxy does not mirror requests; "
            "remove the filter, or run on a cluster whose gateway does");
  EXPECT_TRUE(resolved.traffic.rules.empty());
}

TEST(Resolve, NamespacesAreLetInAsTheListenerSays) {
  const std::string route =
      "kind: HTTPRoute\nmetadata: {name: r, namespace: o}\n"
      "spec: {parentRefs: [{name: gw, namespace: d}], rules: []}\n";
  const auto reason = [&](std::string_view from) {
    Sources sources = sources_of(fmt::format(
        "kind: Gateway\nmetadata: {{name: gw, namespace: d}}\n"
        "spec: {{listeners: [{{name: a, port: 81, protocol: HTTP, allowedRoutes: {{{}}}}}]}}\n---\n"
        "{}",
        from, route));
    sources.namespaces = {{"o", {{"team", "a"}}}};
    return resolve(sources, {}).routes.at({"o", "r"}).at(0).accepted.reason;
  };
  EXPECT_EQ(reason(""), "NotAllowedByListeners");
  EXPECT_EQ(reason("namespaces: {from: Same}"), "NotAllowedByListeners");
  EXPECT_EQ(reason("namespaces: {from: All}"), "Accepted");
  EXPECT_EQ(reason("namespaces: {from: Selector, selector: {matchLabels: {team: a}}}"), "Accepted");
  EXPECT_EQ(reason("namespaces: {from: Selector, selector: {matchLabels: {team: b}}}"),
            "NotAllowedByListeners");
  EXPECT_EQ(reason("kinds: [{kind: GRPCRoute}], namespaces: {from: All}"), "NotAllowedByListeners");
}

TEST(Resolve, HostsAreThoseThatListenerAndRouteShare) {
  using Host = std::optional<std::string>;
  EXPECT_EQ(common_host("", "a.b"), Host("a.b"));
  EXPECT_EQ(common_host("a.b", ""), Host("a.b"));
  EXPECT_EQ(common_host("*.b", "a.b"), Host("a.b"));
  EXPECT_EQ(common_host("a.b", "*.b"), Host("a.b"));
  EXPECT_EQ(common_host("*.b", "*.a.b"), Host("*.a.b"));
  EXPECT_EQ(common_host("*.b", "b"), Host());
  EXPECT_EQ(common_host("a.b", "c.b"), Host());
}

TEST(Resolve, TheMoreSpecificMatchComesFirst) {
  const auto resolved = resolve_route(R"(
  hostnames: [a.example, "*.example"]
  rules:
  - matches:
    - {path: {type: PathPrefix, value: /}}
    - {path: {type: PathPrefix, value: /long/}}
    - {path: {type: Exact, value: /x}}
    - {path: {type: PathPrefix, value: /}, method: GET}
    - {path: {type: PathPrefix, value: /}, headers: [{name: a, value: b}]}
    backendRefs: [{name: web, port: 8080}]
)");
  std::vector<std::string> order;
  for (const Match& match : find_listener(resolved, "gw:d:gw:8081")->matches)
    order.push_back(
        fmt::format("{} {} {} {}", match.host, match.path, match.method, match.headers.size()));
  EXPECT_EQ(order, (std::vector<std::string>{
                       "a.example /x  0", "a.example /long  0", "a.example / GET 0",
                       "a.example /  1", "a.example /  0", "*.example /x  0", "*.example /long  0",
                       "*.example / GET 0", "*.example /  1", "*.example /  0"}));
}

}  // namespace

}  // namespace slipway::runtime::traffic
