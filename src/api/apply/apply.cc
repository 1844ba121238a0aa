#include "api/apply/apply.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/apply/apply_conflict.h"
#include "api/apply/last_applied.h"
#include "api/apply/managers.h"
#include "api/apply/typed_check.h"
#include "api/apply/typed_merge.h"
#include "api/object.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

std::string gvk_text(const Gvk& gvk) {
  return fmt::format("{}/{}, Kind={}", gvk.group, gvk.version, gvk.kind);
}

struct Applied {
  json::Object object;
  std::vector<ManagedEntry> entries;
};

// One request: the same inputs may be run twice, without force and with it.
class Application {
 public:
  Application(const json::Object& live, const json::Object& config,
              std::vector<ManagedEntry> entries, const Resource& resource, const Writer& writer)
      : live_(live),
        config_(config),
        entries_(std::move(entries)),
        resource_(resource),
        writer_(writer) {
    reconcile(entries_, resource);
  }

  // Without force, and with conflicts, nothing but the conflicts is of use.
  Result<Applied> run(bool force, std::vector<Conflict>& conflicts) const {
    auto merged = merge_objects(live_, config_, resource_.schema);
    if (!merged)
      return fail(ErrorCode::kInternal, "failed to merge config: " + merged.error().text());

    FieldSet reset = reset_fields(resource_, writer_.subresource);
    Applied out{.object = {}, .entries = entries_};
    ManagedEntry own{.manager = writer_.manager.empty() ? "unknown" : writer_.manager,
                     .operation = "Apply",
                     .api_version = resource_.gvk.api_version(),
                     .subresource = writer_.subresource,
                     .fields = field_set_of(config_, resource_.schema)};
    own.fields.remove_trees(reset);
    FieldSet last;
    if (ManagedEntry* known = find_manager(out.entries, own)) {
      own.time = known->time;
      last = std::move(known->fields);
      std::erase_if(out.entries,
                    [&](const ManagedEntry& entry) { return is_same_manager(entry, own); });
    }
    out.entries.push_back(own);

    json::Object wanted = prune(std::move(*merged), last, out.entries);
    Comparison comparison = compare_objects(live_, wanted, resource_.schema, resource_.native);
    drop_reset_fields(comparison, reset);
    if (!force) {
      conflicts = conflicts_with(out.entries, comparison.modified.united(comparison.added), own);
      if (!conflicts.empty()) return out;
    }
    take_fields(out.entries, comparison, find_manager(out.entries, own));

    bool changed = !same_object(live_, wanted);
    if (ManagedEntry* entry = find_manager(out.entries, own)) {
      entry->fields.remove(unowned_fields());
      if (changed) entry->time = format_time(writer_.now);
    }
    if (changed) {
      out.object = std::move(wanted);
    } else {
      out.object = live_;
    }
    return out;
  }

 private:
  // Removes what the manager applied last time and leaves out now, unless somebody else (or the new
  // configuration) owns it.
  json::Object prune(json::Object merged, const FieldSet& last,
                     const std::vector<ManagedEntry>& entries) const {
    if (last.empty()) return merged;
    const Schema* schema = resource_.schema;
    FieldSet owned;
    for (const ManagedEntry& entry : entries) owned = owned.united(entry.fields);
    FieldSet left_out = with_named_fields(last, schema);
    auto fields_of = [&](const json::Object& object) {
      return with_named_fields(field_set_of(object, schema), schema);
    };

    FieldSet all = fields_of(merged);
    json::Object pruned = remove_fields(merged, left_out, schema);
    FieldSet kept = fields_of(pruned).united(with_named_fields(owned, schema));
    pruned = remove_fields(merged, all.minus(kept), schema);
    // What hangs below a removed field without having been applied by this manager stays.
    return remove_fields(merged, all.minus(fields_of(pruned)).intersected(left_out), schema);
  }

  const json::Object& live_;
  const json::Object& config_;
  std::vector<ManagedEntry> entries_;
  const Resource& resource_;
  const Writer& writer_;
};

Result<> check_request(const json::Object& config, const Resource& resource) {
  if (Gvk gvk = gvk_of(config); gvk != resource.gvk)
    return fail(ErrorCode::kBadRequest, "invalid object type: " + gvk_text(gvk));
  const json::Object* metadata = metadata_of(config);
  const json::Value* managed =
      metadata == nullptr ? nullptr : metadata->if_contains("managedFields");
  if (managed != nullptr && managed->is_array())
    return fail(ErrorCode::kBadRequest, "metadata.managedFields must be nil");
  if (auto fits = check_config(config, resource.schema); !fits)
    return fail(
        ErrorCode::kInternal,
        fmt::format("failed to create typed patch object ({}/{}; {}): {}", namespace_of(config),
                    name_of(config), gvk_text(resource.gvk), fits.error().message));
  return {};
}

// An object nobody tracked so far: what is there belongs to "before-first-apply".
void start_tracking(const json::Object& live, std::vector<ManagedEntry>& entries,
                    const Resource& resource, const Writer& writer) {
  json::Object nothing;
  nothing["apiVersion"] = resource.gvk.api_version();
  nothing["kind"] = resource.gvk.kind;
  Writer before = writer;
  before.manager = "before-first-apply";
  own_changes(nothing, live, entries, resource, before);
}

}  // namespace

Result<json::Object> server_side_apply(const json::Object* live, const json::Object& config,
                                       const Resource& resource, const Writer& writer,
                                       const ApplyOptions& options) {
  SLIPWAY_TRY(check_request(config, resource));
  std::vector<ManagedEntry> entries;
  json::Object current;
  if (live != nullptr) {
    auto known = read_managed_fields(*live);
    if (!known)
      return fail(ErrorCode::kInternal,
                  "failed to decode managed fields: " + known.error().message);
    entries = std::move(*known);
    current = *live;
    if (metadata_of(*live) != nullptr) json::erase(metadata_of(current), "managedFields");
    if (entries.empty()) start_tracking(current, entries, resource, writer);
  } else {
    current["apiVersion"] = resource.gvk.api_version();
    current["kind"] = resource.gvk.kind;
  }

  Application application(current, config, std::move(entries), resource, writer);
  std::vector<Conflict> conflicts;
  auto applied = application.run(options.force, conflicts);
  if (!applied) return std::unexpected(std::move(applied).error());
  if (!conflicts.empty() && writer.manager == kKubectlManager) {
    allow_last_applied(conflicts, current, resource);
    if (conflicts.empty()) applied = application.run(true, conflicts);
    if (!applied) return std::unexpected(std::move(applied).error());
  }
  if (!conflicts.empty()) return fail(conflict_error(conflicts));
  if (writer.manager == kKubectlManager) renew_last_applied(applied->object, config);
  write_managed_fields(applied->object, std::move(applied->entries));
  return std::move(applied->object);
}

}  // namespace slipway::api
