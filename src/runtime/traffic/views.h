#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/selector.h"
#include "runtime/services/service_view.h"
#include "runtime/traffic/traffic.h"

// What is asked of the proxy, read once from each document.
namespace slipway::runtime::traffic {

inline const api::Gvr kGateways{"gateway.networking.k8s.io", "v1", "gateways"};
inline const api::Gvr kHttpRoutes{"gateway.networking.k8s.io", "v1", "httproutes"};

struct SliceView {
  store::Key service = {};
  std::vector<std::string> ready = {};  // addresses
  std::map<std::string, std::int32_t> ports = {};
};
SliceView view_slice(const json::Object& slice);

struct GatewayListenerView {
  std::string name = {};
  std::string host = {};
  std::int32_t port = 0;
  std::string protocol = {};
  enum class From { kSame, kAll, kSelector } from = From::kSame;
  api::LabelSelector namespaces = {};  // kSelector
  bool http_routes = true;             // allowedRoutes.kinds has HTTPRoute, or nothing
};
struct GatewayView {
  store::Key key = {};
  std::string uid = {};
  std::string address = {};  // its own; status.addresses keeps it
  bool deleting = false;
  std::vector<GatewayListenerView> listeners = {};
};
GatewayView view_gateway(const json::Object& gateway);

struct ParentView {
  std::string group = {}, kind = {}, ns = {}, name = {};
  std::string section = {};
  std::optional<std::int32_t> port = {};
  json::Object reference = {};  // as written
};
struct ReferenceView {
  std::string group = {}, kind = {}, ns = {}, name = {};
  std::optional<std::int32_t> port = {};
  std::int64_t weight = 1;
  Filters filters = {};
};
struct RuleView {
  std::vector<Match> matches = {};
  Filters filters = {};
  std::vector<ReferenceView> references = {};
  Duration patience = {};
};
// Which text of a route was read; one that is deleted and made again has another.
struct RouteVersion {
  std::string uid = {};
  std::int64_t generation = 0;
  bool operator==(const RouteVersion&) const = default;
};
struct RouteView {
  store::Key key = {};
  RouteVersion version = {};
  std::string created = {};  // metadata.creationTimestamp
  bool deleting = false;
  std::vector<std::string> hosts = {};
  std::vector<ParentView> parents = {};
  std::vector<RuleView> rules = {};
  // What the proxy cannot do, with its place; empty: nothing.
  std::string unsupported = {};
};
RouteVersion version_of_route(const json::Object& route);
RouteView view_route(const json::Object& route);

// The filters of a rule or a reference. What cannot be done is put into `unsupported`.
Filters view_filters(const json::Object& owner, const std::string& place, std::string& unsupported);

}  // namespace slipway::runtime::traffic
