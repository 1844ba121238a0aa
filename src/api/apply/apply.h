#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/apply/field_set.h"
#include "api/registry.h"
#include "base/time.h"

// Who owns which field (metadata.managedFields), and server-side apply. Pure; the rules of
// structured-merge-diff and of Kubernetes' field managers.
namespace slipway::api {

inline constexpr std::size_t kMaxUpdateManagers =
    10;  // more are merged into one, "ancient-changes"

struct ManagedEntry {
  std::string manager;
  std::string operation;  // Apply | Update
  std::string api_version;
  std::string time = {};  // RFC 3339; empty when unknown
  std::string subresource = {};
  FieldSet fields = {};
};
// Errors: kInvalid, worded as Kubernetes words them. No managedFields is an empty list.
Result<std::vector<ManagedEntry>> read_managed_fields(const json::Object& object);
// Writes them into metadata.managedFields, sorted as Kubernetes sorts them; without entries the
// field goes.
void write_managed_fields(json::Object& object, std::vector<ManagedEntry> entries);

struct Writer {
  std::string manager;
  std::string subresource = {};  // "", "status" or "scale"
  Time now = {};
};

// After a create, update or other patch: the fields whose value changed from `before` (null on
// create) to `after` now belong to the writer under Update; removed fields belong to nobody. Old
// entries that lost a field shrink or go. A write that changes nothing changes no entry and no
// time.
//
// `after` is what the request asks for with defaults, before KindRules::prepare: what the server
// itself fills in (finalizers, status, addresses) has no owner. Fields that the endpoint resets
// (status on the object itself, spec under status) are passed over. managedFields inside `after`
// are honoured when they are sound (kubectl edits them); an empty list ends the tracking.
void track_update(const json::Object* before, json::Object& after, const Resource& resource,
                  const Writer& writer);

struct ApplyOptions {
  bool force = false;
};

// Server-side apply of `config` onto `live` (null: create). The result has its managedFields
// written, is not yet defaulted, and fields the manager applied before and leaves out now are
// removed when nobody else owns them.
//
// Errors: kConflict with a Cause (FieldManagerConflict) for each field another manager owns with
// another value; kBadRequest for managedFields in the request or another kind; kInternal when
// config does not fit the schema (the API server answers 500 with the text as it is and no reason).
Result<json::Object> server_side_apply(const json::Object* live, const json::Object& config,
                                       const Resource& resource, const Writer& writer,
                                       const ApplyOptions& options);

// The last step before a store compares and writes: when nothing but times in managedFields
// differs, the old times return, so that the write is seen to be none.
void keep_times(const json::Object& before, json::Object& after);

// Fields that a write through this endpoint cannot change.
FieldSet reset_fields(const Resource& resource, std::string_view subresource);

}  // namespace slipway::api
