#include "api/object.h"
#include "rollout/routers/routers.h"

// TrafficSplits of the Service Mesh Interface, made and owned by the Rollout.
namespace slipway::rollout {

namespace {

json::Object backend(const argo::WeightDestination& destination) {
  return {{"service", destination.service_name}, {"weight", destination.weight}};
}

}  // namespace

std::vector<RouterTarget> smi_targets(const argo::SmiTrafficRouting& smi,
                                      const std::string& rollout, const std::string& ns) {
  return {{.router = RouterKind::kSmi,
           .kind = {"split.smi-spec.io", "v1alpha1", "trafficsplits"},
           .ns = ns,
           .name = smi.traffic_split_name.empty() ? rollout : smi.traffic_split_name,
           .is_made = true}};
}

Result<json::Value> route_smi(const RouterTarget& target, const Routing& routing,
                              const json::Value& now) {
  const argo::TrafficWeights& weights = routing.traffic.weights;
  const argo::SmiTrafficRouting& smi = *routing.rollout.spec.strategy.canary->traffic_routing->smi;
  json::Value object = now;
  if (object.is_null()) {
    json::Object made{{"apiVersion", "split.smi-spec.io/v1alpha1"}, {"kind", "TrafficSplit"}};
    made["metadata"] = json::Object{{"name", target.name}, {"namespace", target.ns}};
    api::add_owner(made, api::controller_reference(routing.document));
    object = std::move(made);
  } else if (const auto owner = api::controller_of(object.get_object());
             !owner || owner->uid != api::uid_of(routing.document)) {
    return fail(ErrorCode::kInvalid, "TrafficSplit \"" + target.name +
                                         "\" belongs to somebody else; choose another "
                                         "trafficSplitName");
  }
  json::Array backends{backend(weights.canary)};
  for (const auto& more : weights.additional) backends.push_back(backend(more));
  backends.push_back(backend(weights.stable));
  json::Object& spec = json::object_at(object, {"spec"});
  spec["service"] = smi.root_service.empty() ? weights.stable.service_name : smi.root_service;
  spec["backends"] = std::move(backends);
  return object;
}

}  // namespace slipway::rollout
