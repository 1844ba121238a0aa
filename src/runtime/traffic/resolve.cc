#include "runtime/traffic/resolve.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/traffic/attach.h"

namespace slipway::runtime::traffic {

namespace {

// A Service's ports are tcp unless something says http.
bool says_http(const ServicePort& port) {
  if (!port.app_protocol.empty())
    return port.app_protocol == "http" || port.app_protocol == "kubernetes.io/ws";
  return port.name == "http" || port.name.starts_with("http-");
}

using ServersOf = std::map<store::Key, std::vector<const SliceView*>>;

std::vector<Server> servers_of(const std::vector<const SliceView*>& slices,
                               const std::string& port_name) {
  std::vector<Server> servers;
  for (const SliceView* slice : slices) {
    const auto port = slice->ports.find(port_name);
    if (port == slice->ports.end() || port->second <= 0) continue;
    for (const std::string& address : slice->ready) servers.push_back({address, port->second});
  }
  std::ranges::sort(servers);
  servers.erase(std::ranges::unique(servers).begin(), servers.end());
  return servers;
}

// Whoever comes first in the order of names has an address and port.
class Places {
 public:
  bool take(const std::string& address, std::int32_t port) {
    return taken_.emplace(address, port).second;
  }

 private:
  std::set<std::pair<std::string, std::int32_t>> taken_;
};

void listen_for_service(const ServiceView& service, const ServicePort& port, const Terms& terms,
                        Places& places, Resolved& out) {
  Listener listener{.name = service_listener_name(service.key, port.port),
                    .address = service.cluster_ip,
                    .port = listening_port(port.port, terms.first_open_port),
                    .backend = backend_name(service.key, port.port)};
  auto& silent = out.silent[service.key];
  if (const auto taken = terms.taken.find(listener.name); taken != terms.taken.end()) {
    silent.push_back(taken->second);
    return;
  }
  if (!places.take(listener.address, listener.port)) {
    silent.push_back(fmt::format("{}:{} is listened at for another Service already",
                                 listener.address, listener.port));
    return;
  }
  if (listener.port != port.port) out.shifted[service.key][port.port] = listener.port;
  listener.http = out.traffic.backends[listener.backend].http;
  out.traffic.listeners.push_back(std::move(listener));
}

void add_service(const ServiceView& service, const ServersOf& slices, const Terms& terms,
                 const std::set<std::string>& http, Places& places, Resolved& out) {
  if (service.is_external() || service.deleting) return;
  const auto found = slices.find(service.key);
  for (const ServicePort& port : service.ports) {
    if (port.protocol != "TCP") {
      out.silent[service.key].push_back(
          fmt::format("port {}: the proxy carries TCP, not {}", port.port, port.protocol));
      continue;
    }
    Backend backend{.service = service.key, .port = port.port};
    const std::string name = backend_name(service.key, port.port);
    backend.http = says_http(port) || http.contains(name);
    if (found != slices.end()) backend.servers = servers_of(found->second, port.name);
    out.traffic.backends[name] = std::move(backend);
    if (service.cluster_ip.starts_with("127."))
      listen_for_service(service, port, terms, places, out);
  }
}

void listen_for_gateway(const GatewayView& gateway, std::vector<ListenerVerdict>& verdicts,
                        const Terms& terms, Places& places, Resolved& out) {
  std::map<std::int32_t, Verdict> by_port;  // several listeners share one
  for (std::size_t i = 0; i < gateway.listeners.size(); ++i) {
    if (!verdicts[i].accepted.holds) continue;
    const std::int32_t port = gateway.listeners[i].port;
    auto [known, first] = by_port.emplace(port, verdicts[i].programmed);
    if (first) {
      Listener listener{.name = gateway_listener_name(gateway.key, port),
                        .address = gateway.address,
                        .port = listening_port(port, terms.first_open_port),
                        .http = true,
                        .forwards = true};
      if (listener.port != port)
        known->second.message = fmt::format("the proxy listens at port {}", listener.port);
      const auto taken = terms.taken.find(listener.name);
      if (taken != terms.taken.end())
        known->second = {false, "PortUnavailable", taken->second};
      else if (!places.take(listener.address, listener.port))
        known->second = {false, "PortUnavailable", "another Gateway has the address and port"};
      else
        out.traffic.listeners.push_back(std::move(listener));
    }
    verdicts[i].programmed = known->second;
  }
}

ServersOf group_slices(const Sources& sources) {
  ServersOf slices;
  for (const auto& [key, slice] : sources.slices) slices[slice.service].push_back(&slice);
  return slices;
}

}  // namespace

Resolved resolve(const Sources& sources, const Terms& terms) {
  Resolved out;
  Attachments attached = attach(sources, terms);
  out.routes = std::move(attached.routes);
  for (const auto& [key, route] : sources.routes) out.versions[key] = route.version;
  out.gateways = std::move(attached.gateways);
  out.traffic.rules = std::move(attached.rules);
  const ServersOf slices = group_slices(sources);
  Places places;
  for (const auto& [key, service] : sources.services)
    add_service(service, slices, terms, attached.http, places, out);
  for (const auto& [key, gateway] : sources.gateways)
    if (!gateway.address.empty() && !gateway.deleting)
      listen_for_gateway(gateway, out.gateways[key], terms, places, out);
  std::ranges::sort(out.traffic.listeners, {}, &Listener::name);
  for (Listener& listener : out.traffic.listeners) {
    auto& ranked = attached.matches[listener.name];
    std::ranges::sort(ranked, comes_before);
    for (Ranked& each : ranked) listener.matches.push_back(std::move(each.match));
  }
  return out;
}

}  // namespace slipway::runtime::traffic
