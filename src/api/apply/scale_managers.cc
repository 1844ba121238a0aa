#include "api/apply/scale_managers.h"

#include <algorithm>

#include "api/apply/managers.h"

namespace slipway::api {

namespace {

constexpr std::string_view kScaleVersion = "autoscaling/v1";

const json::Value* value_at(const json::Object& object, const ElementPath& path) {
  const json::Object* here = &object;
  for (std::size_t i = 0; here != nullptr && i < path.size(); ++i) {
    const json::Value* value = here->if_contains(path[i].text);
    if (value == nullptr || i + 1 == path.size()) return value;
    here = value->if_object();
  }
  return nullptr;
}

// A Scale leaves out zero replicas.
bool has_replicas(const json::Value* value) {
  return value != nullptr && value->is_number() && !json::same(*value, 0);
}

FieldSet scale_replicas() {
  FieldSet set;
  set.insert({PathElement::field("spec"), PathElement::field("replicas")});
  return set;
}

void drop_unknown(std::vector<ManagedEntry>& entries, const Resource& resource) {
  std::erase_if(entries, [&](const ManagedEntry& entry) {
    return !is_known_version(resource, entry.api_version);
  });
}

}  // namespace

ElementPath path_of_replicas(const Resource& resource) {
  ElementPath path;
  std::string_view rest =
      resource.scale ? std::string_view(resource.scale->spec_replicas) : ".spec.replicas";
  while (!rest.empty()) {
    rest.remove_prefix(rest.front() == '.' ? 1 : 0);
    std::string_view name = rest.substr(0, rest.find('.'));
    path.push_back(PathElement::field(name));
    rest.remove_prefix(name.size());
  }
  return path;
}

std::vector<ManagedEntry> entries_of_scale(std::vector<ManagedEntry> entries,
                                           const Resource& resource) {
  ElementPath path = path_of_replicas(resource);
  drop_unknown(entries, resource);
  std::erase_if(entries, [&](const ManagedEntry& entry) { return !entry.fields.contains(path); });
  for (ManagedEntry& entry : entries) {
    entry.api_version = kScaleVersion;
    entry.fields = scale_replicas();
  }
  return entries;
}

void carry_back(std::vector<ManagedEntry> of_scale, std::vector<ManagedEntry>& entries,
                const Resource& resource) {
  ElementPath path = path_of_replicas(resource);
  FieldSet replicas;
  replicas.insert(path);
  drop_unknown(entries, resource);
  for (ManagedEntry& entry : entries) {
    if (!entry.fields.contains(path)) continue;
    if (ManagedEntry* carried = find_manager(of_scale, entry))
      of_scale.erase(of_scale.begin() + (carried - of_scale.data()));
    else
      entry.fields = entry.fields.minus(replicas);
  }
  std::erase_if(entries, [](const ManagedEntry& entry) { return entry.fields.empty(); });
  ElementPath in_scale{PathElement::field("spec"), PathElement::field("replicas")};
  for (ManagedEntry& entry : of_scale) {
    if (!entry.fields.contains(in_scale)) continue;
    entry.api_version = resource.gvk.api_version();
    entry.time.clear();
    entry.fields = replicas;
    entries.push_back(std::move(entry));
  }
}

void own_replicas(const json::Object& before, const json::Object& after,
                  std::vector<ManagedEntry>& entries, const Resource& resource,
                  const Writer& writer) {
  ElementPath path = path_of_replicas(resource);
  std::vector<ManagedEntry> of_scale = entries_of_scale(entries, resource);
  const json::Value* was = value_at(before, path);
  const json::Value* is = value_at(after, path);
  bool changed =
      has_replicas(was) != has_replicas(is) || (has_replicas(is) && !json::same(*was, *is));
  // Where nobody owns the replicas the Scale is not tracked, and scaling makes no owner.
  if (changed && !of_scale.empty()) {
    of_scale.clear();
    if (has_replicas(is))
      of_scale.push_back({.manager = writer.manager.empty() ? "unknown" : writer.manager,
                          .operation = "Update",
                          .api_version = std::string(kScaleVersion),
                          .subresource = writer.subresource,
                          .fields = scale_replicas()});
  }
  carry_back(std::move(of_scale), entries, resource);
}

}  // namespace slipway::api
