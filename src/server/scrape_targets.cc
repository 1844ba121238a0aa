#include "server/scrape_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/selector.h"
#include "server/present.h"
#include "server/read_options.h"
#include "server/status.h"

namespace slipway::server {
namespace {

const api::Gvr kPods{"", "v1", "pods"};

// As Prometheus names labels: letters, digits and underscores.
std::string label_name(std::string_view name) {
  std::string clean(name);
  std::ranges::replace_if(clean, [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  return clean;
}

json::Object labels_of_pod(const json::Value& pod) {
  const auto text = [&](json::Path path) { return json::string_at(pod, path); };
  json::Object labels{{"__meta_kubernetes_namespace", text({"metadata", "namespace"})},
                      {"__meta_kubernetes_pod_name", text({"metadata", "name"})},
                      {"__meta_kubernetes_pod_uid", text({"metadata", "uid"})},
                      {"__meta_kubernetes_pod_ip", text({"status", "podIP"})},
                      {"__meta_kubernetes_pod_phase", text({"status", "phase"})},
                      {"__meta_kubernetes_pod_node_name", text({"spec", "nodeName"})}};
  for (const auto& [part, name] :
       {std::pair{"labels", "label"}, std::pair{"annotations", "annotation"}}) {
    const json::Value* map = json::at(pod, {"metadata", part});
    if (!map || !map->is_object()) continue;
    for (const auto& [key, value] : map->get_object()) {
      if (!value.is_string()) continue;
      const std::string clean = label_name(key);
      labels[fmt::format("__meta_kubernetes_pod_{}_{}", name, clean)] = value;
      labels[fmt::format("__meta_kubernetes_pod_{}present_{}", name, clean)] = "true";
    }
  }
  if (const auto owner = api::controller_of(pod.get_object())) {
    labels["__meta_kubernetes_pod_controller_kind"] = owner->kind;
    labels["__meta_kubernetes_pod_controller_name"] = owner->name;
  }
  const json::Value* conditions = json::at(pod, {"status", "conditions"});
  if (conditions && conditions->is_array())
    for (const json::Value& condition : conditions->get_array())
      if (json::string_at(condition, {"type"}) == "Ready")
        labels["__meta_kubernetes_pod_ready"] =
            json::string_at(condition, {"status"}) == "True" ? "true" : "false";
  return labels;
}

const json::Array& list_at(const json::Value& value, std::string_view name) {
  static const json::Array kNone;
  const json::Value* found = json::at(value, {name});
  return found && found->is_array() ? found->get_array() : kNone;
}

}  // namespace

json::Array scrape_targets(const json::Value& pod) {
  json::Array groups;
  const std::string_view address = json::string_at(pod, {"status", "podIP"});
  const json::Value* spec = json::at(pod, {"spec"});
  if (address.empty() || !spec) return groups;
  const json::Object labels = labels_of_pod(pod);
  for (const json::Value& container : list_at(*spec, "containers"))
    for (const json::Value& port : list_at(container, "ports")) {
      const json::Value* number = json::at(port, {"containerPort"});
      if (!number) continue;
      json::Object group_labels = labels;
      group_labels["__meta_kubernetes_pod_container_name"] = json::string_at(container, {"name"});
      group_labels["__meta_kubernetes_pod_container_port_name"] = json::string_at(port, {"name"});
      group_labels["__meta_kubernetes_pod_container_port_number"] = json::write(*number);
      groups.push_back(json::Object{
          {"targets", json::Array{fmt::format("{}:{}", address, json::write(*number))}},
          {"labels", std::move(group_labels)}});
    }
  return groups;
}

Task<http::Response> get_scrape_targets(const Services& services, http::Request request) {
  store::ListOptions options;
  if (const std::string* ns = request.target.find("namespace")) options.ns = *ns;
  if (const std::string* text = request.target.find("labelSelector")) {
    auto selector = api::parse_label_selector(*text);
    if (!selector) co_return failure(selector.error());
    if (auto checked = check_selector_terms(selector->requirements.size()); !checked)
      co_return failure(checked.error());
    options.labels = std::move(*selector);
  }
  auto page = co_await services.store.list(kPods, std::move(options));
  if (!page) co_return failure(page.error());
  json::Array all;
  for (const store::Item& item : page->items) {
    auto pod = decode_item(item);
    if (!pod) co_return failure(pod.error());
    for (json::Value& group : scrape_targets(*pod)) all.push_back(std::move(group));
  }
  co_return json_response(200, json::write(all) + "\n");
}

}  // namespace slipway::server
