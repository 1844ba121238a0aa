#include <fmt/format.h>

#include <set>

#include "server/printers.h"

namespace slipway::server {
namespace {

constexpr std::size_t kShown = 3;  // as many addresses as a cell holds before "+ N more..."

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ","));
}

std::string with_more(const std::vector<std::string>& shown, std::size_t count,
                      std::string_view when_empty) {
  if (count > shown.size() && shown.size() == kShown)
    return fmt::format("{} + {} more...", joined(shown), count - kShown);
  return shown.empty() ? std::string(when_empty) : joined(shown);
}

std::string host_port(std::string_view ip, std::int64_t port) {
  return ip.find(':') == std::string_view::npos ? fmt::format("{}:{}", ip, port)
                                                : fmt::format("[{}]:{}", ip, port);
}

std::string strings_joined(const json::Array& values) {
  std::vector<std::string> texts;
  for (const auto& value : values)
    if (value.is_string()) texts.emplace_back(std::string_view(value.get_string()));
  return joined(texts);
}

std::string balancer_addresses(const json::Value& object) {
  std::set<std::string> addresses;
  for (const auto& ingress : array_at(object, {"status", "loadBalancer", "ingress"})) {
    auto ip = json::string_at(ingress, {"ip"});
    auto host = json::string_at(ingress, {"hostname"});
    if (!ip.empty() || !host.empty()) addresses.emplace(ip.empty() ? host : ip);
  }
  return fmt::format("{}", fmt::join(addresses, ","));
}

std::string external_ip(const json::Value& service) {
  auto type = json::string_at(service, {"spec", "type"});
  auto external = strings_joined(array_at(service, {"spec", "externalIPs"}));
  if (type == "ClusterIP" || type == "NodePort") return external.empty() ? "<none>" : external;
  if (type == "ExternalName")
    return std::string(json::string_at(service, {"spec", "externalName"}));
  if (type != "LoadBalancer") return "<unknown>";
  auto addresses = balancer_addresses(service);
  if (external.empty()) return addresses.empty() ? "<pending>" : addresses;
  return addresses.empty() ? external : addresses + "," + external;
}

std::string service_ports(const json::Value& service) {
  std::vector<std::string> pieces;
  for (const auto& port : array_at(service, {"spec", "ports"})) {
    auto number = fmt::format("{}", integer_at(port, {"port"}));
    if (auto node = integer_at(port, {"nodePort"}); node > 0) number += fmt::format(":{}", node);
    pieces.push_back(number + "/" + std::string(json::string_at(port, {"protocol"})));
  }
  return pieces.empty() ? "<none>" : joined(pieces);
}

void print_service(const json::Value& object, Time now, json::Array& cells) {
  const auto& cluster_ips = array_at(object, {"spec", "clusterIPs"});
  bool has_ip = !cluster_ips.empty() && cluster_ips[0].is_string();
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(json::string_at(object, {"spec", "type"}));
  cells.emplace_back(has_ip ? std::string_view(cluster_ips[0].get_string()) : "<none>");
  cells.emplace_back(external_ip(object));
  cells.emplace_back(service_ports(object));
  cells.emplace_back(age_cell(object, now));
  cells.emplace_back(label_text(json::at(object, {"spec", "selector"})));
}

std::string ingress_hosts(const json::Value& ingress) {
  const auto& rules = array_at(ingress, {"spec", "rules"});
  std::vector<std::string> hosts;
  bool more = false;
  for (const auto& rule : rules) {
    more = more || hosts.size() == kShown;
    auto host = json::string_at(rule, {"host"});
    if (!more && !host.empty()) hosts.emplace_back(host);
  }
  if (hosts.empty()) return "*";
  return more ? fmt::format("{} + {} more...", joined(hosts), rules.size() - kShown)
              : joined(hosts);
}

void print_ingress(const json::Value& object, Time now, json::Array& cells) {
  const json::Value* ingress_class = json::at(object, {"spec", "ingressClassName"});
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(ingress_class ? json::string_at(*ingress_class, {}) : "<none>");
  cells.emplace_back(ingress_hosts(object));
  cells.emplace_back(balancer_addresses(object));
  cells.emplace_back(array_at(object, {"spec", "tls"}).empty() ? "80" : "80, 443");
  cells.emplace_back(age_cell(object, now));
}

