#include "server/pod_usage.h"

#include <fmt/format.h>

#include <map>

#include "api/selector.h"
#include "server/media.h"
#include "server/present.h"
#include "server/read_options.h"
#include "server/status.h"

namespace slipway::server {
namespace {

const api::Gvr kPods{"", "v1", "pods"};

std::string group_version() { return fmt::format("{}/{}", kUsageGroup, kUsageVersion); }

// What is told of a Pod or a node.
struct Shown {
  json::Value document = {};
  Usage usage = {};
};

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

// Of all containers of a Pod together.
Usage usage_of(const PodUsageSample& sample) {
  Usage all;
  for (const auto& [name, usage] : sample.containers) {
    all.cpu_nanocores += usage.cpu_nanocores;
    all.memory_bytes += usage.memory_bytes;
  }
  return all;
}

// As metrics-server prints them.
json::Array columns() {
  const auto column = [](std::string_view name, std::string_view format) {
    return json::Object{{"name", name},
                        {"type", "string"},
                        {"format", format},
                        {"description", ""},
                        {"priority", 0}};
  };
  return {column("Name", "name"), column("cpu", "quantity"), column("memory", "quantity"),
          column("Window", "duration")};
}

json::Object row(const Shown& shown, std::string_view meta_version) {
  const json::Value& metadata = shown.document.at("metadata");
  const json::Object used = usage_json(shown.usage);
  return {{"cells", json::Array{metadata.at("name"), used.at("cpu"), used.at("memory"),
                                shown.document.at("window")}},
          {"object", json::Object{{"kind", "PartialObjectMetadata"},
                                  {"apiVersion", fmt::format("meta.k8s.io/{}", meta_version)},
                                  {"metadata", metadata}}}};
}

http::Response table_response(const std::vector<Shown>& all, std::string_view meta_version) {
  json::Array rows;
  for (const Shown& shown : all) rows.push_back(row(shown, meta_version));
  return json_response(
      200, json::write(json::Object{{"kind", "Table"},
                                    {"apiVersion", fmt::format("meta.k8s.io/{}", meta_version)},
                                    {"metadata", json::Object()},
                                    {"columnDefinitions", columns()},
                                    {"rows", std::move(rows)}}) +
               "\n");
}

http::Response list_response(std::string_view kind, std::vector<Shown> all) {
  json::Array items;
  for (Shown& shown : all) items.push_back(std::move(shown.document));
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

std::vector<Shown> nodes(const PodUsage& usage, const Route& route) {
  const auto sample = usage.node();
  if (!sample || (!route.name.empty() && route.name != sample->name)) return {};
  return {{.document = node_json(*sample), .usage = sample->usage}};
}

// Measurements have no fields of their own to be chosen by.
Result<> check_field_labels(const api::FieldSelector& selector) {
  for (const auto& [path, equal, value] : selector.requirements)
    if (path != "metadata.name" && path != "metadata.namespace")
      return fail(ErrorCode::kBadRequest,
                  fmt::format("\"{}\" is not a known field selector: only \"metadata.name\", "
                              "\"metadata.namespace\"",
                              path));
  return {};
}

Result<store::ListOptions> list_options(const http::Request& request, const Route& route) {
  store::ListOptions options{.ns = route.ns};
  if (const std::string* text = request.target.find("labelSelector")) {
    auto selector = api::parse_label_selector(*text);
    if (!selector) return std::unexpected(selector.error());
    options.labels = std::move(*selector);
  }
  if (const std::string* text = request.target.find("fieldSelector")) {
    auto selector = api::parse_field_selector(*text);
    if (!selector) return fail(ErrorCode::kBadRequest, selector.error().text());
    SLIPWAY_TRY(check_field_labels(*selector));
    options.fields = std::move(*selector);
  }
  SLIPWAY_TRY(check_selector_terms(options.labels.requirements.size() +
                                   options.fields.requirements.size()));
  return options;
}

Task<Result<std::vector<Shown>>> pods(const Services& services, const PodUsage& usage,
                                      http::Request request, Route route) {
  auto options = list_options(request, route);
  if (!options) co_return std::unexpected(options.error());
  auto page = co_await services.store.list(kPods, std::move(*options));
  if (!page) co_return std::unexpected(page.error());
  std::map<std::string, PodUsageSample> samples;
  for (PodUsageSample& sample : usage.pods()) samples[sample.uid] = std::move(sample);
  std::vector<Shown> found;
  for (const store::Item& item : page->items) {
    if (!route.name.empty() && item.key.name != route.name) continue;
    auto pod = decode_item(item);
    if (!pod) co_return std::unexpected(pod.error());
    const auto sample = samples.find(std::string(json::string_at(*pod, {"metadata", "uid"})));
    if (sample != samples.end())
      found.push_back(
          {.document = pod_json(*pod, sample->second), .usage = usage_of(sample->second)});
  }
  co_return found;
}

http::Response present(std::vector<Shown> found, const Route& route, const Accepted& accepted) {
  const bool of_pods = route.resource == "pods";
  if (!route.name.empty() && found.empty())
    return of_pods ? not_found("pods", fmt::format("{}/{}", route.ns, route.name))
                   : not_found("nodes", route.name);
  if (accepted.form == Accepted::Form::kTable) return table_response(found, accepted.meta_version);
  if (!route.name.empty()) return json_response(200, json::write(found.front().document) + "\n");
  return list_response(of_pods ? "PodMetricsList" : "NodeMetricsList", std::move(found));
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
  const Accepted accepted = negotiate(request.headers.get("Accept")).value_or(Accepted());
  if (route.resource == "nodes") co_return present(nodes(usage, route), route, accepted);
  auto found = co_await pods(services, usage, std::move(request), route);
  co_return found ? present(std::move(*found), route, accepted) : failure(found.error());
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
