#include "control/garbage.h"

#include <fmt/format.h>

#include <cstring>

#include "base/log.h"
#include "store/decode.h"

namespace slipway::control {

namespace {

constexpr int kWorkers = 4;
constexpr Duration kSyncWait = std::chrono::milliseconds(20);
constexpr Duration kCatchUp = std::chrono::seconds(5);

const api::Gvr kEvents{"", "v1", "events"};
const api::Gvr kCrds{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};

// Most objects have neither owner nor deletion; their text says so without a parse.
bool may_matter(const store::Item& item) {
  const auto holds = [&text = *item.bytes](std::string_view word) {
    return memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
  };
  return holds("\"ownerReferences\"") || holds("\"deletionTimestamp\"");
}

// Of what a cache holds, which could be read before.
json::Object document_of(const store::Item& item) {
  return store::decode(item).value_or(json::Object());
}

bool has_finalizer(const json::Object& object, std::string_view name) {
  const auto finalizers = api::finalizers_of(object);
  return std::ranges::find(finalizers, name) != finalizers.end();
}

// It is being deleted, and goes when we have dealt with its dependents.
bool waits_for_us(const json::Object& object) {
  return api::is_deleting(object) &&
         (has_finalizer(object, kOrphanFinalizer) || has_finalizer(object, kForegroundFinalizer));
}

json::Value owners_patch(const json::Object& object,
                         const std::vector<api::OwnerReference>& owners) {
  json::Value holder = json::Object{};
  api::set_owners(holder.get_object(), owners);
  const json::Value* list = json::at(holder, {"metadata", "ownerReferences"});
  json::Object metadata{{"uid", api::uid_of(object)},
                        {"resourceVersion", std::to_string(api::version_of(object))},
                        {"ownerReferences", list ? *list : json::Value(nullptr)}};
  return json::Object{{"metadata", std::move(metadata)}};
}

}  // namespace

struct GarbageCollector::State {
  State(Manager& by, Recorder& to, GarbageOptions with)
      : manager(by), recorder(to), rules(with), queue(by.loop()) {}

  void watch_kinds();
  void watch_kind(const api::Gvr& kind);
  void noticed(const api::Gvr& kind, const store::Item* before, const store::Item* after);
  void add_owners(const json::Object& object, const std::string& ns);
  void add_dependents(std::string_view uid);
  std::optional<ObjectId> owner_id(const api::OwnerReference& owner, const std::string& ns) const;
  void report_unresolvable(const json::Object& object);
  bool all_synced() const;

  Task<> work(std::stop_token stop);
  Task<Result<>> look(ObjectId id);
  Task<Result<OwnerState>> owner_state(api::OwnerReference owner, std::string ns);
  std::vector<Dependent> dependents_of(const json::Object& owned_by) const;

  Task<Result<>> perform(ObjectId id, json::Object object, garbage::Plan plan);
  Task<Result<>> write_owners(ObjectId id, json::Object object,
                              std::vector<api::OwnerReference> owners);
  Task<Result<>> orphan_dependents(json::Object owned_by);
  Task<Result<>> catch_up(store::Version version);
  Task<Result<>> finish(ObjectId id, json::Object object, std::string finalizer);

