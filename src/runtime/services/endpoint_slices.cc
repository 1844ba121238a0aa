#include "runtime/services/endpoint_slices.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/object.h"
#include "api/rules/members.h"
#include "base/hash.h"
#include "runtime/node/addresses.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kHeadlessLabel = "service.kubernetes.io/headless";
constexpr std::size_t kSuffix = 10;
constexpr std::size_t kMaxServicePart = 200;  // of a slice's name

json::Array ports_for(const ServiceView& service, const PodView& pod) {
  json::Array ports;
  for (const ServicePort& port : service.ports) {
    const auto number = target_port(port, pod);
    if (!number) continue;
    json::Object one{{"name", port.name}, {"protocol", port.protocol}, {"port", *number}};
    if (!port.app_protocol.empty()) one["appProtocol"] = port.app_protocol;
    ports.push_back(std::move(one));
  }
  return ports;
}

// Equal for lists of ports that say the same, in whatever order their fields are.
std::string ports_key(const json::Value* ports) {
  if (!ports || !ports->is_array() || ports->get_array().empty()) return {};
  return json::write(*ports, {.sort_keys = true});
}

json::Object endpoint_for(const ServiceView& service, const PodView& pod) {
  json::Object endpoint{{"addresses", json::Array{json::Value(pod.ip)}},
                        {"conditions", json::Object{{"ready", service.publish_not_ready ||
                                                                  (pod.ready && !pod.deleting)},
                                                    {"serving", pod.ready},
                                                    {"terminating", pod.deleting}}}};
  if (!pod.hostname.empty() && pod.subdomain == service.key.name)
    endpoint["hostname"] = pod.hostname;
  endpoint["targetRef"] = json::Object{
      {"kind", "Pod"}, {"namespace", pod.key.ns}, {"name", pod.key.name}, {"uid", pod.uid}};
  if (!pod.node.empty()) endpoint["nodeName"] = pod.node;
  return endpoint;
}

json::Object labels_for(const json::Object& service, const ServiceView& view) {
  json::Object labels;
  for (const auto& [key, value] : api::labels_of(service)) labels[key] = value;
  json::erase(labels, kHeadlessLabel);
  if (view.is_headless()) labels[kHeadlessLabel] = "";
  labels[kServiceNameLabel] = view.key.name;
  labels[kManagedByLabel] = kSliceManager;
  return labels;
}

// What Go shows of a list that is empty.
json::Value list_of(json::Array list) {
  return list.empty() ? json::Value(nullptr) : json::Value(std::move(list));
}

using Endpoints = std::map<std::string, json::Object>;  // by the uid of the Pod

// All endpoints that share a list of ports.
struct Group {
  json::Array ports = {};
  Endpoints endpoints = {};
};

std::map<std::string, Group> group(const ServiceView& service,
                                   const std::vector<const PodView*>& pods) {
  std::map<std::string, Group> groups;
  for (const PodView* pod : pods) {
    if (!is_endpoint(*pod)) continue;
    json::Array ports = ports_for(service, *pod);
    const json::Value as_value = ports;
    Group& into = groups[ports_key(&as_value)];
    into.ports = std::move(ports);
    into.endpoints.emplace(pod->uid, endpoint_for(service, *pod));
  }
  if (groups.empty()) groups[""];
  return groups;
}

std::vector<std::string> uids_in(const json::Object& slice) {
  std::vector<std::string> uids;
  if (const json::Array* endpoints = api::array_in(slice, "endpoints"))
    for (const json::Value& endpoint : *endpoints)
      uids.emplace_back(json::string_at(endpoint, {"targetRef", "uid"}));
  return uids;
}

// Packs the endpoints of one group into its slices.
class Packing {
 public:
  Packing(const ServiceView& service, const api::OwnerReference& owner, const json::Object& labels,
          std::string ports, Group group)
      : service_(service),
        owner_(owner),
        labels_(labels),
        ports_(std::move(ports)),
        group_(std::move(group)) {}

