#include "runtime/services/mirror.h"

#include <map>

#include "api/object.h"
#include "api/rules/members.h"
#include "runtime/services/endpoints.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kSkipLabel = "endpointslice.kubernetes.io/skip-mirror";
constexpr std::string_view kLeaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

std::string_view label_in(const json::Object& object, std::string_view label) {
  return json::string_at(object, {"metadata", "labels", label});
}

bool is_mirrored(const json::Object& endpoints) {
  return !api::is_deleting(endpoints) && label_in(endpoints, kSkipLabel) != "true" &&
         label_in(endpoints, kEndpointsManagerLabel).empty() &&
         api::annotation_of(endpoints, kLeaderAnnotation).empty();
}

json::Array ports_of(const json::Object& subset) {
  json::Array ports;
  const json::Array* given = api::array_in(subset, "ports");
  if (!given) return ports;
  for (const json::Value& one : *given) {
    if (!one.is_object()) continue;
    const json::Object& port = one.get_object();
    json::Object made{{"name", api::text_in(port, "name")},
                      {"protocol", api::text_in(port, "protocol")}};
    if (const json::Value* number = port.if_contains("port")) made["port"] = *number;
    if (const auto app = api::text_in(port, "appProtocol"); !app.empty()) made["appProtocol"] = app;
    ports.push_back(std::move(made));
  }
  return ports;
}

json::Object endpoint_of(const json::Object& address, bool ready) {
  json::Object endpoint{{"addresses", json::Array{json::Value(api::text_in(address, "ip"))}},
                        {"conditions", json::Object{{"ready", ready}}}};
  for (const std::string_view field : {"hostname", "nodeName", "targetRef"})
    if (const json::Value* value = address.if_contains(field)) endpoint[field] = *value;
  return endpoint;
}

struct Slice {
  std::string type = {};  // IPv4 or IPv6
  json::Array ports = {};
  json::Array endpoints = {};
};

// By name.
std::map<std::string, Slice> slices_for(const ServiceView& view, const json::Object& endpoints) {
  std::map<std::string, Slice> slices;
  const json::Array* subsets = api::array_in(endpoints, "subsets");
  if (!subsets) return slices;
  for (const json::Value& one : *subsets) {
    if (!one.is_object()) continue;
    const json::Object& subset = one.get_object();
    const json::Array ports = ports_of(subset);
    for (const bool ready : {true, false}) {
      const json::Array* list = api::array_in(subset, ready ? "addresses" : "notReadyAddresses");
      for (std::size_t i = 0; list && i < list->size(); ++i) {
        if (!(*list)[i].is_object()) continue;
        const json::Object& address = (*list)[i].get_object();
        const bool six = api::text_in(address, "ip").contains(':');
        const std::string type = six ? "IPv6" : "IPv4";
        Slice& slice = slices[slice_name(view, "mirror/" + type + json::write(ports), 0)];
        slice.type = type;
        slice.ports = ports;
        if (slice.endpoints.size() < kMaxMirrored)
          slice.endpoints.push_back(endpoint_of(address, ready));
      }
    }
  }
  return slices;
}

json::Object labels_for(const json::Object& endpoints, const ServiceView& view) {
  json::Object labels;
  for (const auto& [key, value] : api::labels_of(endpoints)) labels[key] = value;
  labels[kServiceNameLabel] = view.key.name;
  labels[kManagedByLabel] = kMirrorManager;
  return labels;
}

bool says(const json::Object& slice, const Slice& wanted, const json::Object& labels) {
  const json::Object* own = api::object_in(*api::metadata_of(slice), "labels");
  const json::Array* endpoints = api::array_in(slice, "endpoints");
  const json::Array* ports = api::array_in(slice, "ports");
  return own && json::same(*own, labels) && endpoints && json::same(*endpoints, wanted.endpoints) &&
         json::same(ports ? *ports : json::Array(), wanted.ports);
}

}  // namespace

SlicePlan decide_mirror(const json::Object& service, const ServiceView& view,
                        const json::Object* endpoints, const std::vector<json::Object>& existing) {
  SlicePlan plan;
  std::map<std::string, Slice> wanted;
  json::Object labels;
  if (endpoints && is_mirrored(*endpoints)) {
    wanted = slices_for(view, *endpoints);
    labels = labels_for(*endpoints, view);
  }
  for (const json::Object& slice : existing) {
    const auto found = wanted.find(std::string(api::name_of(slice)));
    if (found == wanted.end()) {
      plan.remove.push_back(slice);
      continue;
    }
    if (!says(slice, found->second, labels)) {
      json::Object& now = plan.update.emplace_back(slice);
      api::metadata_of(now)["labels"] = labels;
      now["endpoints"] = std::move(found->second.endpoints);
      now["ports"] = std::move(found->second.ports);
    }
    wanted.erase(found);
  }
  for (auto& [name, slice] : wanted) {
    json::Object& made = plan.create.emplace_back(
        json::Object{{"apiVersion", "discovery.k8s.io/v1"}, {"kind", "EndpointSlice"}});
    json::Object& metadata = api::metadata_of(made);
    metadata["name"] = name;
    metadata["namespace"] = view.key.ns;
    metadata["labels"] = labels;
    api::set_owners(made, {api::controller_reference(service)});
    made["addressType"] = slice.type;
    made["endpoints"] = std::move(slice.endpoints);
    if (!slice.ports.empty()) made["ports"] = std::move(slice.ports);
  }
  return plan;
}

}  // namespace slipway::runtime
