#include <arpa/inet.h>

#include <set>

#include <fmt/format.h>

#include "api/rules/kind_rules.h"

// Endpoints, EndpointSlices and Ingresses. Kubernetes refuses loopback addresses in endpoints; ours
// are loopback addresses.
namespace slipway::api {

namespace {

constexpr std::size_t kMaxEndpoints = 1000;
constexpr std::size_t kMaxAddresses = 100;
constexpr std::size_t kMaxSlicePorts = 20000;

bool is_ipv4(std::string_view text) {
  int parts = 0;
  while (true) {
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, end);
    int number = 0;
    if (part.empty() || part.size() > 3 || (part.size() > 1 && part[0] == '0')) return false;
    for (const char c : part) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + (c - '0');
    }
    if (number > 255) return false;
    ++parts;
    if (end == text.size()) return parts == 4;
    text.remove_prefix(end + 1);
  }
}

void default_port_lists(json::Object& object) {
  for (json::Object* subset : member_objects(object, "subsets"))
    for (json::Object* port : member_objects(*subset, "ports"))
      default_text(*port, "protocol", "TCP");
}

void check_endpoint_port(const Place& port, bool need_name, Findings& findings) {
  if (need_name && port["name"].empty()) findings.required(port["name"].path());
  if (!port["name"].empty()) check_name(port["name"], dns_label_problem, findings);
  check_port_number(port["port"], findings);
}

void check_endpoints(const json::Object& object, const json::Object*, Findings& findings) {
  for (const Place& subset : Place::of(object, "subsets").items()) {
    if (subset["addresses"].size() == 0 && subset["notReadyAddresses"].size() == 0)
      findings.required(subset.path(), "must specify `addresses` or `notReadyAddresses`");
    for (const std::string_view list : {"addresses", "notReadyAddresses"})
      for (const Place& address : subset[list].items())
        if (!is_ip(address["ip"].text()))
          findings.invalid(address["ip"].path(), json::Value(address["ip"].text()),
                           std::string(kNoAddress));
    for (const Place& port : subset["ports"].items())
      check_endpoint_port(port, subset["ports"].size() > 1, findings);
  }
}

void default_endpoint_slice(json::Object& slice) {
  for (json::Object* port : member_objects(slice, "ports")) {
    default_text(*port, "name", "");
    default_text(*port, "protocol", "TCP");
  }
}

void check_slice_endpoint(const Place& endpoint, std::string_view type, Findings& findings) {
  const Place addresses = endpoint["addresses"];
  if (addresses.size() == 0) findings.required(addresses.path(), "must contain at least 1 address");
  if (addresses.size() > kMaxAddresses)
    findings.too_many(addresses.path(), addresses.size(), kMaxAddresses);
  for (const Place& address : addresses.items()) {
    if (type != "IPv4" && type != "IPv6") continue;
    const bool six = address.text().find(':') != std::string_view::npos;
    if (!is_ip(address.text())) {
      findings.invalid(address.path(), address.value(), std::string(kNoAddress));
    } else if (six != (type == "IPv6")) {
      findings.invalid(addresses.path(), address.value(),
                       fmt::format("must be an {} address", type));
    }
  }
  if (!endpoint["hostname"].empty()) check_name(endpoint["hostname"], dns_label_problem, findings);
}

void check_endpoint_slice(const json::Object& slice, const json::Object* old, Findings& findings) {
  const Place type = Place::of(slice, "addressType");
  if (type.empty()) findings.required(type.path());
  const Place ports = Place::of(slice, "ports");
  if (ports.size() > kMaxSlicePorts) findings.too_many(ports.path(), ports.size(), kMaxSlicePorts);
  std::set<std::string, std::less<>> names;
  for (const Place& port : ports.items()) {
    if (!port["name"].empty()) check_name(port["name"], dns_label_problem, findings);
    if (!names.emplace(port["name"].text()).second)
      findings.duplicate(port["name"].path(), port["name"].value());
  }
  const Place endpoints = Place::of(slice, "endpoints");
  if (endpoints.size() > kMaxEndpoints)
    findings.too_many(endpoints.path(), endpoints.size(), kMaxEndpoints);
  else
    for (const Place& endpoint : endpoints.items())
      check_slice_endpoint(endpoint, type.text(), findings);
  if (old != nullptr) check_immutable(type, Place::of(*old, "addressType"), findings);
}

