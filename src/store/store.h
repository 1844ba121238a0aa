#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "api/registry.h"
#include "api/selector.h"
#include "async/loop.h"
#include "http/message.h"

// The one seam: objects with spec and status behind a small interface. Nothing above knows whether
// they live in memory, in SQLite or in a cluster's API server.
namespace slipway::store {

using http::Bytes;
using Version = std::uint64_t;  // resourceVersion; 0 is "none"

struct Key {
  std::string ns;  // empty for cluster-scoped kinds
  std::string name;
  auto operator<=>(const Key&) const = default;
};

// An object as it is kept: its JSON, with metadata complete. Decode it when you need it.
struct Item {
  Key key;
  Version version = 0;
  Bytes bytes;
};

struct ListOptions {
  std::string ns = {};  // empty: all namespaces
  api::LabelSelector labels = {};
  api::FieldSelector fields = {};
  std::size_t limit = 0;  // 0: everything
  std::string continue_token = {};
};
struct Page {
  std::vector<Item> items;          // by namespace, then name
  Version version = 0;              // of the whole list: watch from here
  std::string continue_token = {};  // empty at the end
  std::optional<std::size_t> remaining = {};
};

enum class EventType { kAdded, kModified, kDeleted, kBookmark };
struct Event {
  EventType type;
  // kDeleted: the last state, under the version of the deletion. kBookmark: no key, a version, and
  // in `bytes` the object a bookmark carries on the wire.
  Item item;
};
struct WatchOptions {
  std::string ns = {};
  api::LabelSelector labels = {};
  api::FieldSelector fields = {};
  // 0: the current objects come first, as kAdded. Otherwise what happened after this version.
  Version from = 0;
  bool bookmarks = false;
  // With from == 0 (sendInitialEvents): a bookmark annotated k8s.io/initial-events-end after the
  // current objects.
  bool mark_initial_end = false;
};
// A running watch. Destroying it ends it.
class Watch {
 public:
  virtual ~Watch() = default;
  // The next events, at least one, in order, none lost, none twice. kExpired: too far behind, list
  // again. kCancelled: stopped. kTimeout: nothing within `patience`. With bookmarks on, one comes
  // about every minute without events, and one at the end of `patience` when the version has grown
  // since the last thing sent.
  virtual Task<Result<std::vector<Event>>> next(Duration patience, std::stop_token stop) = 0;
};

enum class FieldValidation { kIgnore, kWarn, kStrict };
struct WriteOptions {
  std::string manager = "slipway";  // fieldManager
  bool dry_run = false;
  FieldValidation validation = FieldValidation::kStrict;
  // "", "status", "scale" (patches and updates), "finalize" (updates of a Namespace), "binding" (of
  // a Pod, by a Binding; embedded stores). The answer to a write of a scale is the Scale.
  std::string subresource = {};
  std::vector<std::string> duplicates =
      {};  // paths of repeated keys in the request's text, judged by `validation`
  std::vector<std::string>* warnings = nullptr;  // for the HTTP Warning header
};

enum class PatchType { kJson, kMerge, kStrategicMerge, kApply };
struct Patch {
  PatchType type = PatchType::kMerge;
  json::Value body;
  bool force = false;  // kApply: take fields over from other managers
};

enum class Propagation { kBackground, kForeground, kOrphan };
struct DeleteOptions {
  std::optional<Propagation> propagation = {};
  std::string if_uid = {};  // preconditions
  std::optional<Version> if_version = {};
  std::optional<std::int64_t> grace_seconds = {};
  bool dry_run = false;
};

// Errors, all stores alike: kNotFound; kAlreadyExists; kConflict (the version or uid differs from
// what the caller saw); kInvalid with causes; kExpired (watch version or continue token too old);
// kForbidden (namespace is terminating); kTooLarge; kNoSpace; kUnavailable; kCancelled. A write
// that returned a value is durable.
class Store {
 public:
  virtual ~Store() = default;

  virtual Task<Result<Item>> get(api::Gvr kind, Key key) = 0;
  virtual Task<Result<Page>> list(api::Gvr kind, ListOptions options) = 0;
  virtual Task<Result<std::unique_ptr<Watch>>> watch(api::Gvr kind, WatchOptions options) = 0;

  // metadata.name or generateName, metadata.namespace as in `ns`.
  virtual Task<Result<Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                    WriteOptions options) = 0;
  // With metadata.resourceVersion: only if still current. Without: whatever is there, but for
  // Leases and kinds that are custom resources in a cluster, which need one (kInvalid).
  virtual Task<Result<Item>> update(api::Gvr kind, Key key, json::Object object,
                                    WriteOptions options) = 0;
  virtual Task<Result<Item>> patch(api::Gvr kind, Key key, Patch patch, WriteOptions options) = 0;

  // What became of the object: gone (its last state), or still there with deletionTimestamp because
  // of finalizers.
  struct Deleted {
    Item item;
    bool gone = false;
  };
  virtual Task<Result<Deleted>> remove(api::Gvr kind, Key key, DeleteOptions options) = 0;
};

}  // namespace slipway::store
