#include "store/embedded/engine.h"

#include <algorithm>

#include "store/embedded/kind_traits.h"
#include "store/embedded/sqlite_journal.h"
#include "store/embedded/watch.h"
#include "store/embedded/wording.h"

namespace slipway::store {

Engine::Engine(Loop& loop, api::Registry& registry, Random& random, std::unique_ptr<State> state,
               std::unique_ptr<Journal> journal)
    : loop_(loop),
      registry_(registry),
      random_(random),
      state_(std::move(state)),
      queue_(loop, *state_, std::move(journal),
             [this](const std::vector<Change>& changes) { on_committed(changes); }),
      namespaces_(state_->table("namespaces")),
      definitions_(state_->table("customresourcedefinitions.apiextensions.k8s.io")) {
  for (const RecordPtr& definition : definitions_.records) {
    note_definition(*definition);
    // When its schemas changed last is not known, but that it was no later than this.
    refit_objects(definition->key.name, definition->version);
  }
  make_default_namespaces();
  settle_refused();
  sweep_definitions();
}

Engine::~Engine() {
  for (const auto& [name, table] : state_->tables()) {
    for (TableWatch* watch : table->watches) watch->close();
  }
}

Result<Engine::Kind> Engine::find_kind(const api::Gvr& gvr) {
  std::shared_ptr<const api::Resource> resource = registry_.find(gvr);
  if (!resource || !resource->stored) return no_such_kind();
  Table& table = state_->table(group_resource(*resource));
  return Kind{std::move(resource), &table};
}

void Engine::on_committed(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.table == &definitions_) register_definition(change);
    for (TableWatch* watch : change.table->watches) watch->notice(change);
  }
  settle_due_ |=
      std::ranges::any_of(changes, [&](const Change& one) { return one.table == &definitions_; });
  if (settle_due_) settle_refused();
  sweep_definitions();
}

void Engine::make_default_namespaces() {
  auto resource = registry_.find(api::Gvr{"", "v1", "namespaces"});
  SLIPWAY_ASSERT(resource);
  WriteOptions options{.manager = "kube-apiserver"};
  Request request{*resource, options, loop_.clock().now()};
  has_default_namespaces_ = true;
  for (const char* name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
    if (State::find(namespaces_, {"", name})) continue;
    has_default_namespaces_ = false;
    if (State::find_staged(namespaces_, {"", name})) continue;
    json::Object object{{"metadata", json::Object{{"name", name}}}};
    Result<RecordPtr> made = write_new({resource, &namespaces_}, "", std::move(object), request);
    SLIPWAY_ASSERT(made);
  }
}

Task<Result<>> Engine::make_room() {
  if (co_await queue_.room()) co_return Result<>();
  co_return fail(ErrorCode::kCancelled, "the store is stopping");
}

Task<Result<>> Engine::settle(Table& table, Key key) {
  if (!table.staged.contains(key) && !namespaces_.staged.contains(KeyView("", key.ns)))
    co_return Result<>();
  co_return co_await queue_.settled();
}

Task<> Engine::stop() {
  co_await queue_.stop();
  for (const auto& [name, table] : state_->tables()) {
    for (TableWatch* watch : table->watches) watch->close();
    table->watches.clear();
  }
}

EmbeddedStats Engine::stats() const {
  EmbeddedStats stats{.objects = {},
                      .object_bytes = state_->object_bytes(),
                      .watches = 0,
                      .history_events = state_->history_events(),
                      .history_bytes = state_->history_bytes(),
                      .version = state_->committed(),
                      .writes = queue_.writes(),
                      .commits = queue_.commits(),
                      .failed_commits = queue_.failed_commits(),
                      .staged = state_->staged()};
  for (const auto& [name, table] : state_->tables()) {
    if (!table->records.empty()) stats.objects[name] = table->records.size();
    stats.watches += table->watches.size();
  }
  return stats;
}

std::unique_ptr<EmbeddedStore> make_memory_store(Loop& loop, api::Registry& registry,
                                                 Random& random) {
  return std::make_unique<Engine>(loop, registry, random, std::make_unique<State>(), nullptr);
}

Result<std::unique_ptr<EmbeddedStore>> open_sqlite_store(Loop& loop, Pool& pool,
                                                         api::Registry& registry, Random& random,
                                                         std::string path, std::string vfs) {
  auto state = std::make_unique<State>();
  Result<std::unique_ptr<Journal>> journal = open_sqlite_journal(loop, pool, *state, path, vfs);
  if (!journal) return std::unexpected(std::move(journal).error());
  return std::make_unique<Engine>(loop, registry, random, std::move(state), std::move(*journal));
}

}  // namespace slipway::store
