#include <algorithm>

#include <fmt/format.h>

#include "api/kinds/argo_names.h"
#include "api/rules/argo_rules.h"
#include "api/rules/kind_rules.h"

// The canary strategy without its steps.
namespace slipway::api::argo {

namespace {

constexpr std::string_view kBothServices =
    "Canary service and Stable service must to be set to use Traffic Routing";
constexpr std::string_view kPingPongServices =
    "Ping service and Pong service must to be set to use Ping-Pong feature";

bool needs_services(const CanaryStrategy& canary) {
  if (!canary.traffic_routing) return false;
  const RolloutTrafficRouting& routing = *canary.traffic_routing;
  const bool istio_by_host = routing.istio && !routing.istio->destination_rule;
  return ((routing.alb || istio_by_host || routing.gateway_api) && !canary.ping_pong) ||
         routing.smi || routing.apisix || routing.ambassador || routing.nginx || routing.app_mesh ||
         routing.traefik;
}

void validate_surge(const CanaryStrategy& canary, const std::string& path, Findings& findings) {
  const bool is_surge = validate_amount(canary.max_surge, path + ".maxSurge", findings);
  const bool is_unavailable =
      validate_amount(canary.max_unavailable, path + ".maxUnavailable", findings);
  const auto zero = [](const std::optional<IntOrString>& amount) {
    return amount && int_or_percent(as_written(*amount)) == 0;
  };
  if (is_surge && is_unavailable && zero(canary.max_surge) && zero(canary.max_unavailable))
    findings.invalid(path + ".maxSurge", as_written(*canary.max_surge),
                     "MaxSurge and MaxUnavailable both can not be zero");
}

void validate_ping_pong(const CanaryStrategy& canary, const std::string& path, Findings& findings) {
  if (!canary.ping_pong) return;
  const PingPongSpec& services = *canary.ping_pong;
  const auto& routing = canary.traffic_routing;
  if (routing && !routing->alb && !routing->istio && !has_plugin_router(*routing))
    findings.invalid(
        path + ".trafficRouting", nullptr,
        "Ping-pong feature works with the ALB, Istio, and plugin-based traffic routers only");
  const std::string ping = path + ".pingPong.pingService";
  if (services.ping_service.empty()) findings.invalid(ping, "", std::string(kPingPongServices));
  if (services.pong_service.empty())
    findings.invalid(path + ".pingPong.pongService", "", std::string(kPingPongServices));
  if (services.ping_service == services.pong_service)
    findings.invalid(ping, json::Value(services.ping_service),
                     "This rollout uses the same service for the ping and pong services, but two "
                     "different services "
                     "are required.");
  if (routing && routing->alb && routing->alb->root_service.empty())
    findings.invalid(path + ".trafficRouting.alb.rootService", "",
                     "Root service field is required for the configuration with ALB and ping-pong "
                     "feature enabled");
}

void validate_services(const CanaryStrategy& canary, const std::string& path, Findings& findings) {
  if (!canary.canary_service.empty() && canary.canary_service == canary.stable_service)
    findings.invalid(
        path + ".stableService", json::Value(canary.stable_service),
        "This rollout uses the same service for the stable and canary services, but two different "
        "services are required.");
  validate_ping_pong(canary, path, findings);
  if (!needs_services(canary)) return;
  if (canary.stable_service.empty())
    findings.invalid(path + ".stableService", "", std::string(kBothServices));
  if (canary.canary_service.empty())
    findings.invalid(path + ".canaryService", "", std::string(kBothServices));
}

void validate_scaling(const CanaryStrategy& canary, const std::string& path, Findings& findings) {
  const auto& delay = canary.scale_down_delay_seconds;
  if (!canary.traffic_routing) {
    if (delay)
      findings.invalid(path + ".scaleDownDelaySeconds", json::Value(*delay),
                       "Canary scaleDownDelaySeconds can only be used with traffic routing");
    if (canary.dynamic_stable_scale)
      findings.invalid(path + ".dynamicStableScale", true,
                       "Canary dynamicStableScale can only be used with traffic routing");
    return;
  }
  if (delay && canary.dynamic_stable_scale)
    findings.invalid(path + ".dynamicStableScale", true,
                     "Canary dynamicStableScale cannot be used with scaleDownDelaySeconds");
  const RolloutTrafficRouting& routing = *canary.traffic_routing;
  if (routing.max_traffic_weight && !routing.nginx && !has_plugin_router(routing))
    findings.invalid(
        path + ".trafficRouting.maxTrafficWeight", json::Value(*routing.max_traffic_weight),
        "Canary maxTrafficWeight in traffic routing only supported in Nginx and Plugins");
}

// Ours alone: upstream knows the plugin only.
void validate_gateway_api(const CanaryStrategy& canary, const std::string& path,
                          Findings& findings) {
  if (!canary.traffic_routing || !canary.traffic_routing->gateway_api) return;
  const GatewayApiTrafficRouting& routes = *canary.traffic_routing->gateway_api;
  const std::string field = path + ".trafficRouting.gatewayAPI";
  const json::Object* plugins = canary.traffic_routing->plugins.value.if_object();
  if (plugins && plugins->contains(kGatewayPlugin))
    findings.forbidden(
        field, fmt::format("plugins[{}] names routes too; write one of them", kGatewayPlugin));
  const bool is_named = !routes.http_route.empty() || !routes.grpc_route.empty() ||
                        !routes.tcp_route.empty() || !routes.tls_route.empty() ||
                        !routes.http_routes.empty() || !routes.grpc_routes.empty() ||
                        !routes.tcp_routes.empty() || !routes.tls_routes.empty();
  if (!is_named) findings.required(field, "names no route; write httpRoute: NAME");
}

// Unlike Argo: what the canary and an experiment's templates take together is there to be taken.
// Otherwise shares would be other than the ones that were asked for.
void validate_shares(const CanaryStrategy& canary, const std::string& path, Findings& findings) {
  if (!canary.traffic_routing) return;
  const std::int64_t most = canary.traffic_routing->max_traffic_weight.value_or(100);
  std::int64_t set_weight = 0;
  for (std::size_t i = 0; i < canary.steps.size(); ++i) {
    const CanaryStep& step = canary.steps[i];
    if (step.set_weight) set_weight = *step.set_weight;
    if (!step.experiment) continue;
    std::int64_t together = 0;
    for (const auto& one : step.experiment->templates) together += one.weight.value_or(0);
    if (together > 0 && set_weight + together > most)
      findings.invalid(fmt::format("{}.steps[{}].experiment.templates", path, i),
                       json::Value(together),
                       fmt::format("Weights of the templates and the SetWeight of {} before them "
                                   "need to be at most {} together",
                                   set_weight, most));
  }
}

}  // namespace

bool validate_amount(const std::optional<IntOrString>& amount, const std::string& path,
                     Findings& findings) {
  if (!amount) return true;
  // Argo takes a text for a percentage without the sign, too.
  if (amount->is_text && !is_percent(amount->text) && !is_percent(amount->text + "%")) {
    findings.invalid(path, as_written(*amount), std::string(kNoPercent));
    return false;
  }
  if (amount->is_text || amount->number >= 0) return true;
  findings.invalid(path, as_written(*amount), "must be greater than or equal to 0");
  return false;
}

void validate_canary(const Rollout& rollout, const std::string& path, Findings& findings) {
  const CanaryStrategy& canary = *rollout.spec.strategy.canary;
  validate_surge(canary, path, findings);
  validate_services(canary, path, findings);
  validate_scaling(canary, path, findings);
  validate_gateway_api(canary, path, findings);
  for (std::size_t i = 0; i < canary.steps.size(); ++i)
    validate_step(canary, canary.steps[i], fmt::format("{}.steps[{}]", path, i), findings);
  validate_shares(canary, path, findings);
  validate_anti_affinity(canary.anti_affinity, path + ".antiAffinity", findings);
}

}  // namespace slipway::api::argo
