#include "server/pod_usage.h"

#include <fmt/format.h>

#include <map>

#include "api/selector.h"
#include "server/present.h"
#include "server/status.h"

namespace slipway::server {
namespace {

const api::Gvr kPods{"", "v1", "pods"};

std::string group_version() { return fmt::format("{}/{}", kUsageGroup, kUsageVersion); }

json::Object usage_json(const Usage& usage) {
  return {{"cpu", fmt::format("{}n", usage.cpu_nanocores)},
          {"memory", fmt::format("{}Ki", usage.memory_bytes / 1024)}};
}

std::string window_text(Duration window) {
  return format_duration(std::chrono::floor<std::chrono::milliseconds>(window));
}

json::Object pod_json(const json::Value& pod, const PodUsageSample& sample) {
  json::Object metadata{{"name", json::string_at(pod, {"metadata", "name"})},
                        {"namespace", json::string_at(pod, {"metadata", "namespace"})},
                        {"creationTimestamp", format_time(sample.at)}};
  if (const json::Value* labels = json::at(pod, {"metadata", "labels"}))
    metadata["labels"] = *labels;
  json::Array containers;
  for (const auto& [name, usage] : sample.containers)
    containers.push_back(json::Object{{"name", name}, {"usage", usage_json(usage)}});
  return {{"kind", "PodMetrics"},
          {"apiVersion", group_version()},
          {"metadata", std::move(metadata)},
          {"timestamp", format_time(sample.at)},
          {"window", window_text(sample.window)},
          {"containers", std::move(containers)}};
}

json::Object node_json(const NodeUsageSample& sample) {
  return {{"kind", "NodeMetrics"},
          {"apiVersion", group_version()},
          {"metadata",
           json::Object{{"name", sample.name}, {"creationTimestamp", format_time(sample.at)}}},
          {"timestamp", format_time(sample.at)},
          {"window", window_text(sample.window)},
          {"usage", usage_json(sample.usage)}};
}

http::Response list_response(std::string_view kind, json::Array items) {
  return json_response(200, json::write(json::Object{{"kind", kind},
                                                     {"apiVersion", group_version()},
                                                     {"metadata", json::Object()},
                                                     {"items", std::move(items)}}) +
                                "\n");
}

http::Response not_found(std::string_view resource, std::string_view name) {
  return failure({.code = ErrorCode::kNotFound,
                  .message = fmt::format("{}.{} \"{}\" not found", resource, kUsageGroup, name)});
}

http::Response nodes(const PodUsage& usage, const Route& route) {
  const auto sample = usage.node();
  const bool wanted = sample && (route.name.empty() || route.name == sample->name);
  if (!route.name.empty())
    return wanted ? json_response(200, json::write(node_json(*sample)) + "\n")
                  : not_found("nodes", route.name);
  json::Array items;
  if (wanted) items.push_back(node_json(*sample));
  return list_response("NodeMetricsList", std::move(items));
}

Task<http::Response> pods(const Services& services, const PodUsage& usage, http::Request request,
                          Route route) {
  store::ListOptions options{.ns = route.ns};
  if (const std::string* text = request.target.find("labelSelector")) {
    auto selector = api::parse_label_selector(*text);
    if (!selector) co_return failure(selector.error());
    options.labels = std::move(*selector);
  }
  auto page = co_await services.store.list(kPods, std::move(options));
  if (!page) co_return failure(page.error());
  std::map<std::string, PodUsageSample> samples;
  for (PodUsageSample& sample : usage.pods()) samples[sample.uid] = std::move(sample);
  json::Array items;
  for (const store::Item& item : page->items) {
    if (!route.name.empty() && item.key.name != route.name) continue;
    auto pod = decode_item(item);
    if (!pod) co_return failure(pod.error());
    const auto sample = samples.find(std::string(json::string_at(*pod, {"metadata", "uid"})));
    if (sample != samples.end()) items.push_back(pod_json(*pod, sample->second));
  }
  if (route.name.empty()) co_return list_response("PodMetricsList", std::move(items));
  if (items.empty()) co_return not_found("pods", fmt::format("{}/{}", route.ns, route.name));
  co_return json_response(200, json::write(items.front()) + "\n");
}

json::Array verbs() { return {"get", "list"}; }

}  // namespace

Task<http::Response> get_usage(const Services& services, const PodUsage& usage,
                               http::Request request, Route route) {
  const bool known = route.version == kUsageVersion && route.subresource.empty() &&
                     !route.too_deep && (route.resource == "pods" || route.resource == "nodes");
  if (!known) co_return unknown_path();
  if (request.method != "GET" || route.verb == Verb::kWatch)
    co_return failure(
        {.code = ErrorCode::kMethodNotAllowed,
         .message = "the server does not allow this method on the requested resource"});
  if (route.resource == "nodes") co_return nodes(usage, route);
  co_return co_await pods(services, usage, std::move(request), std::move(route));
}

json::Object usage_group() {
  const json::Object version{{"groupVersion", group_version()}, {"version", kUsageVersion}};
  return {{"name", kUsageGroup}, {"versions", json::Array{version}}, {"preferredVersion", version}};
}

json::Object usage_resource_list() {
  json::Array resources;
  for (const bool of_pods : {false, true})
    resources.push_back(json::Object{{"name", of_pods ? "pods" : "nodes"},
                                     {"singularName", ""},
                                     {"namespaced", of_pods},
                                     {"kind", of_pods ? "PodMetrics" : "NodeMetrics"},
                                     {"verbs", verbs()}});
  return {{"kind", "APIResourceList"},
          {"apiVersion", "v1"},
          {"groupVersion", group_version()},
          {"resources", std::move(resources)}};
}

json::Object usage_aggregated_group() {
  json::Array resources;
  for (const bool of_pods : {false, true})
    resources.push_back(json::Object{
        {"resource", of_pods ? "pods" : "nodes"},
        {"responseKind", json::Object{{"group", kUsageGroup},
                                      {"version", kUsageVersion},
                                      {"kind", of_pods ? "PodMetrics" : "NodeMetrics"}}},
        {"scope", of_pods ? "Namespaced" : "Cluster"},
        {"singularResource", ""},
        {"verbs", verbs()}});
  return {{"metadata", json::Object{{"name", kUsageGroup}, {"creationTimestamp", nullptr}}},
          {"versions", json::Array{json::Object{{"version", kUsageVersion},
                                                {"resources", std::move(resources)},
                                                {"freshness", "Current"}}}}};
}

}  // namespace slipway::server
