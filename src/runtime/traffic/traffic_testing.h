#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/yaml.h"
#include "runtime/traffic/resolve.h"

// Sources from manifests, as people write them.
namespace slipway::runtime::traffic {

inline void add_object(Sources& sources, const json::Object& object) {
  const std::string kind(object.at("kind").as_string());
  const json::Object& metadata = object.at("metadata").as_object();
  const store::Key key{std::string(metadata.at("namespace").as_string()),
                       std::string(metadata.at("name").as_string())};
  if (kind == "Service") sources.services[key] = view_service(object);
  if (kind == "EndpointSlice") sources.slices[key] = view_slice(object);
  if (kind == "Gateway") sources.gateways[key] = view_gateway(object);
  if (kind == "HTTPRoute") sources.routes[key] = view_route(object);
}

inline Sources sources_of(std::string_view manifests) {
  Sources sources;
  auto documents = yaml::read(manifests);
  EXPECT_TRUE(documents) << documents.error().text();
  if (!documents) return sources;
  for (const auto& document : *documents)
    if (document.value.is_object()) add_object(sources, document.value.get_object());
  return sources;
}

// Two Services with a Pod each, and a Gateway.
inline constexpr std::string_view kWorld = R"(
{kind: Service, metadata: {name: web, namespace: d},
 spec: {clusterIP: 127.128.0.1, ports: [{name: http, port: 8080, targetPort: 8000}]}}
---
{kind: EndpointSlice, addressType: IPv4,
 metadata: {name: web-1, namespace: d, labels: {kubernetes.io/service-name: web}},
 ports: [{name: http, port: 8000, protocol: TCP}],
 endpoints: [{addresses: [127.64.0.2], conditions: {ready: true}},
             {addresses: [127.64.0.1], conditions: {ready: true}},
             {addresses: [127.64.0.3], conditions: {ready: false}}]}
---
{kind: Service, metadata: {name: canary, namespace: d},
 spec: {clusterIP: 127.128.0.2, ports: [{port: 80}]}}
---
{kind: EndpointSlice, addressType: IPv4,
 metadata: {name: canary-1, namespace: d, labels: {kubernetes.io/service-name: canary}},
 ports: [{name: "", port: 80, protocol: TCP}], endpoints: [{addresses: [127.64.0.9]}]}
---
{kind: Gateway, metadata: {name: gw, namespace: d, uid: u1},
 spec: {listeners: [{name: main, port: 8081, protocol: HTTP}]},
 status: {addresses: [{type: IPAddress, value: 127.192.0.1}]}}
---
)";
inline constexpr std::string_view kRouteHead = R"(
kind: HTTPRoute
metadata: {name: r, namespace: d}
spec:
  parentRefs: [{name: gw}]
)";

inline Resolved resolve_world(std::string_view more = {}, Terms terms = {}) {
  return resolve(sources_of(std::string(kWorld) + std::string(more)), terms);
}
// The world with one route; `spec` is indented by two.
inline Resolved resolve_route(std::string_view spec, Terms terms = {}) {
  return resolve_world(std::string(kRouteHead) + std::string(spec), std::move(terms));
}

}  // namespace slipway::runtime::traffic
