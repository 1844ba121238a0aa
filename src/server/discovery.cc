#include "server/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "server/aggregated_discovery.h"
#include "server/pod_usage.h"
#include "server/status.h"

namespace slipway::server {
namespace {

json::Array strings(const std::vector<std::string>& texts) {
  json::Array array;
  for (const auto& text : texts) array.push_back(json::Value(text));
  return array;
}

json::Object resource_entry(const api::Resource& resource) {
  json::Object entry{{"name", resource.plural},
                     {"singularName", resource.singular},
                     {"namespaced", resource.namespaced},
                     {"kind", resource.gvk.kind},
                     {"verbs", strings(verbs_of(resource))}};
  if (!resource.short_names.empty()) entry["shortNames"] = strings(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = strings(resource.categories);
  return entry;
}

json::Object subresource_entry(const api::Resource& resource, const Subresource& part) {
  json::Object entry{{"name", resource.plural + "/" + part.name},
                     {"singularName", ""},
                     {"namespaced", resource.namespaced}};
  if (part.gvk != resource.gvk) {
    entry["group"] = part.gvk.group;
    entry["version"] = part.gvk.version;
  }
  entry["kind"] = part.gvk.kind;
  entry["verbs"] = strings(part.verbs);
  return entry;
}

std::optional<std::string> resource_list(const api::Registry& registry, std::string_view group,
                                         std::string_view version) {
  json::Array resources;
  for (const auto& resource : registry.all()) {
    if (resource->gvk.group != group || resource->gvk.version != version) continue;
    resources.push_back(resource_entry(*resource));
    for (const auto& part : subresources_of(*resource))
      resources.push_back(subresource_entry(*resource, part));
  }
  if (resources.empty()) return std::nullopt;
  std::string api_version =
      group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
  json::Object list{{"kind", "APIResourceList"}, {"groupVersion", api_version}};
  if (!group.empty()) list["apiVersion"] = "v1";
  list["resources"] = std::move(resources);
  return json::write(list) + "\n";
}

json::Object group_entry(const std::string& group, const std::vector<std::string>& versions) {
  json::Array entries;
  for (const auto& version : versions)
    entries.push_back(json::Object{{"groupVersion", group + "/" + version}, {"version", version}});
  json::Value preferred = entries.front();
  return {{"name", group}, {"versions", std::move(entries)}, {"preferredVersion", preferred}};
}

std::string group_list(const api::Registry& registry, bool usage) {
  json::Array groups;
  for (const auto& [group, versions] : served_groups(registry))
    if (!group.empty()) groups.push_back(group_entry(group, versions));
  if (usage) groups.push_back(usage_group());
  return json::write(json::Object{
             {"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}}) +
         "\n";
}

std::optional<std::string> one_group(const api::Registry& registry, const std::string& name) {
  for (const auto& [group, versions] : served_groups(registry)) {
    if (group != name || group.empty()) continue;
    json::Object object{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
    for (auto& member : group_entry(group, versions)) object[member.key()] = member.value();
    return json::write(object) + "\n";
  }
  return std::nullopt;
}

std::string api_versions(const http::Request& request) {
  json::Object address{{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", request.headers.get("Host")}};
  return json::write(json::Object{{"kind", "APIVersions"},
                                  {"versions", json::Array{"v1"}},
                                  {"serverAddressByClientCIDRs", json::Array{address}}}) +
         "\n";
}

std::optional<http::Response> aggregated(const api::Registry& registry,
                                         const http::Request& request, bool core, bool usage) {
  auto version = wants_aggregated(request.headers.get("Accept"));
  if (!version) return std::nullopt;
  auto body = aggregated_discovery(registry, core, *version, usage && !core);
  auto etag = fmt::format("\"{:016X}\"", fnv1a64(body));
  http::Response response;
  response.headers.set("ETag", etag);
  response.headers.set("Vary", "Accept");
  if (request.headers.get("If-None-Match") == etag) {
    response.status = 304;
    return response;
  }
  response.headers.set("Content-Type", fmt::format("application/json;g=apidiscovery.k8s.io;v={};as="
                                                   "APIGroupDiscoveryList",
                                                   *version));
  response.body = std::move(body);
  return response;
}

}  // namespace

std::vector<std::string> verbs_of(const api::Resource& resource) {
  if (!resource.stored) return {"create"};
  if (!resource.native)
    return {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};
  if (resource.gvk.group.empty() && resource.gvk.kind == "Namespace")
    return {"create", "delete", "get", "list", "patch", "update", "watch"};
  return {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
}

std::vector<Subresource> subresources_of(const api::Resource& resource) {
  std::vector<Subresource> parts;
  if (resource.gvk.group.empty() && resource.gvk.kind == "Namespace")
    parts.push_back({"finalize", resource.gvk, {"update"}});
  if (resource.gvk.group.empty() && resource.gvk.kind == "Pod") {
    parts.push_back({"binding", {"", "v1", "Binding"}, {"create"}});
    parts.push_back({"eviction", {"policy", "v1", "Eviction"}, {"create"}});
    parts.push_back({"log", resource.gvk, {"get"}});
  }
  if (resource.scale)
    parts.push_back({"scale", {"autoscaling", "v1", "Scale"}, {"get", "patch", "update"}});
  if (resource.status_subresource)
    parts.push_back({"status", resource.gvk, {"get", "patch", "update"}});
  if (!resource.native) std::ranges::reverse(parts);  // the order kube-apiserver has for CRDs
  return parts;
}

// Of metrics.k8s.io, which has no objects of its own.
static std::optional<std::string> usage_page(std::string_view path) {
  const std::string group = fmt::format("/apis/{}", kUsageGroup);
  if (path == fmt::format("{}/{}", group, kUsageVersion))
    return json::write(usage_resource_list()) + "\n";
  if (path != group) return std::nullopt;
  json::Object object{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  for (auto& member : usage_group()) object[member.key()] = member.value();
  return json::write(object) + "\n";
}

std::optional<http::Response> discovery(const api::Registry& registry, const http::Request& request,
                                        bool usage) {
  std::string_view path = request.target.path;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/api" || path == "/apis") {
    bool core = path == "/api";
    if (auto response = aggregated(registry, request, core, usage)) return response;
    return json_response(200, core ? api_versions(request) : group_list(registry, usage));
  }
  if (usage)
    if (auto page = usage_page(path)) return json_response(200, std::move(*page));
  std::optional<std::string> body;
  if (path.starts_with("/api/") && path.find('/', 5) == std::string_view::npos) {
    body = resource_list(registry, "", path.substr(5));
  } else if (path.starts_with("/apis/")) {
    auto rest = path.substr(6);
    auto slash = rest.find('/');
    if (slash == std::string_view::npos) {
      body = one_group(registry, std::string(rest));
    } else if (rest.find('/', slash + 1) == std::string_view::npos) {
      body = resource_list(registry, rest.substr(0, slash), rest.substr(slash + 1));
    } else {
      return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  return body ? json_response(200, std::move(*body)) : unknown_path();
}

}  // namespace slipway::server
