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

// The Scale's own entries: whoever owns the replicas of the object, under the Scale's version.
std::vector<ManagedEntry> entries_of_scale(const std::vector<ManagedEntry>& entries,
                                           const ElementPath& path) {
  std::vector<ManagedEntry> out;
  for (const ManagedEntry& entry : entries) {
    if (!entry.fields.contains(path)) continue;
    out.push_back(entry);
    out.back().api_version = kScaleVersion;
  }
  return out;
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

void own_replicas(const json::Object& before, const json::Object& after,
                  std::vector<ManagedEntry>& entries, const Resource& resource,
                  const Writer& writer) {
  ElementPath path = path_of_replicas(resource);
  FieldSet replicas;
  replicas.insert(path);
  std::string version = resource.gvk.api_version();
  std::erase_if(entries, [&](const ManagedEntry& entry) { return entry.api_version != version; });

  std::vector<ManagedEntry> of_scale = entries_of_scale(entries, path);
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
                          .subresource = writer.subresource});
  }

  for (ManagedEntry& entry : entries) {
    if (!entry.fields.contains(path)) continue;
    if (ManagedEntry* carried = find_manager(of_scale, entry))
      of_scale.erase(of_scale.begin() + (carried - of_scale.data()));
    else
      entry.fields = entry.fields.minus(replicas);
  }
  std::erase_if(entries, [](const ManagedEntry& entry) { return entry.fields.empty(); });
  for (ManagedEntry& entry : of_scale) {
    entry.api_version = version;
    entry.time.clear();
    entry.fields = replicas;
    entries.push_back(std::move(entry));
  }
}

}  // namespace slipway::api
