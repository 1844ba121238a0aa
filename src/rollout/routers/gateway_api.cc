#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "rollout/routers/routers.h"

// HTTPRoutes and their like: weights of backendRefs, header routes as rules of their own.
namespace slipway::rollout {

namespace {

constexpr std::string_view kExtraBackends = "slipway.dev/extra-backends";
constexpr std::string_view kManagedRules = "slipway.dev/managed-rules";

using GatewayRoutes = argo::GatewayApiTrafficRouting;

struct RouteKind {
  std::string GatewayRoutes::* one;
  std::vector<argo::GatewayApiRoute> GatewayRoutes::* many;
  std::string_view resource, version;
};
constexpr RouteKind kRouteKinds[] = {
    {&GatewayRoutes::http_route, &GatewayRoutes::http_routes, "httproutes", "v1"},
    {&GatewayRoutes::grpc_route, &GatewayRoutes::grpc_routes, "grpcroutes", "v1"},
    {&GatewayRoutes::tcp_route, &GatewayRoutes::tcp_routes, "tcproutes", "v1alpha2"},
    {&GatewayRoutes::tls_route, &GatewayRoutes::tls_routes, "tlsroutes", "v1alpha2"}};

json::Object* find_backend(json::Value& rule, std::string_view service) {
  json::Value* backends = json::at(rule, {"backendRefs"});
  if (!backends || !backends->is_array()) return nullptr;
  for (json::Value& backend : backends->get_array())
    if (json::string_at(backend, {"name"}) == service) return &backend.as_object();
  return nullptr;
}

void set_extra_backends(json::Value& rule, const json::Object& stable,
                        const std::vector<argo::WeightDestination>& wanted,
                        const std::vector<std::string>& ours) {
  json::Array& backends = rule.as_object()["backendRefs"].as_array();
  json::Array kept;
  for (json::Value& backend : backends)
    if (std::ranges::find(ours, json::string_at(backend, {"name"})) == ours.end())
      kept.push_back(std::move(backend));
  for (const argo::WeightDestination& extra : wanted) {
    json::Object backend = stable;
    backend["name"] = extra.service_name;
    backend["weight"] = extra.weight;
    kept.push_back(std::move(backend));
  }
  backends = std::move(kept);
}

json::Object header_match(const argo::HeaderRoutingMatch& wanted) {
  const argo::StringMatch value = wanted.header_value.value_or(argo::StringMatch());
  json::Object match{{"name", wanted.header_name}};
  match["type"] = value.exact.empty() ? "RegularExpression" : "Exact";
  match["value"] = !value.exact.empty()    ? value.exact
                   : !value.prefix.empty() ? value.prefix + ".*"
                                           : value.regex;
  return match;
}

// What a request may have: with `takes_any` one header of the route is enough, as Istio has it,
// else it is all of them.
std::vector<json::Array> header_sets(const argo::SetHeaderRoute& route, bool takes_any) {
  std::vector<json::Array> sets(1);
  for (const auto& wanted : route.match) {
    if (takes_any && !sets.back().empty()) sets.emplace_back();
    sets.back().push_back(header_match(wanted));
  }
  return sets;
}

// One rule for the header route, on every path of the rules it stands before.
json::Object header_rule(const argo::SetHeaderRoute& route, const json::Object& canary,
                         const json::Value& rule, bool takes_any) {
  const std::vector<json::Array> sets = header_sets(route, takes_any);
  json::Array matches;
  const json::Value* paths = json::at(rule, {"matches"});
  if (paths && paths->is_array())
    for (const json::Value& path : paths->get_array())
      for (const json::Array& headers : sets) {
        json::Object match = path.is_object() ? path.get_object() : json::Object{};
        match["headers"] = headers;
        matches.push_back(std::move(match));
      }
  if (matches.empty())
    for (const json::Array& headers : sets) matches.push_back(json::Object{{"headers", headers}});
  json::Object backend = canary;
  backend["weight"] = 1;
  json::Object made = rule.is_object() ? rule.get_object() : json::Object{};
  made["matches"] = std::move(matches);
  made["backendRefs"] = json::Array{std::move(backend)};
  return made;
}

// The rules that are ours, by the name of their route: their matches, and the Service they lead to.
json::Object managed_in(const json::Value& object) {
  const auto read = json::read(json::string_at(object, {"metadata", "annotations", kManagedRules}));
  return read && read->is_object() ? read->get_object() : json::Object{};
}

bool divides(json::Value& rule, const argo::TrafficWeights& weights) {
  return find_backend(rule, weights.stable.service_name) &&
         find_backend(rule, weights.canary.service_name);
}

// Rules for these requests, all of them to this Service. Others may have rules for them too, and
// keep theirs.
void drop_rules(json::Array& rules, const json::Value& matches, std::string_view service) {
  const auto is_ours = [&](json::Value& rule) {
    const json::Value* found = json::at(rule, {"matches"});
    const json::Value* backends = json::at(rule, {"backendRefs"});
    return found && json::same(*found, matches) && find_backend(rule, service) &&
           backends->get_array().size() == 1;
  };
  json::Array kept;
  for (json::Value& rule : rules)
    if (!is_ours(rule)) kept.push_back(std::move(rule));
  rules = std::move(kept);
}

void note_managed(json::Value& object, const json::Object& managed) {
  if (managed.empty() && !json::at(object, {"metadata", "annotations", kManagedRules})) return;
  json::Object& annotations = json::object_at(object, {"metadata", "annotations"});
  if (managed.empty())
    json::erase(annotations, kManagedRules);
  else
    annotations[kManagedRules] = json::write(managed, {.sort_keys = true});
}

void set_header_routes(json::Value& object, json::Array& rules, const Routing& routing,
                       bool takes_any) {
  const argo::TrafficWeights& weights = routing.traffic.weights;
  const std::string& canary = weights.canary.service_name;
  for (const auto& [name, rule] : managed_in(object))
    if (const json::Value* matches = json::at(rule, {"matches"}))
      drop_rules(rules, *matches, json::string_at(rule, {"service"}));
  json::Object managed;
  for (const argo::SetHeaderRoute& route : routing.traffic.header_routes) {
    const auto first =
        std::ranges::find_if(rules, [&](json::Value& rule) { return divides(rule, weights); });
    if (first == rules.end()) continue;
    json::Object made = header_rule(route, *find_backend(*first, canary), *first, takes_any);
    managed[route.name] = json::Object{{"matches", made["matches"]}, {"service", canary}};
    drop_rules(rules, made["matches"], canary);  // ours, though the note of it is lost
    rules.insert(rules.begin(), std::move(made));
  }
  note_managed(object, managed);
}

}  // namespace

std::vector<RouterTarget> gateway_targets(const GatewayRoutes& routes, const std::string& ns) {
  std::vector<RouterTarget> targets;
  for (const RouteKind& kind : kRouteKinds) {
    const auto add = [&](const std::string& name) {
      if (!name.empty())
        targets.push_back({.router = RouterKind::kGatewayApi,
                           .kind = {"gateway.networking.k8s.io", std::string(kind.version),
                                    std::string(kind.resource)},
                           .ns = routes.namespace_.empty() ? ns : routes.namespace_,
                           .name = name});
    };
    add(routes.*kind.one);
    for (const argo::GatewayApiRoute& one : routes.*kind.many) add(one.name);
  }
  return targets;
}

Result<json::Value> route_gateway(const RouterTarget& target, const Routing& routing,
                                  const json::Value& now) {
  json::Value object = now;
  const argo::TrafficWeights& weights = routing.traffic.weights;
  json::Value* rules = json::at(object, {"spec", "rules"});
  std::vector<std::string> extra;
  for (const auto& more : weights.additional) extra.push_back(more.service_name);
  const std::vector<std::string> ours = ours_in(object, kExtraBackends);
  bool found = false;
  if (rules && rules->is_array())
    for (json::Value& rule : rules->get_array()) {
      json::Object* stable = find_backend(rule, weights.stable.service_name);
      json::Object* canary = find_backend(rule, weights.canary.service_name);
      if (!stable || !canary) continue;
      found = true;
      (*stable)["weight"] = weights.stable.weight;
      (*canary)["weight"] = weights.canary.weight;
      if (!extra.empty() || !ours.empty())
        set_extra_backends(rule, json::Object(*stable), weights.additional, ours);
    }
  if (!found)
    return fail(ErrorCode::kInvalid,
                fmt::format("{} \"{}\" has no rule with backendRefs to both \"{}\" and \"{}\"",
                            target.kind.resource, target.name, weights.stable.service_name,
                            weights.canary.service_name));
  const bool takes_any = target.router == RouterKind::kTranslated &&
                         routing.rollout.spec.strategy.canary->traffic_routing->istio.has_value();
  set_header_routes(object, rules->get_array(), routing, takes_any);
  note_ours(object, kExtraBackends, extra);
  return object;
}

}  // namespace slipway::rollout
