#include "runtime/traffic/render.h"

#include <fmt/format.h>

#include <set>

#include "base/scratch_testing.h"
#include "runtime/process/find_program.h"
#include "runtime/traffic/difference.h"
#include "runtime/traffic/process.h"
#include "runtime/traffic/traffic_testing.h"

namespace slipway::runtime::traffic {

namespace {

// What the real proxy finds wrong with a configuration; a line each.
std::string complaints(const Rendered& rendered) {
  const std::string program = find_program("haproxy");
  if (program.empty()) return "haproxy is not installed";
  const ScratchFolder scratch;
  auto findings = check_config(program, scratch.path(), rendered);
  if (!findings) return findings.error().text();
  std::string text;
  for (const Finding& finding : *findings)
    text += std::to_string(finding.line) + ": " + finding.text + "\n";
  return text;
}

TEST(Render, TheProxyTakesEveryKindOfRule) {
  const char* specs[] = {
      "",
      "  rules: []\n",
      "  rules: [{backendRefs: [{name: web, port: 8080}]}]\n",
      "  rules: [{backendRefs: [{name: nobody, port: 8080}]}]\n",
      "  rules: [{backendRefs: [{name: web, port: 8080, weight: 99}, {name: canary, port: 80}]}]\n",
      "  rules: [{backendRefs: [{name: web, port: 8080, weight: 0}]}]\n",
      R"(
  hostnames: ["*.a.example", b.example]
  rules:
  - matches:
    - path: {type: Exact, value: "/a'b c#\"%d\\"}
      method: POST
      headers: [{name: X-A, value: "}"}, {type: RegularExpression, name: b, value: "(a|b)'"}]
      queryParams: [{name: q, value: "-f"}, {name: r, type: RegularExpression, value: ".*"}]
    - path: {type: RegularExpression, value: "/v[0-9]+"}
    filters:
    - type: RequestHeaderModifier
      requestHeaderModifier:
        set: [{name: X-Set, value: "50% 'of' \"it\" %[src] {}"}]
        add: [{name: X-Add, value: "a, b"}]
        remove: [X-Gone]
    - type: ResponseHeaderModifier
      responseHeaderModifier: {set: [{name: X-Out, value: "1"}], remove: [Server]}
    - type: URLRewrite
      urlRewrite: {hostname: c.example, path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}
    timeouts: {request: 10s, backendRequest: 500ms}
    backendRefs:
    - name: web
      port: 8080
      filters: [{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: v, value: w}]}}]
)",
      R"(
  rules:
  - filters: [{type: RequestRedirect, requestRedirect: {scheme: https, port: 8443, statusCode: 301}}]
  - matches: [{path: {type: PathPrefix, value: /old}}]
    filters:
    - type: RequestRedirect
      requestRedirect:
        hostname: new.example
        path: {type: ReplacePrefixMatch, replacePrefixMatch: "/n%w"}
  - matches: [{path: {type: PathPrefix, value: /full}}]
    filters:
    - type: RequestRedirect
      requestRedirect: {path: {type: ReplaceFullPath, replaceFullPath: /x}}
)",
  };
  for (const char* spec : specs) {
    const Rendered rendered = render(resolve_route(spec).traffic);
    EXPECT_EQ(complaints(rendered), "") << spec << rendered.config;
  }
}

TEST(Render, WhatTheProxyRefusesIsOfTheRouteThatSaidIt) {
  for (const char* path : {"/(", "/a)|(b", "/[", "*"}) {
    const Rendered rendered = render(resolve_route(fmt::format(R"(
  rules:
  - matches: [{{path: {{type: RegularExpression, value: "{}"}}}}]
    backendRefs: [{{name: web, port: 8080}}]
)",
                                                               path))
                                         .traffic);
    const std::string said = complaints(rendered);
    ASSERT_NE(said, "") << path;
    EXPECT_EQ(rendered.routes.at(std::stoi(said)), (store::Key{"d", "r"})) << said;
  }
}

TEST(Render, AllRoutesThatTheProxyRefusesAreFoundAtOnce) {
  constexpr int kRoutes = 130;  // more than it names in one go
  std::string routes;
  std::set<store::Key> bad, found;
  for (int i = 0; i < kRoutes; ++i) {
    const bool wrong = i % 10 != 3;
    if (wrong) bad.insert({"d", fmt::format("r{}", i)});
    routes += fmt::format(R"(
kind: HTTPRoute
metadata: {{name: r{0}, namespace: d}}
spec:
  parentRefs: [{{name: gw}}, {{group: "", kind: Service, name: web}}]
  rules:
  - matches: [{{headers: [{{name: a, type: RegularExpression, value: "{0}{1}"}}]}}]
    backendRefs: [{{name: web, port: 8080}}]
---
)",
                          i, wrong ? "(" : "");
  }
  const Rendered rendered = render(resolve_world(routes).traffic);
  const std::string program = find_program("haproxy");
  const ScratchFolder scratch;
  const auto findings = check_config(program, scratch.path(), rendered);
  ASSERT_TRUE(findings) << findings.error().text();
  for (const Finding& finding : *findings)
    if (const auto route = rendered.routes.find(finding.line); route != rendered.routes.end())
      found.insert(route->second);
  EXPECT_EQ(found, bad);
}

