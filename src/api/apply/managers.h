#pragma once

#include <string>
#include <vector>

#include "api/apply/apply.h"
#include "api/apply/compare.h"

// The entries of metadata.managedFields while a write is being tracked.
namespace slipway::api {

// One entry for each manager, operation and subresource; updates are told apart by version as well,
// applies are not.
bool is_same_manager(const ManagedEntry& a, const ManagedEntry& b);
// What Kubernetes sorts managers by: the entry's JSON without time and fields.
std::string manager_id(const ManagedEntry& entry);
ManagedEntry* find_manager(std::vector<ManagedEntry>& entries, const ManagedEntry& like);

// Whether entries of that version are of the kind: custom kinds are known by all of their group.
bool is_known_version(const Resource& resource, std::string_view api_version);

// Brings entries to the kind's present schema: those of versions nobody serves go, and what has
// become atomic is owned as a whole.
void reconcile(std::vector<ManagedEntry>& entries, const Resource& resource);

// Fields that everybody may write and nobody owns: names, versions, what the server keeps.
const FieldSet& unowned_fields();

// Every field of the type that lies on a path of the set becomes a member; entries of maps do not.
FieldSet with_named_fields(const FieldSet& set, const Schema* schema);

// Forgets what the endpoint resets.
void drop_reset_fields(Comparison& comparison, const FieldSet& reset);

// Everybody but `except` (may be null) loses what changed; entries left empty go.
void take_fields(std::vector<ManagedEntry>& entries, const Comparison& comparison,
                 const ManagedEntry* except);

// The whole of an update: the writer gets what changed, everybody else loses it.
void own_changes(const json::Object& before, const json::Object& after,
                 std::vector<ManagedEntry>& entries, const Resource& resource,
                 const Writer& writer);

// Merges the oldest updates until kMaxUpdateManagers are left.
void cap_managers(std::vector<ManagedEntry>& entries);

}  // namespace slipway::api
