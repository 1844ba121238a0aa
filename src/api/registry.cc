#include "api/registry.h"

#include <algorithm>

#include "api/kinds/builtin_kinds.h"
#include "api/kinds/own_kinds.h"
#include "api/schema/builtin_table.h"
#include "api/schema/crd_schema.h"
#include "base/text.h"

namespace slipway::api {

namespace {

using text::lower;

bool answers_to(const Resource& resource, std::string_view word) {
  return resource.plural == word || resource.singular == word || lower(resource.gvk.kind) == word ||
         std::ranges::find(resource.short_names, word) != resource.short_names.end();
}

// The rest of "deployments.apps" or "deployments.v1.apps" after the first dot.
bool in_group(const Resource& resource, std::string_view rest) {
  if (rest == resource.gvk.group) return true;
  const std::string& version = resource.gvk.version;
  if (rest == version) return resource.gvk.group.empty();
  return rest.starts_with(version + ".") && rest.substr(version.size() + 1) == resource.gvk.group;
}

}  // namespace

Gvk parse_gvk(std::string_view api_version, std::string_view kind) {
  std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version), std::string(kind)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1)),
          std::string(kind)};
}

Registry::Registry() : schemas_(std::make_shared<SchemaSet>()) {}

std::unique_ptr<Registry> Registry::make() {
  std::unique_ptr<Registry> registry(new Registry);
  auto kinds = read_table(builtin_table(), *registry->schemas_);
  SLIPWAY_ASSERT(kinds.has_value());
  for (Resource& resource : builtin_kinds(*kinds)) registry->put(std::move(resource));
  for (Resource& resource : own_kinds(*registry->schemas_)) registry->put(std::move(resource));
  auto sealed = registry->schemas_->seal();
  SLIPWAY_ASSERT(sealed.has_value());
  return registry;
}

void Registry::put(Resource resource) {
  Gvr gvr = resource.gvr();
  Gvk gvk = resource.gvk;
  auto shared = std::make_shared<const Resource>(std::move(resource));
  by_gvr_[std::move(gvr)] = shared;
  by_gvk_[std::move(gvk)] = std::move(shared);
}

std::shared_ptr<const Resource> Registry::find(const Gvr& gvr) const {
  auto found = by_gvr_.find(gvr);
  return found == by_gvr_.end() ? nullptr : found->second;
}

std::shared_ptr<const Resource> Registry::find(const Gvk& gvk) const {
  auto found = by_gvk_.find(gvk);
  return found == by_gvk_.end() ? nullptr : found->second;
}

std::shared_ptr<const Resource> Registry::find_by_word(std::string_view word) const {
  std::string wanted = lower(word);
  for (const auto& [gvr, resource] : by_gvr_) {
    if (answers_to(*resource, wanted)) return resource;
  }
  std::size_t dot = wanted.find('.');
  if (dot == std::string::npos) return nullptr;
  std::string_view name = std::string_view(wanted).substr(0, dot),
                   rest = std::string_view(wanted).substr(dot + 1);
  for (const auto& [gvr, resource] : by_gvr_) {
    if (answers_to(*resource, name) && in_group(*resource, rest)) return resource;
  }
  return nullptr;
}

std::vector<std::shared_ptr<const Resource>> Registry::all() const {
  std::vector<std::shared_ptr<const Resource>> out;
  for (const auto& [gvr, resource] : by_gvr_) out.push_back(resource);
  return out;
}

Result<> Registry::add_custom(const json::Object& crd) {
  auto read = read_crd(crd, *schemas_);
  if (!read) return fail(std::move(read).error());
  // Somebody may bring the CRDs of kinds this program has itself: those stay as they are.
  // Nor are there other versions of them, with schemas of their own.
  std::erase_if(read->resources, [this](const Resource& resource) {
    return std::ranges::any_of(by_gvr_, [&](const auto& known) {
      return !known.second->custom && known.first.group == resource.gvr().group &&
             known.first.resource == resource.gvr().resource;
    });
  });
  remove_custom(read->name);
  for (Resource& resource : read->resources) {
    by_crd_[read->name].push_back(resource.gvr());
    put(std::move(resource));
  }
  ++version_;
  return {};
}

void Registry::remove_custom(std::string_view crd_name) {
  auto found = by_crd_.find(crd_name);
  if (found == by_crd_.end()) return;
  for (const Gvr& gvr : found->second) {
    auto resource = by_gvr_.find(gvr);
    if (resource == by_gvr_.end()) continue;
    // Another definition may have given its kind the same name.
    if (auto kind = by_gvk_.find(resource->second->gvk);
        kind != by_gvk_.end() && kind->second == resource->second)
      by_gvk_.erase(kind);
    by_gvr_.erase(resource);
  }
  by_crd_.erase(found);
  ++version_;
}

}  // namespace slipway::api
