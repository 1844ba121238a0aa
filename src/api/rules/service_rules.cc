#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/rules/kind_rules.h"
#include "api/schema/formats.h"
#include "base/text.h"

// Services. Addresses are given out by whoever runs them (a store's allocator, or nobody): here
// they are only kept together.
namespace slipway::api {

namespace {

constexpr std::int64_t kAffinitySeconds = 10800;
constexpr std::int64_t kMaxAffinitySeconds = 86400;

std::string_view type_of(const Place& spec) { return spec["type"].text(); }
bool is_headless(const Place& spec) {
  const std::vector<Place> addresses = spec["clusterIPs"].items();
  return !addresses.empty() ? addresses[0].text() == "None" : spec["clusterIP"].text() == "None";
}
bool is_reachable_from_outside(const Place& spec) {
  const std::string_view type = type_of(spec);
  return type == "LoadBalancer" || type == "NodePort" ||
         (type == "ClusterIP" && spec["externalIPs"].size() > 0);
}

void default_affinity(json::Object& spec) {
  default_text(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] == "None") json::erase(spec, "sessionAffinityConfig");
  if (spec["sessionAffinity"] != "ClientIP") return;
  json::Object* config = member_object(spec, "sessionAffinityConfig");
  json::Object* client = config != nullptr ? member_object(*config, "clientIP") : nullptr;
  if (client != nullptr) default_number(*client, "timeoutSeconds", kAffinitySeconds);
}

void default_port(json::Object& port) {
  default_text(port, "protocol", "TCP");
  const Place target(port.if_contains("targetPort"), "");
  const bool unset =
      !target.present() || (target.is_text() ? target.empty() : target.integer() == 0);
  if (unset && port.contains("port")) port["targetPort"] = json::Value(port.at("port"));
}

void default_service(json::Object& service) {
  json::Object* spec = member_object(service, "spec");
  if (spec == nullptr) return;
  default_affinity(*spec);
  default_text(*spec, "type", "ClusterIP");
  for (json::Object* port : member_objects(*spec, "ports")) default_port(*port);
  const Place given = Place::of(service, "spec");
  if (is_reachable_from_outside(given)) default_text(*spec, "externalTrafficPolicy", "Cluster");
  const std::string_view type = type_of(given);
  const bool routed = type == "ClusterIP" || type == "NodePort" || type == "LoadBalancer";
  if (routed) default_text(*spec, "internalTrafficPolicy", "Cluster");
  if (type == "LoadBalancer") default_flag(*spec, "allocateLoadBalancerNodePorts", true);
}

// What the server gave stays while the user says nothing else: addresses, families.
void keep_from(json::Object& spec, const Place& before) {
  for (const std::string_view field : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    const Place old = before[field];
    if (old.present() && Place(spec.if_contains(field), "").empty()) spec[field] = old.value();
  }
}

// clusterIP is the first of clusterIPs: who writes only one of them means both.
void pair_addresses(json::Object& spec, const Place& before) {
  const Place single(spec.if_contains("clusterIP"), "");
  const Place list(spec.if_contains("clusterIPs"), "");
  const bool list_is_old = list.present() && json::same(list.value(), before["clusterIPs"].value());
  const bool single_changed = single.text() != before["clusterIP"].text();
  if (!single.empty() && (list.size() == 0 || (list_is_old && single_changed))) {
    spec["clusterIPs"] = json::Array{json::Value(single.text())};
  } else if (single.empty() && list.size() > 0) {
    spec["clusterIP"] = json::Value(list.items()[0].text());
  }
}

void prepare_service(json::Object& service, const json::Object* old) {
  json::Object* spec = existing_object(service, "spec");
  if (spec == nullptr) return;
  const Place now = Place::of(service, "spec");
  const Place before = old != nullptr ? Place::of(*old, "spec") : Place(nullptr, "spec");
  const bool external = type_of(now) == "ExternalName";
  if (old != nullptr && !external && type_of(before) != "ExternalName") keep_from(*spec, before);
  pair_addresses(*spec, before);
  if (external) return;
  if (!now["ipFamilies"].present()) (*spec)["ipFamilies"] = json::Array{"IPv4"};
  default_text(*spec, "ipFamilyPolicy", "SingleStack");
}

void check_port_entry(const Place& port, bool need_name, std::set<std::string>& names,
                      Findings& findings) {
  const Place name = port["name"];
  if (need_name && name.empty()) {
    findings.required(name.path());
  } else if (!name.empty()) {
    check_name(name, dns_label_problem, findings);
    if (!names.emplace(name.text()).second) findings.duplicate(name.path(), name.value());
  }
  check_port_number(port["port"], findings);
  check_port(port["targetPort"], findings);
  if (!port["appProtocol"].empty())
    check_name(port["appProtocol"], qualified_name_problem, findings);
}

// Kubernetes shows the pair that repeats as its internal type prints, in that type's order.
std::string shown_as_go(const Place& port) {
  return json::write(json::Object{{"Name", ""},
                                  {"Protocol", port["protocol"].value()},
                                  {"AppProtocol", nullptr},
                                  {"Port", port["port"].value()},
                                  {"TargetPort", 0},
                                  {"NodePort", 0}});
}

void check_ports(const Place& spec, Findings& findings) {
  std::set<std::string> names;
  std::set<std::string> used;
  const Place ports = spec["ports"];
  for (const Place& port : ports.items()) {
    check_port_entry(port, ports.size() > 1, names, findings);
    if (type_of(spec) == "ClusterIP" && port["nodePort"].integer() != 0)
      findings.forbidden(port["nodePort"].path(), "may not be used when `type` is 'ClusterIP'");
    const std::string key = fmt::format("{}/{}", port["protocol"].text(), port["port"].integer());
    if (!used.insert(key).second)
      findings.add({"FieldValueDuplicate", "Duplicate value: " + shown_as_go(port), port.path()});
  }
}

void check_type(const Place& spec, Findings& findings) {
  const std::string_view type = type_of(spec);
  if (spec["ports"].size() == 0 && !is_headless(spec) && type != "ExternalName")
    findings.required(spec["ports"].path());
  if ((type == "LoadBalancer" || type == "NodePort") && is_headless(spec))
    findings.invalid(spec["clusterIPs"].path() + "[0]", "None",
                     fmt::format("may not be set to 'None' for {} services", type));
  if (type != "ExternalName") return;
  for (const std::string_view field : {"clusterIPs", "ipFamilies", "ipFamilyPolicy"})
    if (!spec[field].empty())
      findings.forbidden(spec[field].path(), "may not be set for ExternalName services");
  check_name(spec["externalName"], dns_subdomain_problem, findings);
}

void check_affinity(const Place& spec, Findings& findings) {
  if (spec["sessionAffinity"].text() != "ClientIP") return;
  const Place seconds = spec["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"];
  if (seconds.integer() <= 0 || seconds.integer() > kMaxAffinitySeconds)
    findings.invalid(seconds.path(), seconds.value(),
                     fmt::format("must be greater than 0 and less than {}", kMaxAffinitySeconds));
}

bool holds(const Place& list, std::string_view text) {
  const std::vector<Place> all = list.items();
  return std::ranges::any_of(all, [&](const Place& item) { return item.text() == text; });
}

// What was there before is not judged again.
bool check_each_address(const Place& list, const Place& before, Findings& findings) {
  bool fine = true;
  for (const Place& item : list.items()) {
    if (is_ip(item.text()) || holds(before, item.text())) continue;
    findings.invalid(item.path(), item.value(), std::string(kNoAddress));
    fine = false;
  }
  return fine;
}

void check_cluster_addresses(const Place& list, const Place& before, Findings& findings) {
  if (list.size() > 0 && list.items()[0].text() == "None") {
    if (list.size() > 1)
      findings.invalid(list.path(), list.value(), "'None' must be the first and only value");
    return;
  }
  const bool fine = check_each_address(list, before, findings);
  if (list.size() > 2) findings.invalid(list.path(), list.value(), "may only hold up to 2 values");
  if (!fine || list.size() < 2) return;
  const auto is_six = [&](std::size_t i) { return list.items()[i].text().contains(':'); };
  if (list.size() > 2 || is_six(0) == is_six(1))
    findings.invalid(list.path(), list.value(),
                     "may specify no more than one IP for each IP family");
}

// Spaces around them are passed over, for they were once one text with commas.
void check_source_ranges(const Place& spec, const Place& before, Findings& findings) {
  const std::string path = spec.path() + ".LoadBalancerSourceRanges";  // Kubernetes' spelling
  const std::vector<Place> ranges = spec["loadBalancerSourceRanges"].items();
  if (ranges.empty()) return;
  if (type_of(spec) != "LoadBalancer")
    findings.forbidden(path, "may only be used when `type` is 'LoadBalancer'");
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::string_view range = text::trim(ranges[i].text());
    if (!has_format(range, "cidr") && !holds(before["loadBalancerSourceRanges"], ranges[i].text()))
      findings.invalid(fmt::format("{}[{}]", path, i), json::Value(range),
                       "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
  }
}

void check_addresses(const Place& spec, const Place& before, Findings& findings) {
  const Place list = spec["clusterIPs"];
  const std::string_view first = list.size() > 0 ? list.items()[0].text() : std::string_view();
  if (!spec["clusterIP"].empty() && list.size() > 0 && first != spec["clusterIP"].text())
    findings.invalid(list.path(), list.value(), "first value must match `clusterIP`");
  if (spec["clusterIP"].empty() && list.size() > 0)
    findings.invalid(list.path(), list.value(), "must be empty when `clusterIP` is not specified");
  check_cluster_addresses(list, before["clusterIPs"], findings);
}

void check_address_change(const Place& spec, const Place& before, Findings& findings) {
  if (type_of(spec) == "ExternalName" || type_of(before) == "ExternalName") return;
  const Place now = spec["clusterIPs"];
  const Place then = before["clusterIPs"];
  const std::string first = now.path() + "[0]";
  if (then.size() > 0 && now.size() == 0)
    return findings.invalid(first, now.value(), "primary clusterIP can not be unset");
  if (then.size() > 0 && !json::same(now.items()[0].value(), then.items()[0].value()))
    findings.invalid(first, now.value(), "may not change once set");
}

void check_service(const json::Object& service, const json::Object* old, Findings& findings) {
  const Place spec = Place::of(service, "spec");
  const Place before = old != nullptr ? Place::of(*old, "spec") : Place(nullptr, "spec");
  if (old != nullptr) check_address_change(spec, before, findings);
  check_type(spec, findings);
  check_ports(spec, findings);
  check_labels(spec["selector"], findings);
  check_affinity(spec, findings);
  if (type_of(spec) != "ExternalName") check_addresses(spec, before, findings);
  check_each_address(spec["externalIPs"], before["externalIPs"], findings);
  check_source_ranges(spec, before, findings);
  if (spec["allocateLoadBalancerNodePorts"].present() && type_of(spec) != "LoadBalancer")
    findings.forbidden(spec["allocateLoadBalancerNodePorts"].path(),
                       "may only be used when `type` is 'LoadBalancer'");
  const Place external = spec["externalTrafficPolicy"];
  if (!is_reachable_from_outside(spec) && !external.empty())
    findings.invalid(external.path(), external.value(),
                     "may only be set for externally-accessible services");
}

}  // namespace

KindRules service_rules() {
  return {.set_defaults = default_service, .prepare = prepare_service, .validate = check_service};
}

}  // namespace slipway::api