void check_backend(const Place& backend, Findings& findings) {
  const Place service = backend["service"];
  const Place port = service["port"];
  if (backend["resource"].present() && service.present())
    return findings.invalid(backend.path(), "", "cannot set both resource and service backends");
  if (backend["resource"].present()) return;
  if (!service.present())
    return findings.invalid(backend.path(), "", "resource or service backend is required");
  check_name(service["name"], dns_1035_label_problem, findings);
  const bool named = !port["name"].empty();
  const bool numbered = port["number"].integer() != 0;
  if (named && numbered)
    return findings.invalid(backend.path(), "", "cannot set both port name & port number");
  if (named) return check_port(port["name"], findings);
  if (numbered) return check_port_number(port["number"], findings);
  findings.required(backend.path(), "port name or number is required");
}

void check_path(const Place& path, Findings& findings) {
  const Place type = path["pathType"];
  const Place text = path["path"];
  if (!type.present()) return findings.required(type.path(), "pathType must be specified");
  const bool strict = type.text() == "Exact" || type.text() == "Prefix";
  if (!text.text().starts_with('/') && (strict || !text.empty()))
    findings.invalid(text.path(), json::Value(text.text()), "must be an absolute path");
  if (strict) {
    for (const std::string_view bad : {"//", "/./", "/../", "%2f", "%2F"})
      if (text.text().find(bad) != std::string_view::npos)
        findings.invalid(text.path(), text.value(), fmt::format("must not contain '{}'", bad));
    for (const std::string_view bad : {"/..", "/."})
      if (text.text().ends_with(bad))
        findings.invalid(text.path(), text.value(), fmt::format("cannot end with '{}'", bad));
  }
  check_backend(path["backend"], findings);
}

void check_host(const Place& host, Findings& findings) {
  if (host.empty()) return;
  if (is_ip(host.text()))
    findings.invalid(host.path(), host.value(), "must be a DNS name, not an IP address");
  std::string_view name = host.text();
  if (name.starts_with("*.")) name.remove_prefix(2);
  if (std::string problem = dns_subdomain_problem(name); !problem.empty())
    findings.invalid(host.path(), host.value(), std::move(problem));
}

void check_ingress(const json::Object& ingress, const json::Object*, Findings& findings) {
  const Place spec = Place::of(ingress, "spec");
  if (spec["rules"].size() == 0 && !spec["defaultBackend"].present())
    findings.invalid("spec", spec["rules"].value(),
                     "either `defaultBackend` or `rules` must be specified");
  if (spec["defaultBackend"].present()) check_backend(spec["defaultBackend"], findings);
  for (const Place& rule : spec["rules"].items()) {
    check_host(rule["host"], findings);
    if (!rule["http"].present()) continue;
    const Place paths = rule["http"]["paths"];
    if (paths.size() == 0) findings.required(paths.path());
    for (const Place& path : paths.items()) check_path(path, findings);
  }
  for (const Place& tls : spec["tls"].items()) {
    for (const Place& host : tls["hosts"].items()) check_host(host, findings);
    if (!tls["secretName"].empty()) check_name(tls["secretName"], dns_subdomain_problem, findings);
  }
  if (!spec["ingressClassName"].empty())
    check_name(spec["ingressClassName"], dns_subdomain_problem, findings);
}

}  // namespace

bool is_ip(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return is_ipv4(text);
  in6_addr address{};
  return text.size() < INET6_ADDRSTRLEN &&
         ::inet_pton(AF_INET6, std::string(text).c_str(), &address) == 1;
}

KindRules endpoints_rules() {
  return {.set_defaults = default_port_lists, .validate = check_endpoints};
}
KindRules endpoint_slice_rules() {
  return {.set_defaults = default_endpoint_slice, .validate = check_endpoint_slice};
}
KindRules ingress_rules() { return {.validate = check_ingress}; }

}  // namespace slipway::api