  Manager& manager;
  Recorder& recorder;
  GarbageOptions rules;
  std::stop_token stopping;
  Queue<ObjectId> queue;
  std::map<api::Gvr, Cache*> watched;
};

GarbageCollector::GarbageCollector(Manager& manager, Recorder& recorder, GarbageOptions options)
    : state_(std::make_unique<State>(manager, recorder, options)) {
  State& state = *state_;
  manager.cache(kCrds).on_change([&state, &manager](const store::Item*, const store::Item*) {
    manager.loop().post([&state] { state.watch_kinds(); });
  });
  state.watch_kinds();
  for (int i = 0; i < kWorkers; ++i)
    manager.add_job([&state](std::stop_token stop) { return state.work(stop); });
}

GarbageCollector::~GarbageCollector() = default;

std::size_t GarbageCollector::queued() const { return state_->queue.size(); }

void GarbageCollector::State::watch_kinds() {
  for (const auto& resource : manager.registry().all())
    if (resource->stored && resource->gvr() != kEvents) watch_kind(resource->gvr());
}

void GarbageCollector::State::watch_kind(const api::Gvr& kind) {
  if (watched.contains(kind)) return;
  Cache& cache = manager.cache(kind);
  watched.emplace(kind, &cache);
  cache.on_change([this, kind](const store::Item* before, const store::Item* after) {
    noticed(kind, before, after);
  });
}

void GarbageCollector::State::noticed(const api::Gvr& kind, const store::Item* before,
                                      const store::Item* after) {
  if (after && may_matter(*after)) queue.add({kind, after->key});
  // Whoever waits for this object, or hangs on it, is looked at when it changes or goes.
  if (before && may_matter(*before)) add_owners(document_of(*before), before->key.ns);
  if (before && !after) add_dependents(api::uid_of(document_of(*before)));
}

void GarbageCollector::State::add_owners(const json::Object& object, const std::string& ns) {
  for (const auto& owner : api::owners_of(object))
    if (auto id = owner_id(owner, ns)) queue.add(*id);
}

void GarbageCollector::State::add_dependents(std::string_view uid) {
  for (const auto& [kind, cache] : watched)
    for (const auto* item : cache->owned_by(uid)) queue.add({kind, item->key});
}

std::optional<ObjectId> GarbageCollector::State::owner_id(const api::OwnerReference& owner,
                                                          const std::string& ns) const {
  const auto resource = manager.registry().find(api::parse_gvk(owner.api_version, owner.kind));
  if (!resource || !resource->stored) return std::nullopt;
  if (resource->namespaced && ns.empty()) return std::nullopt;  // report_unresolvable says why
  return ObjectId{resource->gvr(), {resource->namespaced ? ns : "", owner.name}};
}

// A cluster-scoped object cannot say which namespace its owner is in.
void GarbageCollector::State::report_unresolvable(const json::Object& object) {
  if (!api::namespace_of(object).empty()) return;
  for (const auto& owner : api::owners_of(object)) {
    const auto resource = manager.registry().find(api::parse_gvk(owner.api_version, owner.kind));
    if (!resource || !resource->namespaced) continue;
    recorder.record(object, EventKind::kWarning, "OwnerRefInvalidNamespace",
                    fmt::format("ownerRef [{}/{}, namespace: , name: {}, uid: {}] does not exist "
                                "in namespace \"\"",
                                owner.api_version, owner.kind, owner.name, owner.uid));
  }
}

bool GarbageCollector::State::all_synced() const {
  for (const auto& [kind, cache] : watched)
    if (!cache->synced() && manager.registry().find(kind)) return false;
  return true;
}

Task<> GarbageCollector::State::work(std::stop_token stop) {
  stopping = stop;
  // A dependent that has not been seen yet must not be missed: everything is known before the first
  // look.
  while (!all_synced() && co_await sleep_for(manager.loop(), kSyncWait, stop)) {
  }
  while (auto id = co_await queue.take(stop)) {
    // A store that never suspends must not keep the loop from the caches and from everybody else.
    co_await next_turn(manager.loop());
    auto done = co_await look(*id);
    if (done || done.error().code == ErrorCode::kNotFound) {
      queue.done(*id);
      continue;
    }
    if (done.error().code != ErrorCode::kConflict && done.error().code != ErrorCode::kCancelled)
      log::warning("garbage", "{} {}/{}: {}", id->kind.resource, id->key.ns, id->key.name,
                   done.error().text());
    queue.failed(*id);
  }
}

Task<Result<>> GarbageCollector::State::look(ObjectId id) {
  auto item = co_await manager.store().get(id.kind, id.key);
  if (!item) co_return std::unexpected(item.error());
  auto object = store::decode(*item);
  if (!object) co_return std::unexpected(object.error());
  report_unresolvable(*object);
  std::vector<KnownOwner> owners;
  for (const auto& owner : api::owners_of(*object)) {
    auto state = co_await owner_state(owner, id.key.ns);
    if (!state) co_return std::unexpected(state.error());
    owners.push_back({owner, *state});
  }
  if (rules.catch_up && waits_for_us(*object))
    SLIPWAY_CO_TRY(co_await catch_up(api::version_of(*object)));
  const auto dependents = dependents_of(*object);
  co_return co_await perform(id, *object, rules.decide(*object, owners, dependents));
}

Task<Result<OwnerState>> GarbageCollector::State::owner_state(api::OwnerReference owner,
                                                              std::string ns) {
  const auto id = owner_id(owner, ns);
  if (!id) co_return OwnerState::kSolid;
  auto item = co_await manager.store().get(id->kind, id->key);
  if (!item && item.error().code == ErrorCode::kNotFound) co_return OwnerState::kGone;
  if (!item) co_return std::unexpected(item.error());
  const auto object = store::decode(*item);
  if (!object) co_return std::unexpected(object.error());
  if (api::uid_of(*object) != owner.uid) co_return OwnerState::kGone;
  if (!api::is_deleting(*object)) co_return OwnerState::kSolid;
  co_return has_finalizer(*object, kForegroundFinalizer) ? OwnerState::kWaiting
                                                         : OwnerState::kSolid;
}

std::vector<Dependent> GarbageCollector::State::dependents_of(const json::Object& owned_by) const {
  const std::string_view uid = api::uid_of(owned_by);
  const std::string_view ns = api::namespace_of(owned_by);
  std::vector<Dependent> found;
  for (const auto& [kind, cache] : watched) {
    for (const auto* item : cache->owned_by(uid)) {
      const json::Object object = document_of(*item);
      Dependent dependent{.id = {kind, item->key}, .uid = std::string(api::uid_of(object))};
      for (const auto& owner : api::owners_of(object))
        if (owner.uid == uid)
          // From outside its namespace nobody can own it, so nobody can hold it either.
          dependent.blocks_owner = owner.block_owner_deletion && (ns.empty() || item->key.ns == ns);
      dependent.deleting_foreground =
          api::is_deleting(object) && has_finalizer(object, kForegroundFinalizer);
      found.push_back(std::move(dependent));
    }
  }
  return found;
}

Task<Result<>> GarbageCollector::State::perform(ObjectId id, json::Object object,
                                                garbage::Plan plan) {
  if (const auto* remove = std::get_if<garbage::Delete>(&plan)) {
    store::DeleteOptions options{.propagation = remove->propagation,
                                 .if_uid = std::string(api::uid_of(object)),
                                 .if_version = api::version_of(object)};
    SLIPWAY_CO_TRY(co_await manager.store().remove(id.kind, id.key, options));
  } else if (const auto* drop = std::get_if<garbage::DropOwners>(&plan)) {
    auto owners = api::owners_of(object);
    std::erase_if(owners, [&](const api::OwnerReference& owner) {
      return std::ranges::find(drop->uids, owner.uid) != drop->uids.end();
    });
    co_return co_await write_owners(id, std::move(object), std::move(owners));
  } else if (std::holds_alternative<garbage::UnblockOwners>(plan)) {
    auto owners = api::owners_of(object);
    for (auto& owner : owners) owner.block_owner_deletion = false;
    co_return co_await write_owners(id, std::move(object), std::move(owners));
  } else if (std::holds_alternative<garbage::OrphanDependents>(plan)) {
    SLIPWAY_CO_TRY(co_await orphan_dependents(object));
    co_return co_await finish(id, std::move(object), std::string(kOrphanFinalizer));
  } else if (std::holds_alternative<garbage::AwaitDependents>(plan)) {
    add_dependents(api::uid_of(object));
  } else if (const auto* done = std::get_if<garbage::FinishFinalizer>(&plan)) {
    co_return co_await finish(id, std::move(object), done->finalizer);
  }
  co_return Result<>{};
}

Task<Result<>> GarbageCollector::State::write_owners(ObjectId id, json::Object object,
                                                     std::vector<api::OwnerReference> owners) {
  store::Patch patch{.type = store::PatchType::kMerge, .body = owners_patch(object, owners)};
  SLIPWAY_CO_TRY(co_await manager.store().patch(id.kind, id.key, std::move(patch), {}));
  co_return Result<>{};
}

Task<Result<>> GarbageCollector::State::orphan_dependents(json::Object owned_by) {
  const std::string uid(api::uid_of(owned_by));
  for (const auto& dependent : dependents_of(owned_by)) {
    auto item = co_await manager.store().get(dependent.id.kind, dependent.id.key);
    if (!item && item.error().code == ErrorCode::kNotFound) continue;
    if (!item) co_return std::unexpected(item.error());
    auto object = store::decode(*item);
    if (!object) co_return std::unexpected(object.error());
    auto owners = api::owners_of(*object);
    if (std::erase_if(owners, [&](const api::OwnerReference& owner) { return owner.uid == uid; }) ==
        0)
      continue;
    SLIPWAY_CO_TRY(co_await write_owners(dependent.id, std::move(*object), std::move(owners)));
  }
  co_return Result<>{};
}

// The caches may be behind: a dependent made before its owner's deletion must not be missed, and
// once the finalizer has gone it is too late.
Task<Result<>> GarbageCollector::State::catch_up(store::Version version) {
  watch_kinds();
  for (const auto& [kind, cache] : std::map(watched)) {
    // The cache of a kind whose CRD has gone will never get there.
    if (!manager.registry().find(kind)) continue;
    if (!co_await cache->reach(version, kCatchUp, stopping))
      co_return fail(ErrorCode::kConflict,
                     kind.resource + " may hold dependents that are not known yet");
  }
  co_return Result<>{};
}

Task<Result<>> GarbageCollector::State::finish(ObjectId id, json::Object object,
                                               std::string finalizer) {
  auto finalizers = api::finalizers_of(object);
  std::erase(finalizers, finalizer);
  json::Array left;
  for (const auto& name : finalizers) left.emplace_back(name);
  json::Object metadata{{"uid", api::uid_of(object)},
                        {"resourceVersion", std::to_string(api::version_of(object))},
                        {"finalizers", std::move(left)}};
  store::Patch patch{.type = store::PatchType::kMerge,
                     .body = json::Object{{"metadata", std::move(metadata)}}};
  SLIPWAY_CO_TRY(co_await manager.store().patch(id.kind, id.key, std::move(patch), {}));
  co_return Result<>{};
}

}  // namespace slipway::control
