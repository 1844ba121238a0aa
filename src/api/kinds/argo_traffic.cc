#include "api/kinds/argo_traffic.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

BOOST_DESCRIBE_STRUCT(StickinessConfig, (), (enabled, duration_seconds))
BOOST_DESCRIBE_STRUCT(AlbTrafficRouting, (),
                      (ingress, service_port, root_service, annotation_prefix, stickiness_config,
                       ingresses))
BOOST_DESCRIBE_STRUCT(TlsRoute, (), (port, sni_hosts))
BOOST_DESCRIBE_STRUCT(TcpRoute, (), (port))
BOOST_DESCRIBE_STRUCT(IstioVirtualService, (), (name, routes, tls_routes, tcp_routes))
BOOST_DESCRIBE_STRUCT(IstioDestinationRule, (),
                      (name, canary_subset_name, stable_subset_name, additional_subset_names))
BOOST_DESCRIBE_STRUCT(IstioTrafficRouting, (),
                      (virtual_service, destination_rule, virtual_services))
BOOST_DESCRIBE_STRUCT(NginxTrafficRouting, (),
                      (annotation_prefix, stable_ingress, additional_ingress_annotations,
                       stable_ingresses, canary_ingress_annotations))
BOOST_DESCRIBE_STRUCT(SmiTrafficRouting, (), (root_service, traffic_split_name))
BOOST_DESCRIBE_STRUCT(AmbassadorTrafficRouting, (), (mappings))
BOOST_DESCRIBE_STRUCT(AppMeshVirtualService, (), (name, routes))
BOOST_DESCRIBE_STRUCT(AppMeshVirtualNodeReference, (), (name))
BOOST_DESCRIBE_STRUCT(AppMeshVirtualNodeGroup, (),
                      (canary_virtual_node_ref, stable_virtual_node_ref))
BOOST_DESCRIBE_STRUCT(AppMeshTrafficRouting, (), (virtual_service, virtual_node_group))
BOOST_DESCRIBE_STRUCT(TraefikTrafficRouting, (), (weighted_traefik_service_name))
BOOST_DESCRIBE_STRUCT(ApisixRoute, (), (name, rules))
BOOST_DESCRIBE_STRUCT(ApisixTrafficRouting, (), (route))
BOOST_DESCRIBE_STRUCT(GatewayApiRoute, (), (name, use_header_routes))
BOOST_DESCRIBE_STRUCT(GatewayApiTrafficRouting, (),
                      (http_route, grpc_route, tcp_route, tls_route, http_routes, grpc_routes,
                       tcp_routes, tls_routes, namespace_, config_map))
BOOST_DESCRIBE_STRUCT(ManagedRoute, (), (name))
BOOST_DESCRIBE_STRUCT(RolloutTrafficRouting, (),
                      (istio, nginx, alb, smi, ambassador, app_mesh, traefik, managed_routes,
                       apisix, gateway_api, plugins, max_traffic_weight))
BOOST_DESCRIBE_STRUCT(StringMatch, (), (exact, prefix, regex))
BOOST_DESCRIBE_STRUCT(RouteMatch, (), (method, path, headers))
BOOST_DESCRIBE_STRUCT(HeaderRoutingMatch, (), (header_name, header_value))
BOOST_DESCRIBE_STRUCT(SetHeaderRoute, (), (name, match))
BOOST_DESCRIBE_STRUCT(SetMirrorRoute, (), (name, match, percentage))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::StickinessConfig> {
  static constexpr Note notes[] = {{"enabled", {.required = true}},
                                   {"duration_seconds", {.required = true}}};
};
template <>
struct Annotations<argo::AlbTrafficRouting> {
  static constexpr Note notes[] = {{"service_port", {.required = true}}};
};
template <>
struct Annotations<argo::IstioVirtualService> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::IstioDestinationRule> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"canary_subset_name", {.required = true}},
                                   {"stable_subset_name", {.required = true}}};
};
template <>
struct Annotations<argo::AmbassadorTrafficRouting> {
  static constexpr Note notes[] = {{"mappings", {.required = true}}};
};
template <>
struct Annotations<argo::AppMeshVirtualService> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::AppMeshVirtualNodeReference> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::AppMeshVirtualNodeGroup> {
  static constexpr Note notes[] = {{"canary_virtual_node_ref", {.required = true}},
                                   {"stable_virtual_node_ref", {.required = true}}};
};
template <>
struct Annotations<argo::TraefikTrafficRouting> {
  static constexpr Note notes[] = {{"weighted_traefik_service_name", {.required = true}}};
};
template <>
struct Annotations<argo::ApisixRoute> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::GatewayApiRoute> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::GatewayApiTrafficRouting> {
  static constexpr Note notes[] = {{"namespace_", {.json_name = "namespace"}}};
};
template <>
struct Annotations<argo::ManagedRoute> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::RolloutTrafficRouting> {
  static constexpr Note notes[] = {{"gateway_api", {.json_name = "gatewayAPI"}}};
};
template <>
struct Annotations<argo::HeaderRoutingMatch> {
  static constexpr Note notes[] = {{"header_name", {.required = true}},
                                   {"header_value", {.required = true}}};
};
template <>
struct Annotations<argo::SetMirrorRoute> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED(argo::StickinessConfig);
SLIPWAY_DESCRIBED(argo::AlbTrafficRouting);
SLIPWAY_DESCRIBED(argo::TlsRoute);
SLIPWAY_DESCRIBED(argo::TcpRoute);
SLIPWAY_DESCRIBED(argo::IstioVirtualService);
SLIPWAY_DESCRIBED(argo::IstioDestinationRule);
SLIPWAY_DESCRIBED(argo::IstioTrafficRouting);
SLIPWAY_DESCRIBED(argo::NginxTrafficRouting);
SLIPWAY_DESCRIBED(argo::SmiTrafficRouting);
SLIPWAY_DESCRIBED(argo::AmbassadorTrafficRouting);
SLIPWAY_DESCRIBED(argo::AppMeshVirtualService);
SLIPWAY_DESCRIBED(argo::AppMeshVirtualNodeReference);
SLIPWAY_DESCRIBED(argo::AppMeshVirtualNodeGroup);
SLIPWAY_DESCRIBED(argo::AppMeshTrafficRouting);
SLIPWAY_DESCRIBED(argo::TraefikTrafficRouting);
SLIPWAY_DESCRIBED(argo::ApisixRoute);
SLIPWAY_DESCRIBED(argo::ApisixTrafficRouting);
SLIPWAY_DESCRIBED(argo::GatewayApiRoute);
SLIPWAY_DESCRIBED(argo::GatewayApiTrafficRouting);
SLIPWAY_DESCRIBED(argo::ManagedRoute);
SLIPWAY_DESCRIBED(argo::RolloutTrafficRouting);
SLIPWAY_DESCRIBED(argo::StringMatch);
SLIPWAY_DESCRIBED(argo::RouteMatch);
SLIPWAY_DESCRIBED(argo::HeaderRoutingMatch);
SLIPWAY_DESCRIBED(argo::SetHeaderRoute);
SLIPWAY_DESCRIBED(argo::SetMirrorRoute);

}  // namespace slipway::api::codec
