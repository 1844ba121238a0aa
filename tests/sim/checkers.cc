#include <fmt/format.h>

#include <algorithm>

#include "sim/history.h"

namespace slipway::sim {

namespace {

constexpr store::Version kEnd = ~store::Version{0};

bool has_finalizer(const json::Object& object, std::string_view name) {
  const auto finalizers = api::finalizers_of(object);
  return std::ranges::find(finalizers, name) != finalizers.end();
}

bool in_deleted_namespace(const Change& change, const Intent& intent) {
  return intent.namespaces.contains(change.key.ns);
}

// Only from within its namespace, or from outside all of them, can an object be owned.
bool can_own(const json::Object& object, const api::OwnerReference& owner) {
  return owner.kind == "Namespace" || !api::namespace_of(object).empty();
}

std::string describe(const Change& change) {
  return fmt::format("{} {}/{} (uid {}, version {})", change.kind.resource, change.key.ns,
                     change.key.name, change.uid, change.version);
}

}  // namespace

Finding owned_by_nobody_lives_on(const std::vector<Change>& changes, const Intent&) {
  const auto world = world_before(changes, kEnd);
  for (const auto& [uid, object] : world)
    for (const auto& owner : api::owners_of(object))
      if (can_own(object, owner) && !world.contains(owner.uid))
        return fmt::format("{} still names {} as its owner, which has gone", api::name_of(object),
                           owner.name);
  return {};
}

Finding stuck_in_deletion(const std::vector<Change>& changes, const Intent&) {
  for (const auto& [uid, object] : world_before(changes, kEnd))
    if (api::is_deleting(object))
      return fmt::format("{} is still being deleted", api::name_of(object));
  return {};
}

// Whatever went was deleted by the user, or went with its namespace, or had no owner left that
// would keep it.
// Whether the object's deletion in the foreground had begun before `version`. That its last
// dependents have let it go since saves nobody: what is being deleted does not come back.
bool went_foreground(const std::vector<Change>& changes, const std::string& uid,
                     store::Version version) {
  return std::ranges::any_of(changes, [&](const Change& change) {
    return change.uid == uid && change.version < version && api::is_deleting(change.object) &&
           has_finalizer(change.object, control::kForegroundFinalizer);
  });
}

Finding innocent_died(const std::vector<Change>& changes, const Intent& intent) {
  for (const auto& change : changes) {
    if (change.type != store::EventType::kDeleted || intent.deleted.contains(change.uid)) continue;
    if (in_deleted_namespace(change, intent) || intent.namespaces.contains(change.key.name))
      continue;
    // As it all was when its deletion began, which for an object with finalizers is long before it
    // went.
    auto began = std::ranges::find_if(changes, [&](const Change& other) {
      return other.uid == change.uid &&
             (other.type == store::EventType::kDeleted || api::is_deleting(other.object));
    });
    const auto world = world_before(changes, began->version);
    const auto owners = api::owners_of(world.at(change.uid));
    if (owners.empty())
      return fmt::format("{} had no owner and nobody deleted it", describe(change));
    for (const auto& owner : owners) {
      if (!can_own(world.at(change.uid), owner))
        return fmt::format("{} went though {} cannot have been its owner", describe(change),
                           owner.name);
      if (world.contains(owner.uid) && !went_foreground(changes, owner.uid, began->version))
        return fmt::format("{} went though its owner {} lived", describe(change), owner.name);
    }
  }
  return {};
}

Finding orphan_died(const std::vector<Change>& changes, const Intent& intent) {
  for (const auto& change : changes) {
    if (change.type != store::EventType::kDeleted || intent.deleted.contains(change.uid)) continue;
    if (in_deleted_namespace(change, intent)) continue;
    for (const auto& owner : api::owners_of(change.object)) {
      auto orphaned = intent.orphaned.find(owner.uid);
      if (orphaned != intent.orphaned.end() && orphaned->second.contains(change.uid))
        return fmt::format("{} went with {}, which was deleted with orphan", describe(change),
                           owner.name);
    }
  }
  return {};
}

Finding owner_went_first(const std::vector<Change>& changes, const Intent& intent) {
  for (const auto& change : changes) {
    auto wish = intent.deleted.find(change.uid);
    if (change.type != store::EventType::kDeleted || wish == intent.deleted.end() ||
        wish->second != store::Propagation::kForeground || in_deleted_namespace(change, intent))
      continue;
    for (const auto& [uid, object] : world_before(changes, change.version))
      for (const auto& owner : api::owners_of(object))
        if (owner.uid == change.uid && owner.block_owner_deletion && can_own(object, owner))
          return fmt::format("{} went before its dependent {}, which blocks it", describe(change),
                             api::name_of(object));
  }
  return {};
}

Finding namespace_left_things(const std::vector<Change>& changes, const Intent& intent) {
  for (const auto& change : changes) {
    if (change.kind.resource != "namespaces" || change.type != store::EventType::kDeleted) continue;
    for (const auto& [uid, object] : world_before(changes, change.version))
      if (api::namespace_of(object) == change.key.name)
        return fmt::format("{} went while {} was in it", describe(change), api::name_of(object));
  }
  for (const auto& [uid, object] : world_before(changes, kEnd))
    if (intent.namespaces.contains(std::string(api::namespace_of(object))))
      return fmt::format("{} outlived its namespace", api::name_of(object));
  return {};
}

const std::vector<Checker>& checkers() {
  static const std::vector<Checker> all{{"owned_by_nobody_lives_on", owned_by_nobody_lives_on},
                                        {"stuck_in_deletion", stuck_in_deletion},
                                        {"innocent_died", innocent_died},
                                        {"orphan_died", orphan_died},
                                        {"owner_went_first", owner_went_first},
                                        {"namespace_left_things", namespace_left_things}};
  return all;
}

}  // namespace slipway::sim
