#include <algorithm>

#include "api/apply/managers.h"
#include "api/apply/scale_managers.h"
#include "api/object.h"

namespace slipway::api {

namespace {

// An empty list, or a list of one empty entry: the client wants the tracking to end.
bool asks_for_reset(const json::Object& object) {
  const json::Object* metadata = metadata_of(object);
  const json::Value* managed =
      metadata == nullptr ? nullptr : metadata->if_contains("managedFields");
  if (managed == nullptr || !managed->is_array()) return false;
  const json::Array& entries = managed->get_array();
  return entries.empty() || (entries.size() == 1 && entries.front().is_object() &&
                             entries.front().get_object().empty());
}

std::vector<ManagedEntry> entries_of(const json::Object* object) {
  if (object == nullptr) return {};
  auto entries = read_managed_fields(*object);
  return entries ? std::move(*entries) : std::vector<ManagedEntry>();
}

// Those the request gives, so that clients can edit them; when it gives none, or none that can be
// read, those that are there: a client that knows nothing of them does not lose them.
std::vector<ManagedEntry> starting_entries(const json::Object* before, const json::Object& after,
                                           const Writer& writer) {
  if (!writer.subresource.empty()) return entries_of(before);
  if (asks_for_reset(after)) return {};
  std::vector<ManagedEntry> given = entries_of(&after);
  return given.empty() ? entries_of(before) : given;
}

}  // namespace

void own_changes(const json::Object& before, const json::Object& after,
                 std::vector<ManagedEntry>& entries, const Resource& resource,
                 const Writer& writer) {
  reconcile(entries, resource);
  FieldSet reset = reset_fields(resource, writer.subresource);
  Comparison comparison = compare_objects(before, after, resource.schema, resource.native);
  drop_reset_fields(comparison, reset);
  take_fields(entries, comparison, nullptr);
  FieldSet taken = comparison.modified.empty() ? std::move(comparison.added)
                                               : comparison.added.united(comparison.modified);
  taken.remove(unowned_fields());
  if (!taken.empty()) {
    ManagedEntry own{.manager = writer.manager.empty() ? "unknown" : writer.manager,
                     .operation = "Update",
                     .api_version = resource.gvk.api_version(),
                     .time = format_time(writer.now),
                     .subresource = writer.subresource};
    if (ManagedEntry* known = find_manager(entries, own)) {
      known->fields = known->fields.united(taken);
      known->time = std::move(own.time);
    } else {
      own.fields = std::move(taken);
      entries.push_back(std::move(own));
    }
  }
  cap_managers(entries);
}

void track_update(const json::Object* before, json::Object& after, const Resource& resource,
                  const Writer& writer) {
  std::vector<ManagedEntry> entries = starting_entries(before, after, writer);
  if (metadata_of(std::as_const(after)) != nullptr)
    json::erase(metadata_of(after), "managedFields");
  // An object that is not tracked stays so until somebody applies it.
  if (entries.empty() && before != nullptr && !uid_of(*before).empty()) return;
  if (writer.subresource == "scale" && before != nullptr) {
    own_replicas(*before, after, entries, resource, writer);
  } else {
    static const json::Object kNothing;
    own_changes(before == nullptr ? kNothing : *before, after, entries, resource, writer);
  }
  write_managed_fields(after, std::move(entries));
}

}  // namespace slipway::api
