#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/traffic/views.h"

// From what people wrote to what the proxy does, and what is said about it. Pure.
namespace slipway::runtime::traffic {

struct Sources {
  std::map<store::Key, ServiceView> services = {};
  std::map<store::Key, SliceView> slices = {};
  std::map<store::Key, GatewayView> gateways = {};  // with their addresses
  std::map<store::Key, RouteView> routes = {};
  std::map<std::string, api::Labels> namespaces = {};
};

// What the machine allows.
struct Terms {
  std::int32_t first_open_port = 1024;
  std::map<std::string, std::string> taken = {};          // listener to why it cannot listen
  std::map<store::Key, std::string> refused_routes = {};  // by the proxy, with its words
};

struct Verdict {
  bool holds = true;
  std::string reason = {};
  std::string message = {};
  bool operator==(const Verdict&) const = default;
};
struct ParentVerdict {
  json::Object reference = {};
  Verdict accepted = {.reason = "Accepted", .message = "the route is in effect"};
  Verdict resolved = {.reason = "ResolvedRefs", .message = "all references are resolved"};
};
struct ListenerVerdict {
  std::string name = {};
  std::int32_t attached = 0;  // routes
  Verdict accepted = {.reason = "Accepted", .message = "the listener is in effect"};
  Verdict programmed = {.reason = "Programmed", .message = "the proxy listens"};
  Verdict resolved = {.reason = "ResolvedRefs", .message = "all references are resolved"};
};

struct Resolved {
  Traffic traffic = {};
  std::map<store::Key, std::vector<ParentVerdict>> routes = {};
  std::map<store::Key, RouteVersion> versions = {};  // of the routes, as they were judged
  std::map<store::Key, std::vector<ListenerVerdict>> gateways = {};
  // Service ports that are listened at elsewhere: port to port.
  std::map<store::Key, std::map<std::int32_t, std::int32_t>> shifted = {};
  // What of a Service is not listened at, and why.
  std::map<store::Key, std::vector<std::string>> silent = {};
};

Resolved resolve(const Sources& sources, const Terms& terms);

// Gateway API: the more specific match comes first; between equals the older route, then the name.
// Each match is given with its route's time and place.
struct Ranked {
  Match match = {};
  std::string created = {};
  store::Key route = {};
  std::size_t rule = 0, index = 0;
};
bool comes_before(const Ranked& a, const Ranked& b);

// The host that both name; empty text is any. Nothing when they have none in common.
std::optional<std::string> common_host(const std::string& listener, const std::string& route);

}  // namespace slipway::runtime::traffic
