#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "api/registry.h"
#include "async/loop.h"
#include "base/random.h"
#include "store/embedded.h"
#include "store/embedded/commit_queue.h"
#include "store/embedded/decide.h"
#include "store/embedded/state.h"

namespace slipway::store {

// The engine of both embedded stores. Writes are decided one after the other on the loop, each on
// top of all before it, and answered once they are durable; reads and watches see only what is.
class Engine final : public EmbeddedStore {
 public:
  // `state` holds what `journal` kept (nothing, and null, for a memory store).
  Engine(Loop& loop, api::Registry& registry, Random& random, std::unique_ptr<State> state,
         std::unique_ptr<Journal> journal);
  ~Engine() override;

  Task<Result<Item>> get(api::Gvr kind, Key key) override;
  Task<Result<Page>> list(api::Gvr kind, ListOptions options) override;
  Task<Result<std::unique_ptr<Watch>>> watch(api::Gvr kind, WatchOptions options) override;
  Task<Result<Item>> create(api::Gvr kind, std::string ns, json::Object object,
                            WriteOptions options) override;
  Task<Result<Item>> update(api::Gvr kind, Key key, json::Object object,
                            WriteOptions options) override;
  Task<Result<Item>> patch(api::Gvr kind, Key key, Patch patch, WriteOptions options) override;
  Task<Result<Deleted>> remove(api::Gvr kind, Key key, DeleteOptions options) override;

  Task<> stop() override;
  EmbeddedStats stats() const override;

 private:
  // A kind as one request found it.
  struct Kind {
    std::shared_ptr<const api::Resource> resource;
    Table* table = nullptr;
  };
  Result<Kind> find_kind(const api::Gvr& gvr);

  // The synchronous heart of each write: decides and stages. What it gives is true once the queue
  // has settled.
  Result<RecordPtr> write_new(const Kind& kind, const std::string& ns, json::Object object,
                              const Request& request);
  Result<RecordPtr> write_applied(const Kind& kind, const Key& key, const Patch& patch,
                                  const Request& request);
  Result<RecordPtr> write_update(const Kind& kind, const RecordPtr& live, json::Object object,
                                 const Key& key, const Request& request);
  Result<RecordPtr> write_patch(const Kind& kind, const RecordPtr& live, const Patch& patch,
                                const Key& key, const Request& request);
  Result<RecordPtr> write_decision(const Kind& kind, const RecordPtr& live,
                                   Result<Decision> decision, bool dry_run);
  Result<RecordPtr> add(const Kind& kind, json::Object object, const Request& request);
  Result<> check_may_create(const Kind& kind, const std::string& ns, std::string_view name) const;

  // Waits until a decision that was made on top of staged writes may be told.
  Task<Result<>> settle(Table& table, Key key);
  Task<Result<>> make_room();

  void on_committed(const std::vector<Change>& changes);
  // Those that are missing: all at the first start, and those whose write has failed.
  void make_default_namespaces();
  void register_definition(const Change& change);
  // A definition's names beside those of its group that others have.
  bool settle_names(json::Object& crd, const json::Object* before) const;
  // Those whose names were taken get them when they are free.
  void settle_refused();
  void note_definition(const Record& record);
  // Brings the objects of a definition that are older than `version` to its present schemas, as
  // Kubernetes does whenever it reads one. What the journal holds stays until they are written.
  void refit_objects(const std::string& definition, Version version);
  void sweep_definitions();
  // True when it has written something, so that there may be more to do.
  bool sweep_definition(const std::string& name);

  Loop& loop_;
  api::Registry& registry_;
  Random& random_;
  std::unique_ptr<State> state_;
  CommitQueue queue_;
  Table& namespaces_;
  Table& definitions_;
  std::set<std::string> dying_;  // definitions whose objects are being deleted
  struct Names {
    std::string group;
    json::Object accepted;
  };
  std::map<std::string, Names> names_;  // of committed definitions
  std::set<std::string> refused_;       // definitions whose names are not accepted
  bool settling_ = false;
  bool settle_due_ = false;  // there may be definitions whose names are free by now
  bool sweeping_ = false;
  bool has_default_namespaces_ = false;
  // The text that new records of a version share.
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> api_versions_;
};

}  // namespace slipway::store
