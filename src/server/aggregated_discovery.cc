#include "server/aggregated_discovery.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/json.h"
#include "server/discovery.h"
#include "server/media.h"
#include "server/pod_usage.h"

namespace slipway::server {

std::tuple<int, int, int, std::string> rank_of(const std::string& version) {
  auto number = [](std::string_view text, int& value) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? text.substr(static_cast<std::size_t>(end - text.data()))
                                : std::string_view("?");
  };
  int major = 0;
  int minor = 0;
  if (version.starts_with('v')) {
    auto rest = number(std::string_view(version).substr(1), major);
    if (rest.empty()) return {0, -major, 0, version};
    if (rest.starts_with("beta") && number(rest.substr(4), minor).empty())
      return {1, -major, -minor, version};
    if (rest.starts_with("alpha") && number(rest.substr(5), minor).empty())
      return {2, -major, -minor, version};
  }
  return {3, 0, 0, version};
}

namespace {

json::Object gvk_object(const api::Gvk& gvk) {
  return {{"group", gvk.group}, {"version", gvk.version}, {"kind", gvk.kind}};
}

json::Array strings(const std::vector<std::string>& texts) {
  json::Array array;
  for (const auto& text : texts) array.push_back(json::Value(text));
  return array;
}

json::Object resource_entry(const api::Resource& resource) {
  json::Object entry{{"resource", resource.plural},
                     {"responseKind", gvk_object(resource.gvk)},
                     {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
                     {"singularResource", resource.singular},
                     {"verbs", strings(verbs_of(resource))}};
  if (!resource.short_names.empty()) entry["shortNames"] = strings(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = strings(resource.categories);
  json::Array parts;
  for (const auto& part : subresources_of(resource))
    parts.push_back(json::Object{{"subresource", part.name},
                                 {"responseKind", gvk_object(part.gvk)},
                                 {"verbs", strings(part.verbs)}});
  if (!parts.empty()) entry["subresources"] = std::move(parts);
  return entry;
}

json::Object version_entry(const api::Registry& registry, const std::string& group,
                           const std::string& version) {
  json::Array resources;
  for (const auto& resource : registry.all())
    if (resource->gvk.group == group && resource->gvk.version == version)
      resources.push_back(resource_entry(*resource));
  return {{"version", version}, {"resources", std::move(resources)}, {"freshness", "Current"}};
}

}  // namespace

std::vector<std::pair<std::string, std::vector<std::string>>> served_groups(
    const api::Registry& registry) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& resource : registry.all()) {
    auto& versions = groups[resource->gvk.group];
    if (std::ranges::find(versions, resource->gvk.version) == versions.end())
      versions.push_back(resource->gvk.version);
  }
  for (auto& [group, versions] : groups) std::ranges::sort(versions, {}, rank_of);
  return {groups.begin(), groups.end()};
}

std::optional<std::string> wants_aggregated(std::string_view accept) {
  for (const auto& media : parse_accept(accept)) {
    if (media.quality == 0 || media.type != "application/json") continue;
    if (media.parameter("as").empty()) return std::nullopt;  // plain JSON is preferred
    if (media.parameter("as") != "APIGroupDiscoveryList" ||
        media.parameter("g") != "apidiscovery.k8s.io")
      continue;
    auto version = media.parameter("v");
    if (version == "v2" || version == "v2beta1") return std::string(version);
  }
  return std::nullopt;
}

std::string aggregated_discovery(const api::Registry& registry, bool core, std::string_view version,
                                 bool usage) {
  json::Array items;
  for (const auto& [group, versions] : served_groups(registry)) {
    if (group.empty() != core) continue;
    json::Array entries;
    for (const auto& each : versions) entries.push_back(version_entry(registry, group, each));
    json::Object metadata;
    if (!group.empty()) metadata["name"] = group;
    metadata["creationTimestamp"] = nullptr;
    items.push_back(
        json::Object{{"metadata", std::move(metadata)}, {"versions", std::move(entries)}});
  }
  if (usage) items.push_back(usage_aggregated_group());
  return json::write(json::Object{{"kind", "APIGroupDiscoveryList"},
                                  {"apiVersion", "apidiscovery.k8s.io/" + std::string(version)},
                                  {"metadata", json::Object()},
                                  {"items", std::move(items)}}) +
         "\n";
}

}  // namespace slipway::server