  void pack(std::vector<const json::Object*> slices, bool keep_empty, SlicePlan& plan) {
    drop_sparse(slices, plan);
    std::vector<json::Array> contents = keep_in_place(slices);
    for (json::Array& content : contents) fill(content);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (contents[i].empty() && !(keep_empty && i == 0))
        plan.remove.push_back(*slices[i]);
      else if (!is_as_it_should_be(*slices[i], contents[i]))
        plan.update.push_back(changed(*slices[i], std::move(contents[i])));
    }
    if (slices.empty() && keep_empty) plan.create.push_back(made(0, {}));
    std::set<std::string> names;
    for (const json::Object* slice : slices) names.emplace(api::name_of(*slice));
    for (std::size_t ordinal = 0; !group_.endpoints.empty(); ++ordinal) {
      if (names.contains(slice_name(service_, ports_, ordinal))) continue;
      json::Array content;
      fill(content);
      plan.create.push_back(made(ordinal, std::move(content)));
    }
  }

 private:
  // After many Pods went: the emptiest slices go, too, while half of the others would do.
  void drop_sparse(std::vector<const json::Object*>& slices, SlicePlan& plan) const {
    std::ranges::sort(slices, [](const json::Object* a, const json::Object* b) {
      const auto full = [](const json::Object* slice) { return uids_in(*slice).size(); };
      if (full(a) != full(b)) return full(a) > full(b);
      return api::name_of(*a) < api::name_of(*b);
    });
    while (slices.size() > 1 &&
           group_.endpoints.size() * 2 <= (slices.size() - 1) * kMaxEndpointsPerSlice) {
      plan.remove.push_back(*slices.back());
      slices.pop_back();
    }
  }

  std::vector<json::Array> keep_in_place(const std::vector<const json::Object*>& slices) {
    std::vector<json::Array> contents;
    for (const json::Object* slice : slices) {
      json::Array& content = contents.emplace_back();
      for (const std::string& uid : uids_in(*slice))
        if (auto found = group_.endpoints.extract(uid); !found.empty())
          content.push_back(std::move(found.mapped()));
    }
    return contents;
  }

  void fill(json::Array& content) {
    while (content.size() < kMaxEndpointsPerSlice && !group_.endpoints.empty()) {
      auto next = group_.endpoints.extract(group_.endpoints.begin());
      content.push_back(std::move(next.mapped()));
    }
  }

  bool is_as_it_should_be(const json::Object& slice, const json::Array& content) const {
    const json::Object* metadata = api::metadata_of(slice);
    const json::Object* labels = api::object_in(*metadata, "labels");
    static const json::Array kNone;
    const json::Array* endpoints = api::array_in(slice, "endpoints");
    return labels && json::same(*labels, labels_) &&
           json::same(endpoints ? *endpoints : kNone, content);
  }

  json::Object changed(const json::Object& slice, json::Array content) const {
    json::Object now = slice;
    api::metadata_of(now)["labels"] = labels_;
    now["endpoints"] = list_of(std::move(content));
    return now;
  }

  json::Object made(std::size_t ordinal, json::Array content) const {
    json::Object slice{{"apiVersion", "discovery.k8s.io/v1"}, {"kind", "EndpointSlice"}};
    json::Object& metadata = api::metadata_of(slice);
    metadata["name"] = slice_name(service_, ports_, ordinal);
    metadata["namespace"] = service_.key.ns;
    metadata["labels"] = labels_;
    api::set_owners(slice, {owner_});
    slice["addressType"] = "IPv4";
    slice["endpoints"] = list_of(std::move(content));
    slice["ports"] = list_of(group_.ports);
    return slice;
  }

  const ServiceView& service_;
  const api::OwnerReference& owner_;
  const json::Object& labels_;
  std::string ports_;
  Group group_;
};

}  // namespace

std::string slice_name(const ServiceView& service, const std::string& ports, std::size_t ordinal) {
  std::uint64_t hash = fnv1a64(service.uid + "/" + ports + "/" + std::to_string(ordinal));
  std::string name = service.key.name.substr(0, kMaxServicePart) + "-";
  for (std::size_t i = 0; i < kSuffix; ++i, hash /= kSafeAlphabet.size())
    name += kSafeAlphabet[hash % kSafeAlphabet.size()];
  return name;
}

bool is_endpoint(const PodView& pod) { return parse_address(pod.ip) && !pod.is_over(); }

SlicePlan decide_slices(const json::Object& service, const ServiceView& view,
                        const std::vector<const PodView*>& pods,
                        const std::vector<json::Object>& existing) {
  SlicePlan plan;
  auto groups = group(view, pods);
  const api::OwnerReference owner = api::controller_reference(service);
  const json::Object labels = labels_for(service, view);
  std::map<std::string, std::vector<const json::Object*>> slices;
  for (const json::Object& slice : existing) {
    const std::string key = ports_key(slice.if_contains("ports"));
    if (groups.contains(key) && api::text_in(slice, "addressType") == "IPv4")
      slices[key].push_back(&slice);
    else
      plan.remove.push_back(slice);
  }
  const bool keep_empty = groups.size() == 1 && groups.begin()->second.endpoints.empty();
  for (auto& [key, members] : groups)
    Packing(view, owner, labels, key, std::move(members)).pack(slices[key], keep_empty, plan);
  return plan;
}

}  // namespace slipway::runtime
