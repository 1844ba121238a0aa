#include <algorithm>

#include <fmt/format.h>

#include "api/rules/argo_rules.h"

// One step of a canary.
namespace slipway::api::argo {

namespace {

constexpr std::string_view kOneOf =
    "Step must have one of the following set: experiment, setWeight, setCanaryScale, plugin or "
    "pause";

// Upstream lets setCanaryScale, routes and plugins stand beside the four that exclude each other.
void validate_members(const CanaryStep& step, const std::string& path, Findings& findings) {
  const bool experiment = step.experiment.has_value(), pause = step.pause.has_value(),
             weight = step.set_weight.has_value(), analysis = step.analysis.has_value();
  if (experiment + pause + weight + analysis > 1)
    findings.invalid(path,
                     json::Value(fmt::format(
                         "step.Experiment: {} step.Pause: {} step.SetWeight: {} step.Analysis: {}",
                         experiment, pause, weight, analysis)),
                     std::string(kOneOf));
  const bool others =
      step.set_canary_scale || step.set_header_route || step.set_mirror_route || step.plugin;
  if (!experiment && !pause && !weight && !analysis && !others)
    findings.invalid(
        path,
        "step.Experiment: true step.Pause: true step.SetWeight: true step.Analysis: true "
        "step.SetCanaryScale: true step.SetHeaderRoute: true step.SetMirrorRoute: true "
        "step.Plugin: true",
        std::string(kOneOf));
}

void validate_match(const std::optional<StringMatch>& match, bool alb, const std::string& path,
                    Findings& findings) {
  if (!match) {
    findings.invalid(path, nullptr,
                     "StringMatch value missed, match value must have one of the following: exact, "
                     "regex, prefix");
    return;
  }
  const int given = !match->exact.empty() + !match->regex.empty() + !match->prefix.empty();
  const json::Value value = encode(*match);
  if (alb && (match->exact.empty() || given > 1)) {
    findings.invalid(path, value,
                     "SetHeaderRoute match value invalid. ALB supports 'exact' value only");
  } else if (!alb && given > 1) {
    findings.invalid(
        path, value,
        "StringMatch match value must have exactly one of the following: exact, regex, prefix");
  } else if (!alb && given == 0) {
    findings.invalid(path, value,
                     "StringMatch value missed, match value must have one of the following: exact, "
                     "regex, prefix");
  }
}

void validate_header_route(const CanaryStrategy& canary, const SetHeaderRoute& route,
                           const std::string& path, Findings& findings) {
  const auto& routing = canary.traffic_routing;
  if (!routing ||
      (!routing->istio && !routing->alb && !routing->apisix && !has_plugin_router(*routing))) {
    findings.invalid(path, encode(route),
                     "SetHeaderRoute requires TrafficRouting, supports Istio and ALB and Apisix");
    return;
  }
  for (std::size_t i = 0; i < route.match.size(); ++i)
    validate_match(route.match[i].header_value, routing->alb.has_value(),
                   fmt::format("{}.match[{}]", path, i), findings);
}

void validate_mirror_route(const CanaryStrategy& canary, const SetMirrorRoute& route,
                           const std::string& path, Findings& findings) {
  const auto& routing = canary.traffic_routing;
  if (!routing || (!routing->istio && !has_plugin_router(*routing)))
    findings.invalid(path, encode(route),
                     "SetMirrorRoute requires TrafficRouting, supports Istio and Plugins");
  for (std::size_t i = 0; i < route.match.size(); ++i) {
    const std::string match = fmt::format("{}.match[{}]", path, i);
    if (route.match[i].method) validate_match(route.match[i].method, false, match, findings);
    if (route.match[i].path) validate_match(route.match[i].path, false, match, findings);
  }
}

// Header and mirror routes are added to the router's own, so they must be announced.
void validate_managed(const CanaryStrategy& canary, const std::string& name,
                      const std::string& path, Findings& findings) {
  if (!canary.traffic_routing) return;
  const auto& managed = canary.traffic_routing->managed_routes;
  if (managed.empty()) {
    findings.required(
        "spec.strategy.canary.trafficRouting.managedRoutes",
        "Rollout has missing field 'spec.strategy.canary.trafficRouting.managedRoutes'");
  } else if (std::ranges::find(managed, name, &ManagedRoute::name) == managed.end()) {
    findings.invalid(path, json::Value(name),
                     "Steps define a route that does not exist in "
                     "spec.strategy.canary.trafficRouting.managedRoutes");
  }
}

bool is_supported_metadata(std::string_view path) {
  if (path == "metadata.name" || path == "metadata.namespace" || path == "metadata.uid")
    return true;
  for (const std::string_view map : {"metadata.labels", "metadata.annotations"})
    if (path == map || (path.starts_with(map) && path.substr(map.size()).starts_with("['") &&
                        path.ends_with("']")))
      return true;
  return false;
}

void validate_args(const std::vector<AnalysisRunArgument>& args, const std::string& path,
                   Findings& findings) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i].value_from || !args[i].value_from->field_ref) continue;
    const std::string& field = args[i].value_from->field_ref->field_path;
    if (field.starts_with("metadata") && !is_supported_metadata(field))
      findings.invalid(
          fmt::format("{}.args[{}].valueFrom.fieldRef.fieldPath", path, i), json::Value(field),
          "Analyses arguments must refer to valid object metadata supported by downwardAPI");
  }
}

