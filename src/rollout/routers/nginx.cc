#include <fmt/format.h>

#include "api/object.h"
#include "rollout/routers/routers.h"

// ingress-nginx: a second Ingress, made after the stable one, that takes a share of its traffic.
namespace slipway::rollout {

namespace {

constexpr std::string_view kPrefix = "nginx.ingress.kubernetes.io";
constexpr std::size_t kMaxName = 253;

bool points_to(const json::Value& backend, std::string_view service) {
  return json::string_at(backend, {"service", "name"}) == service;
}

// The rule with only those paths that go to the stable Service, now to the canary; null: none do.
json::Value canary_rule(const json::Value& rule, const argo::TrafficWeights& weights) {
  const json::Value* paths = json::at(rule, {"http", "paths"});
  if (!paths || !paths->is_array()) return nullptr;
  json::Array ours;
  for (const json::Value& path : paths->get_array()) {
    const json::Value* backend = json::at(path, {"backend"});
    if (!backend || !points_to(*backend, weights.stable.service_name)) continue;
    json::Value copy = path;
    json::object_at(copy, {"backend", "service"})["name"] = weights.canary.service_name;
    ours.push_back(std::move(copy));
  }
  if (ours.empty()) return nullptr;
  json::Value made = rule;
  json::object_at(made, {"http"})["paths"] = std::move(ours);
  return made;
}

json::Object canary_spec(const json::Value& model, const argo::TrafficWeights& weights) {
  json::Object spec;
  for (const std::string_view field : {"ingressClassName", "tls"})
    if (const json::Value* found = json::at(model, {"spec", field})) spec[field] = *found;
  if (const json::Value* backend = json::at(model, {"spec", "defaultBackend"});
      backend && points_to(*backend, weights.stable.service_name)) {
    json::Value copy = *backend;
    json::object_at(copy, {"service"})["name"] = weights.canary.service_name;
    spec["defaultBackend"] = std::move(copy);
  }
  json::Array rules;
  if (const json::Value* found = json::at(model, {"spec", "rules"}); found && found->is_array())
    for (const json::Value& rule : found->get_array())
      if (json::Value made = canary_rule(rule, weights); !made.is_null())
        rules.push_back(std::move(made));
  if (!rules.empty()) spec["rules"] = std::move(rules);
  return spec;
}

json::Object canary_annotations(const Routing& routing, const json::Value& model) {
  const argo::NginxTrafficRouting& nginx =
      *routing.rollout.spec.strategy.canary->traffic_routing->nginx;
  const std::string prefix =
      nginx.annotation_prefix.empty() ? std::string(kPrefix) : nginx.annotation_prefix;
  json::Object annotations;
  if (const auto kind =
          json::string_at(model, {"metadata", "annotations", "kubernetes.io/ingress.class"});
      !kind.empty())
    annotations["kubernetes.io/ingress.class"] = kind;
  for (const auto& [key, value] : nginx.canary_ingress_annotations) annotations[key] = value;
  for (const auto& [key, value] : nginx.additional_ingress_annotations)
    annotations[key.starts_with(prefix + "/") ? key : prefix + "/" + key] = value;
  annotations[prefix + "/canary"] = "true";
  annotations[prefix + "/canary-weight"] = std::to_string(routing.traffic.weights.canary.weight);
  if (routing.max_weight != kMaxWeight)
    annotations[prefix + "/canary-weight-total"] = std::to_string(routing.max_weight);
  return annotations;
}

}  // namespace

std::vector<RouterTarget> nginx_targets(const argo::NginxTrafficRouting& nginx,
                                        const std::string& rollout, const std::string& ns) {
  std::vector<std::string> stable = nginx.stable_ingresses;
  if (!nginx.stable_ingress.empty()) stable.insert(stable.begin(), nginx.stable_ingress);
  std::vector<RouterTarget> targets;
  for (const std::string& name : stable)
    targets.push_back({.router = RouterKind::kNginx,
                       .kind = {"networking.k8s.io", "v1", "ingresses"},
                       .ns = ns,
                       .name = fmt::format("{}-{}-canary", rollout, name).substr(0, kMaxName),
                       .model = name,
                       .is_made = true});
  return targets;
}

Result<json::Value> route_nginx(const RouterTarget& target, const Routing& routing,
                                const json::Value& now, const json::Value& model) {
  if (model.is_null())
    return fail(ErrorCode::kNotFound, fmt::format("ingress \"{}\" not found", target.model));
  json::Object spec = canary_spec(model, routing.traffic.weights);
  if (!spec.contains("rules") && !spec.contains("defaultBackend"))
    return fail(ErrorCode::kInvalid,
                fmt::format("ingress \"{}\" has no rules using service {} backend", target.model,
                            routing.traffic.weights.stable.service_name));
  json::Value object = now;
  if (object.is_null()) {
    json::Object made{{"apiVersion", "networking.k8s.io/v1"}, {"kind", "Ingress"}};
    made["metadata"] = json::Object{{"name", target.name}, {"namespace", target.ns}};
    api::add_owner(made, api::controller_reference(routing.document));
    object = std::move(made);
  } else if (const auto owner = api::controller_of(object.get_object());
             !owner || owner->uid != api::uid_of(routing.document)) {
    return fail(ErrorCode::kInvalid, fmt::format("ingress \"{}\" exists and is not managed by "
                                                 "this Rollout",
                                                 target.name));
  }
  json::Object& metadata = json::object_at(object, {"metadata"});
  metadata["annotations"] = canary_annotations(routing, model);
  object.as_object()["spec"] = std::move(spec);
  return object;
}

}  // namespace slipway::rollout
