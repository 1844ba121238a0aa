#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds/argo_sources.h"

// Traffic routers of a canary Rollout.
namespace slipway::api::argo {

struct StickinessConfig {
  bool enabled = false;
  std::int64_t duration_seconds = 0;
};
struct AlbTrafficRouting {
  std::string ingress = {};
  std::int32_t service_port = 0;
  std::string root_service = {};
  std::string annotation_prefix = {};
  std::optional<StickinessConfig> stickiness_config = {};
  std::vector<std::string> ingresses = {};
};
struct TlsRoute {
  std::int64_t port = 0;
  std::vector<std::string> sni_hosts = {};
};
struct TcpRoute {
  std::int64_t port = 0;
};
struct IstioVirtualService {
  std::string name = {};
  std::vector<std::string> routes = {};
  std::vector<TlsRoute> tls_routes = {};
  std::vector<TcpRoute> tcp_routes = {};
};
struct IstioDestinationRule {
  std::string name = {}, canary_subset_name = {}, stable_subset_name = {};
  std::vector<std::string> additional_subset_names = {};
};
struct IstioTrafficRouting {
  std::optional<IstioVirtualService> virtual_service = {};
  std::optional<IstioDestinationRule> destination_rule = {};
  std::vector<IstioVirtualService> virtual_services = {};
};
struct NginxTrafficRouting {
  std::string annotation_prefix = {};
  std::string stable_ingress = {};
  std::map<std::string, std::string> additional_ingress_annotations = {};
  std::vector<std::string> stable_ingresses = {};
  std::map<std::string, std::string> canary_ingress_annotations = {};
};
struct SmiTrafficRouting {
  std::string root_service = {}, traffic_split_name = {};
};
struct AmbassadorTrafficRouting {
  std::vector<std::string> mappings = {};
};
struct AppMeshVirtualService {
  std::string name = {};
  std::vector<std::string> routes = {};
};
struct AppMeshVirtualNodeReference {
  std::string name = {};
};
struct AppMeshVirtualNodeGroup {
  AppMeshVirtualNodeReference canary_virtual_node_ref = {}, stable_virtual_node_ref = {};
};
struct AppMeshTrafficRouting {
  std::optional<AppMeshVirtualService> virtual_service = {};
  std::optional<AppMeshVirtualNodeGroup> virtual_node_group = {};
};
struct TraefikTrafficRouting {
  std::string weighted_traefik_service_name = {};
};
struct ApisixRoute {
  std::string name = {};
  std::vector<std::string> rules = {};
};
struct ApisixTrafficRouting {
  std::optional<ApisixRoute> route = {};
};
// The configuration of Argo's plugin for the Gateway API, whose fields these are.
struct GatewayApiRoute {
  std::string name = {};
  bool use_header_routes = false;
};
struct GatewayApiTrafficRouting {
  std::string http_route = {}, grpc_route = {}, tcp_route = {}, tls_route = {};
  std::vector<GatewayApiRoute> http_routes = {}, grpc_routes = {}, tcp_routes = {}, tls_routes = {};
  std::string namespace_ = {};  // the Rollout's
  std::string config_map = {};  // not needed here
};
// A route that slipway may add and remove for header and mirror steps.
struct ManagedRoute {
  std::string name = {};
};

struct RolloutTrafficRouting {
  std::optional<IstioTrafficRouting> istio = {};
  std::optional<NginxTrafficRouting> nginx = {};
  std::optional<AlbTrafficRouting> alb = {};
  std::optional<SmiTrafficRouting> smi = {};
  std::optional<AmbassadorTrafficRouting> ambassador = {};
  std::optional<AppMeshTrafficRouting> app_mesh = {};
  std::optional<TraefikTrafficRouting> traefik = {};
  std::vector<ManagedRoute> managed_routes = {};
  std::optional<ApisixTrafficRouting> apisix = {};
  std::optional<GatewayApiTrafficRouting> gateway_api = {};
  FreeForm plugins = {};                                // by plugin name
  std::optional<std::int32_t> max_traffic_weight = {};  // 100
};

struct StringMatch {
  std::string exact = {}, prefix = {}, regex = {};
};
struct RouteMatch {
  std::optional<StringMatch> method = {}, path = {};
  std::map<std::string, StringMatch> headers = {};
};
struct HeaderRoutingMatch {
  std::string header_name = {};
  std::optional<StringMatch> header_value = {};
};
struct SetHeaderRoute {
  std::string name = {};
  std::vector<HeaderRoutingMatch> match = {};
};
struct SetMirrorRoute {
  std::string name = {};
  std::vector<RouteMatch> match = {};
  std::optional<std::int32_t> percentage = {};
};

}  // namespace slipway::api::argo
