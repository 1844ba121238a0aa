#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "rollout/routers/routers.h"

// VirtualServices, by host or by subset, and the DestinationRules of the subsets.
namespace slipway::rollout {

namespace {

constexpr std::string_view kExtraDestinations = "slipway.dev/extra-destinations";
constexpr std::string_view kGroupName = "networking.istio.io";
constexpr std::string_view kVersion = "v1alpha3";

// How the two sides are told apart in a route.
struct Sides {
  std::string canary = {}, stable = {};
  bool by_subset = false;

  std::string_view name_in(const json::Value& destination) const {
    if (by_subset) return json::string_at(destination, {"destination", "subset"});
    const std::string_view host = json::string_at(destination, {"destination", "host"});
    return host.substr(0, host.find('.'));
  }
};

const argo::IstioTrafficRouting& istio_of(const Routing& routing) {
  return *routing.rollout.spec.strategy.canary->traffic_routing->istio;
}

Sides sides_of(const Routing& routing) {
  const argo::TrafficWeights& weights = routing.traffic.weights;
  if (const auto& rule = istio_of(routing).destination_rule)
    return {rule->canary_subset_name, rule->stable_subset_name, true};
  return {weights.canary.service_name, weights.stable.service_name, false};
}

// Written as `name`, which is in the Rollout's namespace, or as `name.namespace`.
struct FullName {
  std::string ns = {}, name = {};
  bool operator==(const FullName&) const = default;
};
FullName full_name(const std::string& written, const std::string& ns) {
  const auto dot = written.rfind('.');
  if (dot == std::string::npos) return {ns, written};
  return {written.substr(dot + 1), written.substr(0, dot)};
}

// What the Rollout says of the object; all of its routes are meant where it says nothing.
const argo::IstioVirtualService& service_behind(const RouterTarget& target,
                                                const Routing& routing) {
  static const argo::IstioVirtualService kAllRoutes;
  const argo::IstioTrafficRouting& istio = istio_of(routing);
  const std::string ns(api::namespace_of(routing.document));
  const auto is_meant = [&](const argo::IstioVirtualService& service) {
    return full_name(service.name, ns) == FullName{target.ns, target.name};
  };
  if (istio.virtual_service && is_meant(*istio.virtual_service)) return *istio.virtual_service;
  const auto found = std::ranges::find_if(istio.virtual_services, is_meant);
  return found == istio.virtual_services.end() ? kAllRoutes : *found;
}

// To a Service of its own: what is said of the sides' subsets does not hold there.
json::Object extra_destination(const json::Value& like, const argo::WeightDestination& extra) {
  json::Value made = like;
  json::Object& target = json::object_at(made, {"destination"});
  target["host"] = extra.service_name;
  json::erase(target, "subset");
  made.as_object()["weight"] = extra.weight;
  return made.get_object();
}

bool is_extra(const json::Value& destination, const std::vector<std::string>& ours) {
  const auto host = json::string_at(destination, {"destination", "host"});
  return std::ranges::find(ours, host) != ours.end();
}

// Sets the weights of one route. False: it does not have both sides.
bool set_weights(json::Value& route, const Sides& sides, const Routing& routing,
                 const std::vector<std::string>& ours) {
  json::Value* found = json::at(route, {"route"});
  if (!found || !found->is_array()) return false;
  const argo::TrafficWeights& weights = routing.traffic.weights;
  json::Array kept;
  bool has_canary = false;
  const json::Value* stable = nullptr;
  for (json::Value& one : found->get_array()) {
    if (is_extra(one, ours)) continue;
    const std::string name(sides.name_in(one));
    if (name == sides.canary) {
      one.as_object()["weight"] = weights.canary.weight;
      has_canary = true;
    }
    if (name == sides.stable) {
      one.as_object()["weight"] = weights.stable.weight;
      stable = &one;
    }
    kept.push_back(one);
  }
  if (!has_canary || !stable) return false;
  for (const auto& more : weights.additional) kept.push_back(extra_destination(*stable, more));
  *found = std::move(kept);
  return true;
}

bool is_http_meant(const json::Value& route, const std::vector<std::string>& wanted) {
  return wanted.empty() ||
         std::ranges::find(wanted, json::string_at(route, {"name"})) != wanted.end();
}

bool is_tls_meant(const json::Value& route, const std::vector<argo::TlsRoute>& wanted) {
  if (wanted.empty()) return true;
  const json::Value* matches = json::at(route, {"match"});
  if (!matches || !matches->is_array()) return false;
  for (const argo::TlsRoute& one : wanted)
    for (const json::Value& match : matches->get_array()) {
      const json::Value* port = json::at(match, {"port"});
      const json::Value* hosts = json::at(match, {"sniHosts"});
      json::Array sni;
      for (const std::string& host : one.sni_hosts) sni.emplace_back(host);
      const bool port_fits =
          one.port == 0 || (port && port->is_int64() && port->get_int64() == one.port);
      const bool hosts_fit = sni.empty() || (hosts && json::same(*hosts, sni));
      if (port_fits && hosts_fit) return true;
    }
  return false;
}

bool is_tcp_meant(const json::Value& route, const std::vector<argo::TcpRoute>& wanted) {
  if (wanted.empty()) return true;
  const json::Value* matches = json::at(route, {"match"});
  if (!matches || !matches->is_array()) return false;
  for (const argo::TcpRoute& one : wanted)
    for (const json::Value& match : matches->get_array())
      if (const json::Value* port = json::at(match, {"port"});
          port && port->is_int64() && port->get_int64() == one.port)
        return true;
  return false;
}

bool is_managed(const Routing& routing, std::string_view name) {
  const auto& managed = routing.rollout.spec.strategy.canary->traffic_routing->managed_routes;
  return std::ranges::any_of(managed, [&](const auto& one) { return one.name == name; });
}

json::Object string_match(const argo::StringMatch& match) {
  if (!match.exact.empty()) return {{"exact", match.exact}};
  if (!match.prefix.empty()) return {{"prefix", match.prefix}};
  return {{"regex", match.regex}};
}

json::Object header_route(const argo::SetHeaderRoute& wanted, const json::Value& canary) {
  json::Array matches;  // any of them is enough
  for (const auto& one : wanted.match) {
    json::Object headers;
    headers[one.header_name] = string_match(one.header_value.value_or(argo::StringMatch()));
    matches.push_back(json::Object{{"headers", std::move(headers)}});
  }
  json::Value to = canary;
  to.as_object()["weight"] = 100;
  return {
      {"name", wanted.name}, {"match", std::move(matches)}, {"route", json::Array{std::move(to)}}};
}

// What is mirrored is divided as all else is: `divided` is where that goes.
json::Object mirror_route(const argo::SetMirrorRoute& wanted, const json::Value& canary,
                          const json::Value& divided) {
  json::Array matches;
  for (const auto& one : wanted.match) {
    json::Object match;
    if (one.method) match["method"] = string_match(*one.method);
    if (one.path) match["uri"] = string_match(*one.path);
    json::Object headers;
    for (const auto& [name, value] : one.headers) headers[name] = string_match(value);
    if (!headers.empty()) match["headers"] = std::move(headers);
    matches.push_back(std::move(match));
  }
  return {{"name", wanted.name},
          {"match", std::move(matches)},
          {"route", divided},
          {"mirror", canary.at("destination")},
          {"mirrorPercentage", json::Object{{"value", wanted.percentage.value_or(100)}}}};
}

const json::Value* side_in(const json::Value& route, const Sides& sides, std::string_view name) {
  const json::Value* found = json::at(route, {"route"});
  if (!found || !found->is_array()) return nullptr;
  for (const json::Value& one : found->get_array())
    if (sides.name_in(one) == name) return &one;
  return nullptr;
}

const json::Value* find_canary(const json::Array& http, const Sides& sides) {
  for (const json::Value& route : http)
    if (const json::Value* found = side_in(route, sides, sides.canary)) return found;
  return nullptr;
}

// The destinations of the first route that is meant and has both sides.
const json::Value* find_divided_destinations(const json::Array& http, const Sides& sides,
                                             const std::vector<std::string>& meant) {
  for (const json::Value& route : http)
    if (is_http_meant(route, meant) && side_in(route, sides, sides.canary) &&
        side_in(route, sides, sides.stable))
      return json::at(route, {"route"});
  return nullptr;
}

// Ours come before the others, in the order of managedRoutes.
void set_managed_routes(json::Array& http, const Routing& routing, const Sides& sides,
                        const std::vector<std::string>& meant) {
  const RouteTraffic& traffic = routing.traffic;
  json::Array others;
  for (json::Value& route : http)
    if (!is_managed(routing, json::string_at(route, {"name"}))) others.push_back(std::move(route));
  const json::Value* canary = find_canary(others, sides);
  const json::Value* divided = find_divided_destinations(others, sides, meant);
  std::map<std::string, json::Value> ours;
  for (const argo::SetHeaderRoute& wanted : traffic.header_routes)
    if (canary) ours[wanted.name] = header_route(wanted, *canary);
  for (const argo::SetMirrorRoute& wanted : traffic.mirror_routes)
    if (canary && divided) ours[wanted.name] = mirror_route(wanted, *canary, *divided);
  json::Array all;
  for (const auto& one : routing.rollout.spec.strategy.canary->traffic_routing->managed_routes)
    if (const auto found = ours.find(one.name); found != ours.end()) all.push_back(found->second);
  for (json::Value& route : others) all.push_back(std::move(route));
  http = std::move(all);
}

}  // namespace

std::vector<RouterTarget> istio_targets(const argo::IstioTrafficRouting& istio,
                                        const std::string& ns) {
  std::vector<RouterTarget> targets;
  const auto add = [&](RouterKind router, std::string_view resource, const std::string& name) {
    FullName full = full_name(name, ns);
    targets.push_back(
        {.router = router,
         .kind = {std::string(kGroupName), std::string(kVersion), std::string(resource)},
         .ns = std::move(full.ns),
         .name = std::move(full.name)});
  };
  if (istio.destination_rule)
    add(RouterKind::kIstioRule, "destinationrules", istio.destination_rule->name);
  if (istio.virtual_service)
    add(RouterKind::kIstioService, "virtualservices", istio.virtual_service->name);
  for (const auto& service : istio.virtual_services)
    add(RouterKind::kIstioService, "virtualservices", service.name);
  return targets;
}

Result<json::Value> route_virtual_service(const RouterTarget& target, const Routing& routing,
                                          const json::Value& now) {
  const argo::IstioVirtualService& wanted = service_behind(target, routing);
  const Sides sides = sides_of(routing);
  json::Value object = now;
  const std::vector<std::string> ours = ours_in(object, kExtraDestinations);
  bool found = false;
  const auto each = [&](std::string_view protocol, auto&& is_meant) {
    json::Value* routes = json::at(object, {"spec", protocol});
    if (!routes || !routes->is_array()) return;
    for (json::Value& route : routes->get_array())
      if (is_meant(route)) found = set_weights(route, sides, routing, ours) || found;
  };
  each("http", [&](const json::Value& route) {
    return !is_managed(routing, json::string_at(route, {"name"})) &&
           is_http_meant(route, wanted.routes);
  });
  each("tls", [&](const json::Value& route) { return is_tls_meant(route, wanted.tls_routes); });
  each("tcp", [&](const json::Value& route) { return is_tcp_meant(route, wanted.tcp_routes); });
  if (!found)
    return fail(ErrorCode::kInvalid,
                fmt::format("VirtualService \"{}\" has no route to both \"{}\" and \"{}\"",
                            target.name, sides.stable, sides.canary));
  if (json::Value* http = json::at(object, {"spec", "http"}); http && http->is_array())
    set_managed_routes(http->get_array(), routing, sides, wanted.routes);
  std::vector<std::string> extra;
  for (const auto& more : routing.traffic.weights.additional) extra.push_back(more.service_name);
  note_ours(object, kExtraDestinations, extra);
  return object;
}

Result<json::Value> route_destination_rule(const RouterTarget& target, const Routing& routing,
                                           const json::Value& now) {
  const argo::IstioDestinationRule& rule = *istio_of(routing).destination_rule;
  const argo::TrafficWeights& weights = routing.traffic.weights;
  json::Value object = now;
  json::Value* subsets = json::at(object, {"spec", "subsets"});
  int found = 0;
  if (subsets && subsets->is_array())
    for (json::Value& subset : subsets->get_array()) {
      const std::string_view name = json::string_at(subset, {"name"});
      const bool is_canary = name == rule.canary_subset_name;
      if (!is_canary && name != rule.stable_subset_name) continue;
      ++found;
      const auto& side = is_canary ? weights.canary : weights.stable;
      if (!side.pod_template_hash.empty())
        json::object_at(subset, {"labels"})[argo::kHashLabel] = side.pod_template_hash;
    }
  if (found != 2)
    return fail(ErrorCode::kInvalid,
                fmt::format("DestinationRule \"{}\" lacks the subset \"{}\" or \"{}\"", target.name,
                            rule.stable_subset_name, rule.canary_subset_name));
  return object;
}

}  // namespace slipway::rollout
