#include "api/apply/managers.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "api/apply/typed_value.h"

namespace slipway::api {

namespace {

bool needs_reconciling(const FieldSet& set, const Schema* schema) {
  if (set.children.empty() || is_undescribed(schema)) return false;
  if (schema->shape == Shape::kList && schema->list_type == ListType::kAtomic) return true;
  if (schema->atomic) return true;
  for (const FieldSet::Node& node : set.children) {
    const Schema* below =
        schema->shape == Shape::kList ? schema->element : member_type(schema, node.element.text);
    if (needs_reconciling(node.set, below)) return true;
  }
  return false;
}

FieldSet reconciled(const FieldSet& set, const Schema* schema) {
  if (!needs_reconciling(set, schema)) return set;
  FieldSet out;
  if (schema->atomic || (schema->shape == Shape::kList && schema->list_type == ListType::kAtomic)) {
    out.member = true;
    return out;
  }
  out.member = set.member;
  for (const FieldSet::Node& node : set.children) {
    const Schema* below =
        schema->shape == Shape::kList ? schema->element : member_type(schema, node.element.text);
    out.grow(node.element, reconciled(node.set, below));
  }
  return out;
}

FieldSet paths(std::initializer_list<std::initializer_list<std::string_view>> all) {
  FieldSet set;
  for (const auto& names : all) {
    ElementPath path;
    for (std::string_view name : names) path.push_back(PathElement::field(name));
    set.insert(path);
  }
  return set;
}

std::int64_t seconds_of(const ManagedEntry& entry) {
  auto time = parse_time(entry.time);
  return time ? std::chrono::floor<std::chrono::seconds>(*time).time_since_epoch().count() : 0;
}

constexpr std::string_view kAncient = "ancient-changes";

// Where the oldest updates of a version end up.
struct Bucket {
  bool seen = false;
  std::size_t oldest = 0;                 // the first update of the version
  std::optional<std::size_t> place = {};  // of the entry that takes the others in
  std::vector<FieldSet> sets = {};        // what it takes in
};

// Two by two: one after the other, thousands of small sets would each be merged into a large one.
FieldSet united(std::span<const FieldSet> sets) {
  if (sets.size() == 1) return sets.front();
  const std::size_t half = sets.size() / 2;
  return united(sets.first(half)).united(united(sets.subspan(half)));
}

// Updates first, the oldest before all. What they are sorted by is made once for each.
void sort_for_capping(std::vector<ManagedEntry>& entries) {
  struct Ranked {
    bool applied;
    std::int64_t time;
    std::string id;
    ManagedEntry entry;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(entries.size());
  for (ManagedEntry& entry : entries)
    ranked.push_back(
        {entry.operation != "Update", seconds_of(entry), manager_id(entry), std::move(entry)});
  std::ranges::sort(ranked, {}, [](const Ranked& one) {
    return std::tuple(one.applied, one.time, std::string_view(one.id));
  });
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = std::move(ranked[i].entry);
}

}  // namespace

// Events are one kind in two groups; everything else is known by its own version, custom kinds by
// all of their group.
bool is_known_version(const Resource& resource, std::string_view api_version) {
  if (api_version == resource.gvk.api_version()) return true;
  if (resource.native)
    return resource.gvk.kind == "Event" &&
           (api_version == "v1" || api_version == "events.k8s.io/v1");
  return api_version.substr(0, api_version.find('/')) == resource.gvk.group;
}

bool is_same_manager(const ManagedEntry& a, const ManagedEntry& b) {
  return a.manager == b.manager && a.operation == b.operation && a.subresource == b.subresource &&
         (a.operation == "Apply" || a.api_version == b.api_version);
}

std::string manager_id(const ManagedEntry& entry) {
  json::Object id;
  if (!entry.manager.empty()) id["manager"] = entry.manager;
  id["operation"] = entry.operation;
  if (entry.operation != "Apply") id["apiVersion"] = entry.api_version;
  if (!entry.subresource.empty()) id["subresource"] = entry.subresource;
  return json::write(id, {.escape_html = true});
}

ManagedEntry* find_manager(std::vector<ManagedEntry>& entries, const ManagedEntry& like) {
  auto found = std::ranges::find_if(
      entries, [&](const ManagedEntry& entry) { return is_same_manager(entry, like); });
  return found == entries.end() ? nullptr : &*found;
}

void reconcile(std::vector<ManagedEntry>& entries, const Resource& resource) {
  std::erase_if(entries, [&](const ManagedEntry& entry) {
    return !is_known_version(resource, entry.api_version);
  });
  for (ManagedEntry& entry : entries)
    if (needs_reconciling(entry.fields, resource.schema))
      entry.fields = reconciled(entry.fields, resource.schema);
}

const FieldSet& unowned_fields() {
  static const FieldSet set = paths({{"apiVersion"},
                                     {"kind"},
                                     {"metadata"},
                                     {"metadata", "name"},
                                     {"metadata", "namespace"},
                                     {"metadata", "creationTimestamp"},
                                     {"metadata", "selfLink"},
                                     {"metadata", "uid"},
                                     {"metadata", "clusterName"},
                                     {"metadata", "generation"},
                                     {"metadata", "managedFields"},
                                     {"metadata", "resourceVersion"}});
  return set;
}

FieldSet reset_fields(const Resource& resource, std::string_view subresource) {
  if (!resource.status_subresource) return {};
  if (subresource.empty() || subresource == "finalize") return paths({{"status"}});
  const Gvk& gvk = resource.gvk;
  if (gvk.kind == "Pod" && gvk.group.empty())
    return paths({{"spec"}, {"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}});
  if (gvk.kind == "Deployment" && gvk.group == "apps")
    return paths({{"spec"}, {"metadata", "labels"}});
  if (gvk.kind == "CustomResourceDefinition") return paths({{"spec"}, {"metadata"}});
  return paths({{"spec"}});
}

FieldSet with_named_fields(const FieldSet& set, const Schema* schema) {
  FieldSet out;
  out.member = set.member;
  out.children.reserve(set.children.size());
  for (const FieldSet::Node& node : set.children) {
    const Schema* below = nullptr;
    bool named = false;
    if (node.element.kind == PathElement::Kind::kField && form_of(schema, nullptr) == Form::kMap) {
      below = member_type(schema, node.element.text);
      named = is_named_field(schema, node.element.text);
    } else if (node.element.kind == PathElement::Kind::kKey &&
               form_of(schema, nullptr) == Form::kList) {
      below = schema->element;
    }
    FieldSet inside = with_named_fields(node.set, below);
    if (named && !node.set.children.empty()) inside.member = true;
    out.children.push_back({node.element, std::move(inside)});
  }
  return out;
}

void drop_reset_fields(Comparison& comparison, const FieldSet& reset) {
  comparison.removed.remove_trees(reset);
  comparison.modified.remove_trees(reset);
  comparison.added.remove_trees(reset);
}

void take_fields(std::vector<ManagedEntry>& entries, const Comparison& comparison,
                 const ManagedEntry* except) {
  for (ManagedEntry& entry : entries) {
    if (&entry == except) continue;
    entry.fields.remove(comparison.modified);
    entry.fields.remove(comparison.added);
    entry.fields.remove(comparison.removed);
  }
  std::erase_if(entries, [](const ManagedEntry& entry) { return entry.fields.empty(); });
}

void cap_managers(std::vector<ManagedEntry>& entries) {
  auto is_update = [](const ManagedEntry& entry) { return entry.operation == "Update"; };
  auto count = static_cast<std::size_t>(std::ranges::count_if(entries, is_update));
  if (count <= kMaxUpdateManagers) return;
  sort_for_capping(entries);

  // The oldest of a version stays until a second one comes; then both go into the version's bucket.
  std::map<std::string, Bucket> buckets;  // by version
  for (std::size_t i = 0; i < entries.size() && is_update(entries[i]); ++i) {
    const ManagedEntry& entry = entries[i];
    if (entry.manager == kAncient && entry.subresource.empty())
      buckets[entry.api_version].place = i;
  }
  for (std::size_t i = 0; i < entries.size() && count > kMaxUpdateManagers && is_update(entries[i]);
       ++i) {
    Bucket& bucket = buckets[entries[i].api_version];
    if (!std::exchange(bucket.seen, true)) {
      bucket.oldest = i;
      continue;
    }
    if (bucket.place == i) continue;
    if (!bucket.place) {
      bucket.place = bucket.oldest;
      entries[bucket.oldest].manager = kAncient;
      entries[bucket.oldest].subresource.clear();
    }
    entries[*bucket.place].time = entries[i].time;
    bucket.sets.push_back(std::exchange(entries[i].fields, {}));
    --count;
  }
  for (auto& [version, bucket] : buckets) {
    if (bucket.sets.empty()) continue;
    FieldSet& fields = entries[*bucket.place].fields;
    bucket.sets.push_back(std::move(fields));
    fields = united(bucket.sets);
  }
  std::erase_if(entries, [](const ManagedEntry& entry) { return entry.fields.empty(); });
}

}  // namespace slipway::api
