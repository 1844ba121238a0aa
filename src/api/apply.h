#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/field_set.h"
#include "api/schema.h"
#include "base/time.h"

// Who owns which field (metadata.managedFields), and server-side apply. Pure; the rules of structured-merge-diff.
namespace slipway::api {

struct ManagedEntry {
  std::string manager;
  std::string operation;  // Apply | Update
  std::string api_version;
  std::string time = {};  // RFC 3339
  std::string subresource = {};
  FieldSet fields = {};
};
Result<std::vector<ManagedEntry>> read_managed_fields(const json::Object& object);
// Writes them into metadata.managedFields, sorted as Kubernetes sorts them; empty entries are left out.
void write_managed_fields(json::Object& object, std::vector<ManagedEntry> entries);

struct Writer {
  std::string manager;
  std::string api_version;
  std::string subresource = {};
  Time now = {};
};

// After a create, update or other patch: the fields whose value changed from `before` (null on create) to `after` now
// belong to the writer under Update; removed fields belong to nobody. Old entries that lost a field shrink or go.
void track_update(const json::Object* before, json::Object& after, const Schema& schema, const Writer& writer);

struct ApplyOptions {
  bool force = false;
};

// Server-side apply of `config` onto `live` (null: create). The result has its managedFields written; fields the manager
// applied before and leaves out now are removed when nobody else owns them. Errors: kConflict with a Cause
// (FieldManagerConflict) for each field another manager owns with another value; kInvalid when config does not fit the schema.
Result<json::Object> server_side_apply(const json::Object* live, const json::Object& config, const Schema& schema,
                                       const Writer& writer, const ApplyOptions& options);

}  // namespace slipway::api
