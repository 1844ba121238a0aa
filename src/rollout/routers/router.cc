#include "rollout/routers/router.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/rules/validate.h"
#include "api/schema/codec.h"
#include "base/text.h"
#include "rollout/routers/routers.h"

namespace slipway::rollout {

namespace {

void append(std::vector<RouterTarget>& all, std::vector<RouterTarget> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Named directly, or by the plugin's configuration.
std::optional<argo::GatewayApiTrafficRouting> gateway_routes(
    const argo::RolloutTrafficRouting& routing) {
  if (routing.gateway_api) return routing.gateway_api;
  const json::Object* plugins = routing.plugins.value.if_object();
  const json::Value* config = plugins ? plugins->if_contains(argo::kGatewayPlugin) : nullptr;
  if (!config) return std::nullopt;
  api::Findings ignored;
  return api::decode_leniently<argo::GatewayApiTrafficRouting>(*config, {}, ignored);
}

}  // namespace

std::vector<RouterTarget> router_targets(const argo::Rollout& rollout, const std::string& ns,
                                         Routers routers) {
  std::vector<RouterTarget> targets;
  if (!is_routed(rollout.spec)) return targets;
  const argo::RolloutTrafficRouting& routing = *rollout.spec.strategy.canary->traffic_routing;
  const std::string name(json::string_at(rollout.metadata.value, {"name"}));
  if (routers == Routers::kTranslated) {
    append(targets, translated_targets(rollout, ns));
  } else {
    if (routing.istio) append(targets, istio_targets(*routing.istio, ns));
    if (routing.nginx) append(targets, nginx_targets(*routing.nginx, name, ns));
    if (routing.smi) append(targets, smi_targets(*routing.smi, name, ns));
  }
  if (const auto routes = gateway_routes(routing)) append(targets, gateway_targets(*routes, ns));
  return targets;
}

Result<json::Value> route(const RouterTarget& target, const Routing& routing,
                          const json::Value& now, const json::Value& model) {
  if (now.is_null() && !target.is_made)
    return fail(ErrorCode::kNotFound, fmt::format("{}.{} \"{}\" not found", target.kind.resource,
                                                  target.kind.group, target.name));
  switch (target.router) {
    case RouterKind::kGatewayApi:
      return route_gateway(target, routing, now);
    case RouterKind::kNginx:
      return route_nginx(target, routing, now, model);
    case RouterKind::kIstioService:
      return route_virtual_service(target, routing, now);
    case RouterKind::kIstioRule:
      return route_destination_rule(target, routing, now);
    case RouterKind::kTranslated:
      return route_translated(target, routing, now, model);
    case RouterKind::kTranslatedSubset:
      return route_subset(target, routing, now, model);
    case RouterKind::kSmi:
      break;
  }
  return route_smi(target, routing, now);
}

std::optional<Cause> unsupported_in(const argo::RolloutSpec& spec, Routers routers) {
  if (!is_canary(spec)) return std::nullopt;
  const argo::CanaryStrategy& canary = *spec.strategy.canary;
  for (std::size_t i = 0; i < canary.steps.size(); ++i)
    if (canary.steps[i].plugin)
      return Cause{.reason = {},
                   .message = "step plugins are not supported",
                   .field = fmt::format("spec.strategy.canary.steps[{}].plugin", i)};
  if (!canary.traffic_routing) return std::nullopt;
  const argo::RolloutTrafficRouting& routing = *canary.traffic_routing;
  const bool mirrors = routing.istio && routers == Routers::kAsWritten;
  for (std::size_t i = 0; i < canary.steps.size() && !mirrors; ++i)
    if (canary.steps[i].set_mirror_route)
      return Cause{.reason = {},
                   .message = "mirroring is not supported; istio on a cluster has it",
                   .field = fmt::format("spec.strategy.canary.steps[{}].setMirrorRoute", i)};
  const auto refuse = [](std::string_view router) {
    return Cause{.reason = {},
                 .message = "not supported; use istio, nginx, smi or gatewayAPI",
                 .field = fmt::format("spec.strategy.canary.trafficRouting.{}", router)};
  };
  if (routing.alb) return refuse("alb");
  if (routing.ambassador) return refuse("ambassador");
  if (routing.app_mesh) return refuse("appMesh");
  if (routing.traefik) return refuse("traefik");
  if (routing.apisix) return refuse("apisix");
  if (const json::Object* plugins = routing.plugins.value.if_object())
    for (const auto& [name, config] : *plugins)
      if (name != argo::kGatewayPlugin)
        return refuse(fmt::format("plugins[{}]", std::string_view(name)));
  return std::nullopt;
}

std::vector<std::string> ours_in(const json::Value& object, std::string_view annotation) {
  const std::string_view names = json::string_at(object, {"metadata", "annotations", annotation});
  return names.empty() ? std::vector<std::string>() : text::split(names, ',');
}

void note_ours(json::Value& object, std::string_view annotation,
               const std::vector<std::string>& names) {
  if (names.empty() && !json::at(object, {"metadata", "annotations", annotation})) return;
  json::Object& annotations = json::object_at(object, {"metadata", "annotations"});
  if (names.empty())
    json::erase(annotations, annotation);
  else
    annotations[annotation] = fmt::format("{}", fmt::join(names, ","));
}

}  // namespace slipway::rollout
