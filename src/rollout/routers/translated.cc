#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/rules/validate.h"
#include "base/hash.h"
#include "rollout/routers/routers.h"

// Routers whose objects nobody serves here, as an HTTPRoute of the Service that people ask: the
// root of an SMI split, else the stable one; for subsets, the one whose Pods they are, with a
// Service for each subset. Weights and header routes are the Gateway API's.
namespace slipway::rollout {

namespace {

const api::Gvr kServices{"", "v1", "services"};

const argo::CanaryStrategy& canary_of(const argo::Rollout& rollout) {
  return *rollout.spec.strategy.canary;
}

// Ping and pong take turns in being the stable one.
std::vector<std::string> roots_of(const argo::Rollout& rollout) {
  const argo::CanaryStrategy& canary = canary_of(rollout);
  const auto& smi = canary.traffic_routing->smi;
  if (smi && !smi->root_service.empty()) return {smi->root_service};
  if (canary.ping_pong) return {canary.ping_pong->ping_service, canary.ping_pong->pong_service};
  return {canary.stable_service};
}

// The port that is split, of those the Service has: the one called http, else the first.
Count port_of(const json::Value& service) {
  const json::Value* ports = json::at(service, {"spec", "ports"});
  const json::Value* found = nullptr;
  if (ports && ports->is_array())
    for (const json::Value& port : ports->get_array())
      if (!found || json::string_at(port, {"name"}) == "http") found = &port;
  const json::Value* number = found ? json::at(*found, {"port"}) : nullptr;
  return number && number->is_int64() ? static_cast<Count>(number->get_int64()) : 0;
}

json::Object backend(const std::string& service, Count port, Count weight) {
  return {{"name", service}, {"port", port}, {"weight", weight}};
}

// Subsets of one Service, of which the Rollout names none: their Pods differ by version only.
bool has_subsets(const argo::Rollout& rollout) {
  const argo::CanaryStrategy& canary = canary_of(rollout);
  const auto& istio = canary.traffic_routing->istio;
  return istio && istio->destination_rule && !canary.ping_pong && canary.stable_service.empty() &&
         canary.canary_service.empty();
}

std::string route_name(const argo::Rollout& rollout) {
  return fmt::format("{}-traffic", json::string_at(rollout.metadata.value, {"name"}));
}

// The Services that stand for the subsets. Not every name of a Rollout can begin one of a Service.
std::string subset_name(const argo::Rollout& rollout, std::string_view side) {
  std::string name = fmt::format("{}-{}", route_name(rollout), side);
  if (api::dns_1035_label_problem(name).empty()) return name;
  return fmt::format("traffic-{}-{}", safe_encode(std::to_string(fnv1a32(route_name(rollout)))),
                     side);
}
std::string stable_subset(const argo::Rollout& rollout) { return subset_name(rollout, "stable"); }
std::string canary_subset(const argo::Rollout& rollout) { return subset_name(rollout, "canary"); }

json::Object spec_of(const std::vector<std::string>& roots, const argo::TrafficWeights& weights,
                     Count port) {
  json::Array parents;
  for (const std::string& root : roots)
    parents.push_back(
        json::Object{{"group", ""}, {"kind", "Service"}, {"name", root}, {"port", port}});
  json::Object rule;
  // The store's default, written out: header routes are made of it, and found by it again.
  rule["matches"] =
      json::Array{json::Object{{"path", json::Object{{"type", "PathPrefix"}, {"value", "/"}}}}};
  rule["backendRefs"] = json::Array{backend(weights.stable.service_name, port, kMaxWeight),
                                    backend(weights.canary.service_name, port, 0)};
  return {{"parentRefs", std::move(parents)}, {"rules", json::Array{std::move(rule)}}};
}

bool has_same_parents(const json::Object& spec, const json::Value& object) {
  const json::Value* parents = json::at(object, {"spec", "parentRefs"});
  return parents && json::same(*parents, spec.at("parentRefs"));
}

// The proxy listens for it, and its selector is that of Pods of all versions.
bool selects(const json::Value& service, const json::Value* pods) {
  const json::Value* selector = json::at(service, {"spec", "selector"});
  if (!pods || !selector || !selector->is_object() || selector->get_object().empty()) return false;
  if (json::string_at(service, {"spec", "clusterIP"}) == "None" ||
      json::string_at(service, {"spec", "type"}) == "ExternalName" ||
      api::is_deleting(service.get_object()))
    return false;
  return std::ranges::all_of(selector->get_object(), [&](const auto& wanted) {
    const json::Value* label = json::at(*pods, {wanted.key()});
    return label && json::same(*label, wanted.value());
  });
}

// What it is now, or one that belongs to the Rollout and has nothing but its name. kInvalid: it is
// somebody else's.
Result<json::Value> own(const RouterTarget& target, const Routing& routing, const json::Value& now,
                        const char* api_version, const char* kind) {
  if (now.is_null()) {
    json::Object made{{"apiVersion", api_version}, {"kind", kind}};
    made["metadata"] = json::Object{{"name", target.name}, {"namespace", target.ns}};
    api::add_owner(made, api::controller_reference(routing.document));
    return made;
  }
  const auto owner = api::controller_of(now.get_object());
  if (owner && owner->uid == api::uid_of(routing.document)) return now;
  return fail(ErrorCode::kInvalid,
              fmt::format("{} \"{}\" belongs to somebody else; it has the name "
                          "of the Rollout's own",
                          kind, target.name));
}

}  // namespace

std::vector<RouterTarget> translated_targets(const argo::Rollout& rollout, const std::string& ns) {
  const argo::RolloutTrafficRouting& routing = *canary_of(rollout).traffic_routing;
  if (!routing.istio && !routing.nginx && !routing.smi) return {};
  RouterTarget route{.router = RouterKind::kTranslated,
                     .kind = {"gateway.networking.k8s.io", "v1", "httproutes"},
                     .ns = ns,
                     .name = route_name(rollout),
                     .is_made = true};
  if (!has_subsets(rollout)) {
    route.model = roots_of(rollout).front();
    route.model_kind = kServices;
    return {std::move(route)};
  }
  route.finds_model = true;
  RouterTarget stable{.router = RouterKind::kTranslatedSubset,
                      .kind = kServices,
                      .ns = ns,
                      .name = stable_subset(rollout),
                      .finds_model = true,
                      .is_made = true};
  RouterTarget canary = stable;
  canary.name = canary_subset(rollout);
  return {std::move(stable), std::move(canary), std::move(route)};
}

Result<json::Value> find_divided(const argo::Rollout& rollout,
                                 const std::vector<json::Value>& services) {
  const json::Value* pods = json::at(rollout.spec.template_.value, {"metadata", "labels"});
  const json::Value* found = nullptr;
  for (const json::Value& service : services) {
    if (!selects(service, pods)) continue;
    if (found)
      return fail(
          ErrorCode::kInvalid,
          fmt::format("Services \"{}\" and \"{}\" both select the Pods; write canaryService "
                      "and stableService to say which traffic is divided",
                      json::string_at(*found, {"metadata", "name"}),
                      json::string_at(service, {"metadata", "name"})));
    found = &service;
  }
  if (!found) return fail(ErrorCode::kNotFound, "no Service selects the Pods of this Rollout");
  return *found;
}

Result<json::Value> route_subset(const RouterTarget& target, const Routing& routing,
                                 const json::Value& now, const json::Value& model) {
  auto object = own(target, routing, now, "v1", "Service");
  if (!object) return object;
  const argo::TrafficWeights& weights = routing.traffic.weights;
  const bool is_canary = target.name == canary_subset(routing.rollout);
  const std::string& hash = is_canary && !weights.canary.pod_template_hash.empty()
                                ? weights.canary.pod_template_hash
                                : weights.stable.pod_template_hash;
  json::Object& spec = json::object_at(*object, {"spec"});
  spec["selector"] = *json::at(model, {"spec", "selector"});
  spec["selector"].as_object()[argo::kHashLabel] = hash;
  const json::Value* ports = json::at(model, {"spec", "ports"});
  if (!ports || !ports->is_array()) return object;
  spec["ports"] = *ports;
  for (json::Value& port : spec["ports"].as_array())
    if (port.is_object()) json::erase(port.get_object(), "nodePort");
  return object;
}

Result<json::Value> route_translated(const RouterTarget& target, const Routing& routing,
                                     const json::Value& now, const json::Value& model) {
  const argo::CanaryStrategy& canary = canary_of(routing.rollout);
  const bool divides_pods = has_subsets(routing.rollout);
  const bool lacks_services = canary.stable_service.empty() || canary.canary_service.empty();
  if (!divides_pods && !canary.ping_pong && lacks_services)
    return fail(ErrorCode::kInvalid,
                "here traffic is divided between Services; write canaryService and stableService");
  if (model.is_null())
    return fail(ErrorCode::kNotFound, fmt::format("services \"{}\" not found", target.model));
  const std::string root(json::string_at(model, {"metadata", "name"}));
  const Count port = port_of(model);
  if (port == 0) return fail(ErrorCode::kInvalid, fmt::format("Service \"{}\" has no port", root));
  RouteTraffic traffic = routing.traffic;
  if (divides_pods) {
    traffic.weights.stable.service_name = stable_subset(routing.rollout);
    traffic.weights.canary.service_name = canary_subset(routing.rollout);
  }
  const Routing named{.rollout = routing.rollout,
                      .document = routing.document,
                      .traffic = traffic,
                      .max_weight = routing.max_weight};
  const auto roots = divides_pods ? std::vector{root} : roots_of(routing.rollout);
  // The Services of subsets have no addresses yet when they are made, and before the first update
  // all Pods are of one version: the Service itself serves until then.
  if (divides_pods && now.is_null() &&
      traffic.weights.canary.pod_template_hash == traffic.weights.stable.pod_template_hash)
    return now;
  auto object = own(target, routing, now, "gateway.networking.k8s.io/v1", "HTTPRoute");
  if (!object) return object;
  json::Object spec = spec_of(roots, traffic.weights, port);
  if (has_same_parents(spec, *object))
    if (auto routed = route_gateway(target, named, *object)) return routed;
  // There is none yet, or it is of other Services than now.
  object->as_object()["spec"] = std::move(spec);
  return route_gateway(target, named, *object);
}

}  // namespace slipway::rollout
