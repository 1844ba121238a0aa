#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "api/registry.h"
#include "async/blocking.h"
#include "async/loop.h"
#include "base/random.h"
#include "store/store.h"

// The stores that live in this process: one engine that keeps all objects in memory and decides
// every write on the loop, with or without a SQLite file beneath it.
namespace slipway::store {

struct EmbeddedStats {
  std::map<std::string, std::size_t>
      objects;  // by "plural.group"; kinds without objects are left out
  std::size_t object_bytes = 0;
  std::size_t watches = 0;
  std::size_t history_events = 0;
  std::size_t history_bytes = 0;  // of states that only the history still holds
  Version version = 0;            // of the last committed write
  std::uint64_t writes = 0;       // committed
  std::uint64_t commits = 0;      // batches
  std::uint64_t failed_commits = 0;
  std::size_t staged = 0;  // decided, not yet committed
};

class EmbeddedStore : public Store {
 public:
  // Lets no more writes in, waits for those under way, ends all watches (kCancelled) and closes the
  // file. Reads go on. Must be awaited before a SQLite store is destroyed; a memory store has
  // nothing to wait for.
  virtual Task<> stop() = 0;
  virtual EmbeddedStats stats() const = 0;
};

// Both know the kinds of `registry` and add and remove custom kinds there as their definitions come
// and go. Both have the namespaces every cluster has (default, kube-system, kube-public,
// kube-node-lease) from the start.
std::unique_ptr<EmbeddedStore> make_memory_store(Loop& loop, api::Registry& registry,
                                                 Random& random);

// Opens or makes the file at `path` (mode 0600) and reads all of it. One process at a time:
// kUnavailable when another one has it open. kInternal: not ours, from a newer program, or damaged.
// Commits run on `pool`, one at a time; give the store a pool of its own. `vfs` names a registered
// SQLite VFS, for tests.
Result<std::unique_ptr<EmbeddedStore>> open_sqlite_store(Loop& loop, Pool& pool,
                                                         api::Registry& registry, Random& random,
                                                         std::string path, std::string vfs = {});

}  // namespace slipway::store
