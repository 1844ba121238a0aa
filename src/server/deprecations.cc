#include "server/deprecations.h"

#include <fmt/format.h>

#include <optional>

#include "base/json.h"
#include "server/aggregated_discovery.h"
#include "server/write.h"
#include "store/decode.h"

namespace slipway::server {
namespace {

const api::Gvr kDefinitions{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};

bool flag_at(const json::Value& version, std::string_view field) {
  const json::Value* value = json::at(version, {field});
  return value && value->is_bool() && value->get_bool();
}

// A version to move to: served, not deprecated, and ranked before the one that is.
std::optional<std::string> successor(const json::Array& versions, std::string_view deprecated) {
  std::optional<std::string> best;
  for (const auto& version : versions) {
    std::string name(json::string_at(version, {"name"}));
    if (!flag_at(version, "served") || flag_at(version, "deprecated")) continue;
    if (rank_of(name) < rank_of(best ? *best : std::string(deprecated))) best = std::move(name);
  }
  return best;
}

}  // namespace

std::string deprecation_warning(const json::Object& definition, std::string_view version) {
  const json::Value* list = json::at(definition, {"spec", "versions"});
  if (!list || !list->is_array()) return {};
  for (const auto& one : list->get_array()) {
    if (json::string_at(one, {"name"}) != version || !flag_at(one, "deprecated")) continue;
    if (const auto* own = json::at(one, {"deprecationWarning"}); own && own->is_string())
      return std::string(own->get_string());
    const auto group = json::string_at(definition, {"spec", "group"});
    const auto kind = json::string_at(definition, {"spec", "names", "kind"});
    auto text = fmt::format("{}/{} {} is deprecated", group, version, kind);
    if (auto better = successor(list->get_array(), version))
      text += fmt::format("; use {}/{} {}", group, *better, kind);
    return text;
  }
  return {};
}

void warn_first(http::Response& response, const std::string& warning) {
  std::vector<std::string> others;
  for (const auto& [name, value] : response.headers.all())
    if (http::same_name(name, "Warning")) others.push_back(value);
  response.headers.remove("Warning");
  add_warnings(response, {warning});
  for (auto& other : others) response.headers.add("Warning", std::move(other));
}

Task<std::string> Deprecations::warning(std::shared_ptr<const api::Resource> resource) {
  if (!resource->custom) co_return std::string();
  const auto asked = registry_.version();
  if (asked != version_) warnings_.clear();
  version_ = asked;
  if (auto known = warnings_.find(resource->gvr()); known != warnings_.end())
    co_return known->second;
  auto item = co_await store_.get(
      kDefinitions, {"", fmt::format("{}.{}", resource->plural, resource->gvk.group)});
  if (!item) co_return std::string();
  auto definition = store::decode(*item);
  if (!definition) co_return std::string();
  auto text = deprecation_warning(*definition, resource->gvk.version);
  // Kinds that have changed meanwhile are read again.
  if (version_ == asked && registry_.version() == asked) warnings_[resource->gvr()] = text;
  co_return text;
}

}  // namespace slipway::server