void validate_canary_scale(const CanaryStrategy& canary, const SetCanaryScale& scale,
                           const std::string& path, Findings& findings) {
  if (!canary.traffic_routing)
    findings.required(path, "SetCanaryScale requires TrafficRouting to be set");
  not_negative(scale.replicas, path + ".replicas", findings);
  not_negative(scale.weight, path + ".weight", findings);
}

void validate_experiment_step(const CanaryStrategy& canary, const RolloutExperimentStep& step,
                              const std::string& path, Findings& findings) {
  const auto& routing = canary.traffic_routing;
  for (std::size_t i = 0; i < step.templates.size(); ++i) {
    const std::string& reference = step.templates[i].spec_ref;
    if (reference != "canary" && reference != "stable")
      findings.invalid(fmt::format("{}.templates[{}].specRef", path, i), json::Value(reference),
                       "Invalid template step SpecRef: must be canary or stable");
    not_negative(step.templates[i].replicas, fmt::format("{}.templates[{}].replicas", path, i),
                 findings);
    if (!step.templates[i].weight) continue;
    const std::string weight = fmt::format("{}.templates[{}].weight", path, i);
    not_negative(step.templates[i].weight, weight, findings);
    const json::Value value(*step.templates[i].weight);
    if (!routing) {
      findings.invalid(weight, value,
                       "Experiment template weight cannot be set unless TrafficRouting is enabled");
    } else if (!routing->alb && !routing->smi && !routing->istio && !has_plugin_router(*routing)) {
      findings.invalid(weight, value,
                       "Experiment template weight is only available for TrafficRouting with SMI, "
                       "ALB, Istio and "
                       "Plugins at this time");
    }
  }
  for (std::size_t i = 0; i < step.analyses.size(); ++i)
    validate_args(step.analyses[i].args, fmt::format("{}.analyses[{}]", path, i), findings);
}

}  // namespace

void not_negative(const std::optional<std::int32_t>& number, std::string path, Findings& findings) {
  if (number && *number < 0)
    findings.invalid(std::move(path), json::Value(*number), "must be greater than or equal to 0");
}

json::Value as_written(const IntOrString& value) {
  return value.is_text ? json::Value(value.text) : json::Value(value.number);
}

void validate_step(const CanaryStrategy& canary, const CanaryStep& step, const std::string& path,
                   Findings& findings) {
  validate_members(step, path, findings);
  const std::int32_t most =
      canary.traffic_routing ? canary.traffic_routing->max_traffic_weight.value_or(100) : 100;
  if (step.set_weight && (*step.set_weight < 0 || *step.set_weight > most))
    findings.invalid(path + ".setWeight", json::Value(*step.set_weight),
                     fmt::format("SetWeight needs to be between 0 and {}", most));
  if (step.pause && step.pause->duration_seconds() < 0)
    findings.invalid(path + ".pause.duration", as_written(*step.pause->duration),
                     "Duration needs to be greater than 0");
  if (step.set_canary_scale)
    validate_canary_scale(canary, *step.set_canary_scale, path + ".setCanaryScale", findings);
  if (step.set_header_route) {
    validate_header_route(canary, *step.set_header_route, path + ".setHeaderRoute", findings);
    validate_managed(canary, step.set_header_route->name, path + ".setHeaderRoute", findings);
  }
  if (step.set_mirror_route) {
    validate_mirror_route(canary, *step.set_mirror_route, path + ".setMirrorRoute", findings);
    validate_managed(canary, step.set_mirror_route->name, path + ".setMirrorRoute", findings);
  }
  if (step.experiment)
    validate_experiment_step(canary, *step.experiment, path + ".experiment", findings);
  if (step.analysis) validate_args(step.analysis->args, path + ".analysis", findings);
}

}  // namespace slipway::api::argo