std::string endpoint_list(const json::Value& endpoints) {
  const auto& subsets = array_at(endpoints, {"subsets"});
  if (subsets.empty()) return "<none>";
  std::vector<std::string> shown;
  std::size_t count = 0;
  auto add = [&](std::string text) {
    ++count;
    if (shown.size() < kShown) shown.push_back(std::move(text));
  };
  for (const auto& subset : subsets) {
    const auto& addresses = array_at(subset, {"addresses"});
    const auto& ports = array_at(subset, {"ports"});
    if (ports.empty())
      for (const auto& address : addresses) add(std::string(json::string_at(address, {"ip"})));
    for (const auto& port : ports)
      for (const auto& address : addresses)
        add(host_port(json::string_at(address, {"ip"}), integer_at(port, {"port"})));
  }
  return with_more(shown, count, "");
}

void print_endpoints(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(endpoint_list(object));
  cells.emplace_back(age_cell(object, now));
}

std::string slice_ports(const json::Value& slice) {
  std::vector<std::string> shown;
  const auto& ports = array_at(slice, {"ports"});
  for (const auto& port : ports) {
    if (shown.size() == kShown) break;
    auto name = json::at(port, {"name"});
    if (json::at(port, {"port"})) {
      shown.push_back(fmt::format("{}", integer_at(port, {"port"})));
    } else {
      shown.emplace_back(name ? json::string_at(*name, {}) : "*");
    }
  }
  return with_more(shown, ports.size(), "<unset>");
}

std::string slice_addresses(const json::Value& slice) {
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (const auto& endpoint : array_at(slice, {"endpoints"})) {
    for (const auto& address : array_at(endpoint, {"addresses"})) {
      ++count;
      if (shown.size() < kShown) shown.emplace_back(json::string_at(address, {}));
    }
  }
  return with_more(shown, count, "<unset>");
}

void print_slice(const json::Value& object, Time now, json::Array& cells) {
  cells.emplace_back(json::string_at(object, {"metadata", "name"}));
  cells.emplace_back(json::string_at(object, {"addressType"}));
  cells.emplace_back(slice_ports(object));
  cells.emplace_back(slice_addresses(object));
  cells.emplace_back(age_cell(object, now));
}

}  // namespace

std::optional<Printer> network_printer(const api::Gvk& gvk) {
  if (gvk.group.empty() && gvk.kind == "Service")
    return Printer{.columns = {name_column(),
                               {.name = "Type", .description = "How the service is exposed."},
                               {.name = "Cluster-IP", .description = "The service's address."},
                               {.name = "External-IP", .description = "Addresses from outside."},
                               {.name = "Port(s)", .description = "The service's ports."},
                               age_column(),
                               {.name = "Selector",
                                .description = "The labels of the pods behind it.",
                                .priority = 1}},
                   .print = print_service};
  if (gvk.group.empty() && gvk.kind == "Endpoints")
    return Printer{.columns = {name_column(),
                               {.name = "Endpoints", .description = "Addresses and ports."},
                               age_column()},
                   .print = print_endpoints};
  if (gvk.group == "networking.k8s.io" && gvk.kind == "Ingress")
    return Printer{
        .columns = {name_column(),
                    {.name = "Class", .description = "The class that implements it."},
                    {.name = "Hosts", .description = "Hosts its rules match."},
                    {.name = "Address", .description = "Addresses of the load balancer."},
                    {.name = "Ports", .description = "Ports that are open."},
                    age_column()},
        .print = print_ingress};
  if (gvk.group == "discovery.k8s.io" && gvk.kind == "EndpointSlice")
    return Printer{.columns = {name_column(),
                               {.name = "AddressType", .description = "IPv4, IPv6 or FQDN."},
                               {.name = "Ports", .description = "Ports of each endpoint."},
                               {.name = "Endpoints", .description = "Addresses."},
                               age_column()},
                   .print = print_slice};
  return std::nullopt;
}

}  // namespace slipway::server