TEST(Render, AMatchMayHaveAsManyTestsAsTheGatewayApiAllows) {
  std::string spec = "  rules:\n  - matches:\n    - headers: [";
  for (int i = 0; i < 16; ++i) spec += "{name: h" + std::to_string(i) + ", value: v},";
  spec += "]\n      queryParams: [";
  for (int i = 0; i < 16; ++i) spec += "{name: q" + std::to_string(i) + ", value: v},";
  spec += "]\n    backendRefs: [{name: web, port: 8080}]\n";
  EXPECT_EQ(complaints(render(resolve_route(spec).traffic)), "");
}

TEST(Render, CutsAreWhereTheSharesEnd) {
  struct Case {
    std::vector<std::int64_t> weights;
    std::string cuts;
  };
  const Case cases[] = {
      {{1}, "10000"},
      {{99, 1}, "9900:10000"},
      {{1, 1}, "5000:10000"},
      {{1, 1, 1}, "3333:6667:10000"},
      {{0, 5}, "0:10000"},
      {{0, 0}, "0:0"},
      {{1'000'000, 1'000'000}, "5000:10000"},
  };
  for (const Case& each : cases) {
    Rule rule;
    for (const auto weight : each.weights) rule.choices.push_back({.weight = weight});
    EXPECT_EQ(render_cuts(rule), each.cuts);
  }
}

std::string commands(const Change& change) {
  if (change.reload) return "reload";
  std::string text;
  for (const Command& command : change.commands) text += command.text + "\n";
  return text;
}

TEST(Difference, WeightsAndServersChangeWithoutAReload) {
  const std::string split =
      "  rules: [{backendRefs: [{name: web, port: 8080, weight: 99}, {name: canary, port: 80}]}]\n";
  Applied now{.traffic = resolve_route(split).traffic};
  EXPECT_EQ(commands(difference(now, now.traffic)), "");

  Traffic half = now.traffic;
  half.rules.at("d/r/0").choices[1].weight = 99;
  EXPECT_EQ(commands(difference(now, half)), "set map weights.map d/r/0 5000:10000\n");

  Traffic moved = now.traffic;
  moved.backends.at("svc:d:canary:80").servers = {{"127.64.0.10", 80}};
  Change change = difference(now, moved);
  EXPECT_EQ(commands(change),
            "add server svc:d:canary:80/127.64.0.10:80 127.64.0.10:80\n"
            "set server svc:d:canary:80/127.64.0.10:80 state ready\n"
            "set server svc:d:canary:80/127.64.0.9:80 state maint\n"
            "del server svc:d:canary:80/127.64.0.9:80\n");
  // It could not be forgotten, and comes back.
  const Applied parked{.traffic = moved, .parked = change.parked};
  EXPECT_EQ(commands(difference(parked, now.traffic)),
            "set server svc:d:canary:80/127.64.0.9:80 state ready\n"
            "set server svc:d:canary:80/127.64.0.10:80 state maint\n"
            "del server svc:d:canary:80/127.64.0.10:80\n");
}

std::string split_by_path(std::string_view first, std::string_view second) {
  return fmt::format(R"(
  rules:
  - matches: [{{path: {{type: PathPrefix, value: {0}}}}}]
    backendRefs: [{{name: web, port: 8080, weight: 99}}, {{name: canary, port: 80}}]
  - matches: [{{path: {{type: PathPrefix, value: {1}}}}}]
    backendRefs: [{{name: web, port: 8080}}, {{name: canary, port: 80, weight: 99}}]
)",
                     first, second);
}

TEST(Difference, WhatNeedsNoReloadDoesNotWaitForOne) {
  const Applied now{.traffic = resolve_route(split_by_path("/a", "/b")).traffic};
  Traffic wanted = now.traffic;
  wanted.backends["svc:d:new:80"] = {};
  wanted.backends.at("svc:d:canary:80").servers = {{"127.64.0.10", 80}};
  wanted.rules.at("d/r/0").choices[1].weight = 99;
  EXPECT_EQ(commands(difference(now, wanted)), "reload");
  EXPECT_EQ(commands(difference(now, without_reload(now.traffic, wanted))),
            "add server svc:d:canary:80/127.64.0.10:80 127.64.0.10:80\n"
            "set server svc:d:canary:80/127.64.0.10:80 state ready\n"
            "set map weights.map d/r/0 5000:10000\n"
            "set server svc:d:canary:80/127.64.0.9:80 state maint\n"
            "del server svc:d:canary:80/127.64.0.9:80\n");

  // The rule of the same name and kind is for another path: its weights come with it.
  Traffic moved = resolve_route(split_by_path("/b", "/a")).traffic;
  moved.rules.at("d/r/0").choices[1].weight = 50;
  EXPECT_EQ(commands(difference(now, without_reload(now.traffic, moved))), "");
  // What goes keeps its Pods until it has gone.
  EXPECT_EQ(commands(difference(now, without_reload(now.traffic, Traffic()))), "");
}

TEST(Difference, WhatIsNewInKindNeedsAReload) {
  const Applied now{.traffic = resolve_world().traffic};
  const char* others[] = {
      "  rules: [{backendRefs: [{name: web, port: 8080}]}]\n",
      "  rules: [{backendRefs: [{name: canary, port: 80}]}]\n",
  };
  for (const char* spec : others)
    EXPECT_EQ(commands(difference(now, resolve_route(spec).traffic)), "reload") << spec;
  Traffic fewer = now.traffic;
  fewer.listeners.pop_back();
  EXPECT_EQ(commands(difference(now, fewer)), "reload");
}

}  // namespace

}  // namespace slipway::runtime::traffic
