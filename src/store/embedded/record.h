#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/selector.h"
#include "base/json_scratch.h"
#include "store/store.h"

namespace slipway::store {

// One state of one object, never changed once made: the table, the batch being committed, the
// history and answers on their way out all share it, the committing thread included (hence
// shared_ptr).
struct Record {
  Key key;
  Version version = 0;
  std::int64_t id = 0;  // row in the journal; the same for all states of an object
  Bytes bytes;          // complete JSON, resourceVersion included
  // What the journal holds, where the definition of a custom kind has changed since and made other
  // bytes of it; else null.
  Bytes written = {};
  std::shared_ptr<const std::string> api_version;  // in `bytes`; one text for many records
  api::Labels labels;
  bool deleting = false;  // has a deletionTimestamp
};
using RecordPtr = std::shared_ptr<const Record>;

struct KeyView {
  std::string_view ns;
  std::string_view name;
  KeyView(std::string_view in, std::string_view named) : ns(in), name(named) {}
  KeyView(const Key& key)
      : ns(key.ns), name(key.name) {}  // NOLINT: a view of its argument, as string_view is
  auto operator<=>(const KeyView&) const = default;
};

// Records by namespace, then name.
struct ByKey {
  using is_transparent = void;
  static KeyView view(const RecordPtr& record) { return record->key; }
  static KeyView view(const Key& key) { return key; }
  static KeyView view(const KeyView& key) { return key; }
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return view(a) < view(b);
  }
};

// As clients of this version of its kind see it.
Item item_of(const Record& record, const api::Resource& resource);

// The JSON of a record. Asserts that it is an object: only what was encoded here gets into records.
json::Object decode(const Record& record);
json::Object decode(const Record& record, const api::Resource& resource);
json::Object decode(const Record& record, const api::Resource& resource, json::Scratch& scratch);

// `object` as a record of `version` (0: no resourceVersion is written, as in answers to dry runs).
Record encode(json::Object object, Version version);

// The same state as the present schema of its version has it, or as it was written where the schema
// would make more of it than may be kept; null when that is how it is already.
RecordPtr refitted(const Record& record, const api::Schema& schema);

// The same object under another resourceVersion.
Bytes with_version(const Record& record, Version version);

}  // namespace slipway::store
