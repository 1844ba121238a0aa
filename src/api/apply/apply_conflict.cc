#include "api/apply/apply_conflict.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/apply/managers.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

std::string named(const ManagedEntry& owner) {
  std::string out = go_quoted(owner.manager);
  if (!owner.subresource.empty())
    out += fmt::format(" with subresource {}", go_quoted(owner.subresource));
  if (owner.operation == "Update") out += fmt::format(" using {}", owner.api_version);
  return out;
}

}  // namespace

std::vector<Conflict> conflicts_with(const std::vector<ManagedEntry>& entries,
                                     const FieldSet& changed, const ManagedEntry& own) {
  std::vector<const ManagedEntry*> owners;
  for (const ManagedEntry& entry : entries)
    if (!is_same_manager(entry, own)) owners.push_back(&entry);
  std::ranges::sort(owners, {}, [](const ManagedEntry* owner) { return manager_id(*owner); });
  std::vector<Conflict> conflicts;
  for (const ManagedEntry* owner : owners) {
    ManagedEntry id = *owner;
    id.fields = {};
    for (ElementPath& path : owner->fields.intersected(changed).paths())
      conflicts.push_back({id, std::move(path)});
  }
  return conflicts;
}

Error conflict_error(const std::vector<Conflict>& conflicts) {
  Error error{.code = ErrorCode::kConflict, .message = {}};
  for (const Conflict& conflict : conflicts)
    error.causes.push_back({.reason = "FieldManagerConflict",
                            .message = "conflict with " + named(conflict.owner),
                            .field = describe(conflict.path)});
  if (conflicts.size() == 1) {
    error.message = fmt::format("Apply failed with 1 conflict: {}: {}",
                                error.causes.front().message, error.causes.front().field);
    return error;
  }
  std::string list;
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    if (i == 0 || !is_same_manager(conflicts[i].owner, conflicts[i - 1].owner))
      list += fmt::format("{}conflicts with {}:", i == 0 ? "" : "\n", named(conflicts[i].owner));
    list += "\n- " + error.causes[i].field;
  }
  error.message = fmt::format("Apply failed with {} conflicts: {}", conflicts.size(), list);
  return error;
}

}  // namespace slipway::api
