#include "runtime/traffic/attach.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::runtime::traffic {

namespace {

constexpr std::string_view kGatewayGroup = "gateway.networking.k8s.io";

// A listener that a route is in effect at, and for which hosts.
struct Spot {
  std::string listener = {};
  std::string host = {};
};
struct Found {
  Verdict accepted = ParentVerdict().accepted;
  std::vector<Spot> spots = {};
};

Found refuse(std::string reason, std::string message) {
  return {.accepted = {false, std::move(reason), std::move(message)}};
}

bool allows(const GatewayListenerView& listener, const GatewayView& gateway, const RouteView& route,
            const Sources& sources) {
  using From = GatewayListenerView::From;
  if (!listener.http_routes) return false;
  if (listener.from == From::kAll) return true;
  if (listener.from == From::kSame) return gateway.key.ns == route.key.ns;
  const auto labels = sources.namespaces.find(route.key.ns);
  return labels != sources.namespaces.end() && listener.namespaces.matches(labels->second);
}

std::vector<std::string> common_hosts(const std::string& listener, const RouteView& route) {
  std::vector<std::string> hosts;
  if (route.hosts.empty()) hosts.push_back(listener);
  for (const std::string& host : route.hosts)
    if (auto common = common_host(listener, host)) hosts.push_back(std::move(*common));
  return hosts;
}

Found find_gateway_spots(const ParentView& parent, const RouteView& route, const Sources& sources,
                         std::vector<ListenerVerdict>* verdicts) {
  const auto gateway = sources.gateways.find({parent.ns, parent.name});
  if (gateway == sources.gateways.end())
    return refuse("NoMatchingParent", fmt::format("Gateway \"{}\" does not exist in namespace {}",
                                                  parent.name, parent.ns));
  Found found;
  bool named = false, allowed = false;
  for (std::size_t i = 0; i < gateway->second.listeners.size(); ++i) {
    const GatewayListenerView& listener = gateway->second.listeners[i];
    if (!parent.section.empty() && parent.section != listener.name) continue;
    if ((parent.port && *parent.port != listener.port) || listener.protocol != "HTTP") continue;
    named = true;
    if (!allows(listener, gateway->second, route, sources)) continue;
    allowed = true;
    const auto hosts = common_hosts(listener.host, route);
    for (const std::string& host : hosts)
      found.spots.push_back({gateway_listener_name(gateway->first, listener.port), host});
    if (!hosts.empty() && verdicts) ++(*verdicts)[i].attached;
  }
  if (!named)
    return refuse(
        "NoMatchingParent",
        fmt::format("Gateway \"{}\" has no HTTP listener of that name and port", parent.name));
  if (!allowed)
    return refuse("NotAllowedByListeners",
                  fmt::format("no listener of Gateway \"{}\" allows HTTPRoutes of namespace {}",
                              parent.name, route.key.ns));
  if (found.spots.empty())
    return refuse(
        "NoMatchingListenerHostname",
        fmt::format("no listener of Gateway \"{}\" has a hostname of the route", parent.name));
  return found;
}

Found find_service_spots(const ParentView& parent, const RouteView& route, const Sources& sources,
                         std::set<std::string>& http) {
  const auto service = sources.services.find({parent.ns, parent.name});
  if (parent.ns != route.key.ns)
    return refuse("NotAllowedByListeners",
                  fmt::format("Service \"{}\" is of namespace {}; a route is in effect at Services "
                              "of its own namespace {}",
                              parent.name, parent.ns, route.key.ns));
  if (service == sources.services.end())
    return refuse("NoMatchingParent", fmt::format("Service \"{}\" does not exist", parent.name));
  Found found;
  for (const ServicePort& port : service->second.ports) {
    if ((parent.port && *parent.port != port.port) || port.protocol != "TCP") continue;
    http.insert(backend_name(service->first, port.port));
    for (const std::string& host : common_hosts("", route))
      found.spots.push_back({service_listener_name(service->first, port.port), host});
  }
  if (found.spots.empty())
    return refuse("NoMatchingParent",
                  fmt::format("Service \"{}\" has no TCP port {}", parent.name,
                              parent.port ? std::to_string(*parent.port) : "at all"));
  return found;
}

// The Service's backend, or why there is none.
std::string find_backend(const ReferenceView& reference, const RouteView& route,
                         const Sources& sources, Verdict& resolved) {
  const auto wrong = [&](std::string reason, std::string message) {
    if (resolved.holds) resolved = {false, std::move(reason), std::move(message)};
    return std::string();
  };
  if (!reference.group.empty() || reference.kind != "Service")
    return wrong("InvalidKind",
                 fmt::format("backendRef {} \"{}\" is no Service", reference.kind, reference.name));
  if (reference.ns != route.key.ns)
    return wrong("RefNotPermitted", fmt::format("Service \"{}\" is of namespace {}, not {}",
                                                reference.name, reference.ns, route.key.ns));
  const auto service = sources.services.find({reference.ns, reference.name});
  if (service == sources.services.end())
    return wrong("BackendNotFound", fmt::format("Service \"{}\" does not exist", reference.name));
  const std::int32_t wanted = reference.port.value_or(0);
  for (const ServicePort& port : service->second.ports)
    if (port.port == wanted && port.protocol == "TCP" && !service->second.is_external() &&
        !service->second.deleting)
      return backend_name(service->first, wanted);
  return wrong(
      "BackendNotFound",
      fmt::format("Service \"{}\" has no TCP port {}; it has {}", reference.name, wanted,
                  service->second.ports.empty() ? std::string("none")
                                                : std::to_string(service->second.ports[0].port)));
}

std::string rule_name(const RouteView& route, std::size_t index) {
  return fmt::format("{}/{}/{}", route.key.ns, route.key.name, index);
}

void add_rules(const RouteView& route, const Sources& sources, Verdict& resolved,
               Attachments& out) {
  for (std::size_t i = 0; i < route.rules.size(); ++i) {
    Rule rule{.name = rule_name(route, i),
              .route = route.key,
              .filters = route.rules[i].filters,
              .patience = route.rules[i].patience};
    for (const ReferenceView& reference : route.rules[i].references) {
      Choice choice{.backend = find_backend(reference, route, sources, resolved),
                    .weight = reference.weight,
                    .filters = reference.filters};
      if (!choice.backend.empty()) out.http.insert(choice.backend);
      rule.choices.push_back(std::move(choice));
    }
    out.rules[rule.name] = std::move(rule);
  }
}

void add_matches(const RouteView& route, const std::vector<Spot>& spots, Attachments& out) {
  for (const Spot& spot : spots)
    for (std::size_t rule = 0; rule < route.rules.size(); ++rule)
      for (std::size_t i = 0; i < route.rules[rule].matches.size(); ++i) {
        Ranked ranked{.match = route.rules[rule].matches[i],
                      .created = route.created,
                      .route = route.key,
                      .rule = rule,
                      .index = i};
        ranked.match.host = spot.host;
        ranked.match.rule = rule_name(route, rule);
        out.matches[spot.listener].push_back(std::move(ranked));
      }
}

void attach_route(const RouteView& route, const Sources& sources, const Terms& terms,
                  Attachments& out) {
  auto& verdicts = out.routes[route.key];
  std::string refusal = route.unsupported;
  if (const auto refused = terms.refused_routes.find(route.key);
      refusal.empty() && refused != terms.refused_routes.end())
    refusal = refused->second;
  std::vector<Spot> spots;
  for (const ParentView& parent : route.parents) {
    const bool gateway = parent.group == kGatewayGroup && parent.kind == "Gateway";
    const bool service = parent.group.empty() && parent.kind == "Service";
    if (!gateway && !service) continue;  // of another controller
    ParentVerdict verdict{.reference = parent.reference};
    if (!refusal.empty()) {
      verdict.accepted = {false, "UnsupportedValue", refusal};
    } else {
      const auto known = out.gateways.find({parent.ns, parent.name});
      Found found = gateway
                        ? find_gateway_spots(parent, route, sources,
                                             known == out.gateways.end() ? nullptr : &known->second)
                        : find_service_spots(parent, route, sources, out.http);
      verdict.accepted = std::move(found.accepted);
      spots.insert(spots.end(), found.spots.begin(), found.spots.end());
    }
    verdicts.push_back(std::move(verdict));
  }
  Verdict resolved = ParentVerdict().resolved;
  Attachments scratch;  // references are judged even where the route is not in effect
  add_rules(route, sources, resolved, spots.empty() ? scratch : out);
  for (ParentVerdict& verdict : verdicts) verdict.resolved = resolved;
  add_matches(route, spots, out);
}

std::vector<ListenerVerdict> judge_listeners(const GatewayView& gateway) {
  std::vector<ListenerVerdict> verdicts;
  for (const GatewayListenerView& listener : gateway.listeners) {
    ListenerVerdict verdict{.name = listener.name};
    if (listener.protocol != "HTTP") {
      verdict.accepted = {false, "UnsupportedProtocol",
                          fmt::format("protocol {} is not supported by the embedded proxy; it "
                                      "speaks HTTP",
                                      listener.protocol)};
      verdict.programmed = {false, "Invalid", "the listener is not accepted"};
    } else if (!listener.http_routes) {
      verdict.resolved = {false, "InvalidRouteKinds", "only HTTPRoutes are supported"};
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace

Attachments attach(const Sources& sources, const Terms& terms) {
  Attachments out;
  for (const auto& [key, gateway] : sources.gateways) out.gateways[key] = judge_listeners(gateway);
  for (const auto& [key, route] : sources.routes)
    if (!route.deleting) attach_route(route, sources, terms, out);
  return out;
}

}  // namespace slipway::runtime::traffic
