#include <fmt/format.h>

#include "api/object.h"
#include "rollout/routers/routers.h"

// Routers whose objects nobody serves here, as an HTTPRoute of the Service that people ask: the
// root of an SMI split, else the stable one. Its weights and header routes are the Gateway API's.
namespace slipway::rollout {

namespace {

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

json::Object spec_of(const Routing& routing, Count port) {
  json::Array parents;
  for (const std::string& root : roots_of(routing.rollout))
    parents.push_back(
        json::Object{{"group", ""}, {"kind", "Service"}, {"name", root}, {"port", port}});
  const argo::TrafficWeights& weights = routing.traffic.weights;
  json::Object rule;
  rule["backendRefs"] = json::Array{backend(weights.stable.service_name, port, kMaxWeight),
                                    backend(weights.canary.service_name, port, 0)};
  return {{"parentRefs", std::move(parents)}, {"rules", json::Array{std::move(rule)}}};
}

}  // namespace

std::vector<RouterTarget> translated_targets(const argo::Rollout& rollout, const std::string& ns) {
  const argo::RolloutTrafficRouting& routing = *canary_of(rollout).traffic_routing;
  if (!routing.istio && !routing.nginx && !routing.smi) return {};
  return {{.router = RouterKind::kTranslated,
           .kind = {"gateway.networking.k8s.io", "v1", "httproutes"},
           .ns = ns,
           .name = fmt::format("{}-traffic", json::string_at(rollout.metadata.value, {"name"})),
           .model = roots_of(rollout).front(),
           .model_kind = {"", "v1", "services"},
           .is_made = true}};
}

Result<json::Value> route_translated(const RouterTarget& target, const Routing& routing,
                                     const json::Value& now, const json::Value& model) {
  const argo::CanaryStrategy& canary = canary_of(routing.rollout);
  if (!canary.ping_pong && (canary.stable_service.empty() || canary.canary_service.empty()))
    return fail(ErrorCode::kInvalid,
                "here traffic is divided between Services; write canaryService and stableService");
  if (model.is_null())
    return fail(ErrorCode::kNotFound, fmt::format("services \"{}\" not found", target.model));
  const Count port = port_of(model);
  if (port == 0)
    return fail(ErrorCode::kInvalid, fmt::format("Service \"{}\" has no port", target.model));
  json::Value object = now;
  if (object.is_null()) {
    json::Object made{{"apiVersion", "gateway.networking.k8s.io/v1"}, {"kind", "HTTPRoute"}};
    made["metadata"] = json::Object{{"name", target.name}, {"namespace", target.ns}};
    api::add_owner(made, api::controller_reference(routing.document));
    made["spec"] = spec_of(routing, port);
    object = std::move(made);
  } else if (const auto owner = api::controller_of(object.get_object());
             !owner || owner->uid != api::uid_of(routing.document)) {
    return fail(ErrorCode::kInvalid, fmt::format("HTTPRoute \"{}\" belongs to somebody else; it "
                                                 "has the name of the Rollout's own",
                                                 target.name));
  }
  auto routed = route_gateway(target, routing, object);
  if (routed) return routed;
  object.as_object()["spec"] = spec_of(routing, port);  // of other Services than now
  return route_gateway(target, routing, object);
}

}  // namespace slipway::rollout
