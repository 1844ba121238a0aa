#pragma once

#include "rollout/routers/router.h"

// The routers, one file each. Private to router.cc.
namespace slipway::rollout {

std::vector<RouterTarget> gateway_targets(const argo::GatewayApiTrafficRouting& routes,
                                          const std::string& ns);
Result<json::Value> route_gateway(const RouterTarget& target, const Routing& routing,
                                  const json::Value& now);

std::vector<RouterTarget> nginx_targets(const argo::NginxTrafficRouting& nginx,
                                        const std::string& rollout, const std::string& ns);
Result<json::Value> route_nginx(const RouterTarget& target, const Routing& routing,
                                const json::Value& now, const json::Value& model);

std::vector<RouterTarget> istio_targets(const argo::IstioTrafficRouting& istio,
                                        const std::string& ns);
Result<json::Value> route_virtual_service(const RouterTarget& target, const Routing& routing,
                                          const json::Value& now);
Result<json::Value> route_destination_rule(const RouterTarget& target, const Routing& routing,
                                           const json::Value& now);

std::vector<RouterTarget> smi_targets(const argo::SmiTrafficRouting& smi,
                                      const std::string& rollout, const std::string& ns);
Result<json::Value> route_smi(const RouterTarget& target, const Routing& routing,
                              const json::Value& now);

// One HTTPRoute for whatever a Rollout names that nobody here serves, made and owned by it; for
// subsets of one Service, a Service each before that.
std::vector<RouterTarget> translated_targets(const argo::Rollout& rollout, const std::string& ns);
Result<json::Value> route_translated(const RouterTarget& target, const Routing& routing,
                                     const json::Value& now, const json::Value& model);
Result<json::Value> route_subset(const RouterTarget& target, const Routing& routing,
                                 const json::Value& now, const json::Value& model);

// Names that we put into an object of somebody else, kept in one of its annotations, so that they
// can be taken out again whoever did it.
std::vector<std::string> ours_in(const json::Value& object, std::string_view annotation);
void note_ours(json::Value& object, std::string_view annotation,
               const std::vector<std::string>& names);

}  // namespace slipway::rollout
