#include "runtime/services/endpoints.h"

#include <algorithm>
#include <map>

#include "api/object.h"
#include "api/rules/members.h"
#include "runtime/services/endpoint_slices.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kOverCapacity = "endpoints.kubernetes.io/over-capacity";

struct Subset {
  json::Array ready = {};
  json::Array not_ready = {};
  json::Array ports = {};
};

json::Array ports_for(const ServiceView& service, const PodView& pod) {
  json::Array ports;
  for (const ServicePort& port : service.ports) {
    const auto number = target_port(port, pod);
    if (!number) continue;
    json::Object one;
    if (!port.name.empty()) one["name"] = port.name;
    one["port"] = *number;
    one["protocol"] = port.protocol;
    if (!port.app_protocol.empty()) one["appProtocol"] = port.app_protocol;
    ports.push_back(std::move(one));
  }
  return ports;
}

json::Object address_of(const ServiceView& service, const PodView& pod) {
  json::Object address{{"ip", pod.ip}};
  if (!pod.hostname.empty() && pod.subdomain == service.key.name)
    address["hostname"] = pod.hostname;
  if (!pod.node.empty()) address["nodeName"] = pod.node;
  address["targetRef"] = json::Object{
      {"kind", "Pod"}, {"namespace", pod.key.ns}, {"name", pod.key.name}, {"uid", pod.uid}};
  return address;
}

// By address; of too many, those that are ready first.
std::vector<const PodView*> listed(const ServiceView& service, std::vector<const PodView*> pods,
                                   bool& truncated) {
  std::erase_if(pods, [&](const PodView* pod) {
    return !is_endpoint(*pod) || (pod->deleting && !service.publish_not_ready);
  });
  truncated = pods.size() > kMaxAddresses;
  if (truncated) {
    std::ranges::sort(pods, [](const PodView* a, const PodView* b) {
      return a->ready != b->ready ? a->ready : a->uid < b->uid;
    });
    pods.resize(kMaxAddresses);
  }
  std::ranges::sort(pods, [](const PodView* a, const PodView* b) {
    return a->ip != b->ip ? a->ip < b->ip : a->uid < b->uid;
  });
  return pods;
}

json::Array subsets_of(const ServiceView& service, const std::vector<const PodView*>& pods) {
  std::map<std::string, Subset> subsets;
  for (const PodView* pod : pods) {
    json::Array ports = ports_for(service, *pod);
    if (ports.empty() && !service.ports.empty()) continue;
    Subset& subset = subsets[json::write(ports)];
    subset.ports = std::move(ports);
    const bool ready = pod->ready || service.publish_not_ready;
    (ready ? subset.ready : subset.not_ready).push_back(address_of(service, *pod));
  }
  json::Array list;
  for (auto& [key, subset] : subsets) {
    json::Object one;
    if (!subset.ready.empty()) one["addresses"] = std::move(subset.ready);
    if (!subset.not_ready.empty()) one["notReadyAddresses"] = std::move(subset.not_ready);
    if (!subset.ports.empty()) one["ports"] = std::move(subset.ports);
    list.push_back(std::move(one));
  }
  return list;
}

json::Object labels_for(const json::Object& service, const ServiceView& view) {
  json::Object labels;
  for (const auto& [key, value] : api::labels_of(service)) labels[key] = value;
  labels[kEndpointsManagerLabel] = "endpoint-controller";
  if (view.is_headless()) labels["service.kubernetes.io/headless"] = "";
  return labels;
}

bool same_field(const json::Object& a, const json::Object& b, std::string_view field) {
  static const json::Value kNone = nullptr;
  const auto find = [&](const json::Object& object) -> const json::Value& {
    const json::Value* value = object.if_contains(field);
    const bool nothing = !value || (value->is_array() && value->get_array().empty()) ||
                         (value->is_object() && value->get_object().empty());
    return nothing ? kNone : *value;
  };
  return json::same(find(a), find(b));
}

}  // namespace

std::optional<json::Object> decide_endpoints(const json::Object& service, const ServiceView& view,
                                             const std::vector<const PodView*>& pods,
                                             const json::Object* existing) {
  bool truncated = false;
  json::Object wanted =
      existing ? *existing : json::Object{{"apiVersion", "v1"}, {"kind", "Endpoints"}};
  wanted["subsets"] = subsets_of(view, listed(view, pods, truncated));
  json::Object& metadata = api::metadata_of(wanted);
  metadata["name"] = view.key.name;
  metadata["namespace"] = view.key.ns;
  metadata["labels"] = labels_for(service, view);
  api::set_owners(wanted, {api::controller_reference(service)});
  if (truncated)
    api::set_annotation(wanted, kOverCapacity, "truncated");
  else if (json::Object* all = wanted.at("metadata").get_object().if_contains("annotations")
                                   ? wanted.at("metadata").at("annotations").if_object()
                                   : nullptr)
    json::erase(*all, kOverCapacity);
  const bool same = existing && same_field(wanted, *existing, "subsets") &&
                    same_field(*api::metadata_of(std::as_const(wanted)),
                               *api::metadata_of(*existing), "labels") &&
                    same_field(*api::metadata_of(std::as_const(wanted)),
                               *api::metadata_of(*existing), "ownerReferences") &&
                    same_field(*api::metadata_of(std::as_const(wanted)),
                               *api::metadata_of(*existing), "annotations");
  if (same) return std::nullopt;
  return wanted;
}

}  // namespace slipway::runtime
