#include "control/namespaces.h"

#include "api/object.h"
#include "async/wait_all.h"
#include "store/decode.h"

namespace slipway::control {

namespace {

const api::Gvr kNamespaces{"", "v1", "namespaces"};
constexpr std::string_view kFinalizer = "kubernetes";
constexpr std::size_t kPage = 200;
// Objects with finalizers take their time; what they wait for does not show in the namespace
// itself.
constexpr Duration kLookAgain = std::chrono::milliseconds(500);

bool holds_finalizer(const json::Value& ns) {
  const json::Value* list = json::at(ns, {"spec", "finalizers"});
  if (!list || !list->is_array()) return false;
  for (const auto& name : list->get_array())
    if (name.is_string() && name.get_string() == kFinalizer) return true;
  return false;
}

void drop_finalizer(json::Value& ns) {
  json::Array left;
  for (const auto& name : json::at(ns, {"spec", "finalizers"})->get_array())
    if (!name.is_string() || name.get_string() != kFinalizer) left.push_back(name);
  json::object_at(ns, {"spec"})["finalizers"] = std::move(left);
}

void note_remaining(const api::Gvr& kind, const store::Item& item, NamespaceContent& left) {
  ++left.kinds[kind.resource + "." + kind.group];
  if (const auto object = store::decode(item))
    for (const auto& finalizer : api::finalizers_of(*object)) ++left.finalizers[finalizer];
}

}  // namespace

ControllerOptions NamespaceReconciler::options() {
  return {.name = "namespaces", .kind = kNamespaces};
}

Task<Result<Outcome>> NamespaceReconciler::reconcile(store::Key key) {
  auto item = co_await manager_.store().get(kNamespaces, key);
  if (!item && item.error().code == ErrorCode::kNotFound) co_return Outcome{};
  if (!item) co_return std::unexpected(item.error());
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(document.error());
  json::Value ns(std::move(*document));
  if (!api::is_deleting(ns.get_object()) || !holds_finalizer(ns)) co_return Outcome{};

  std::size_t found = 0;
  NamespaceContent left;
  for (const auto& resource : manager_.registry().all()) {
    if (!resource->namespaced || !resource->stored) continue;
    auto there = co_await empty_kind(resource->gvr(), key.name, left);
    if (!there) co_return std::unexpected(there.error());
    found += *there;
  }
  // Only a look that finds nothing at all lets the namespace go: what was just deleted may still
  // have finalizers.
  if (found > 0) {
    if (!left.kinds.empty()) SLIPWAY_CO_TRY(co_await tell(key, std::move(ns), std::move(left)));
    co_return Outcome{.again = kLookAgain};
  }

  drop_finalizer(ns);
  auto done = co_await manager_.store().update(kNamespaces, key, ns.get_object(),
                                               {.subresource = "finalize"});
  if (!done && done.error().code != ErrorCode::kNotFound) co_return std::unexpected(done.error());
  co_return Outcome{};
}

Task<Result<>> NamespaceReconciler::tell(store::Key key, json::Value ns, NamespaceContent left) {
  if (!set_conditions(ns, left, manager_.loop().clock().now())) co_return Result<>{};
  auto told = co_await manager_.store().update(kNamespaces, key, ns.get_object(),
                                               {.subresource = "status"});
  // Another look follows in any case, and tells what it finds.
  const bool passes = !told && (told.error().code == ErrorCode::kConflict ||
                                told.error().code == ErrorCode::kNotFound);
  if (!told && !passes) co_return std::unexpected(told.error());
  co_return Result<>{};
}

Task<Result<std::size_t>> NamespaceReconciler::empty_kind(api::Gvr kind, std::string ns,
                                                          NamespaceContent& left) {
  std::size_t there = 0;
  store::ListOptions options{.ns = ns, .limit = kPage};
  do {
    auto page = co_await manager_.store().list(kind, options);
    // A kind whose CRD has just gone has nothing left to delete.
    if (!page && page.error().code == ErrorCode::kNotFound) co_return there;
    if (!page) co_return std::unexpected(page.error());
    // Side by side, so that many share one commit.
    std::vector<Task<Result<store::Store::Deleted>>> batch;
    for (const auto& item : page->items)
      batch.push_back(manager_.store().remove(kind, item.key,
                                              {.propagation = store::Propagation::kBackground}));
    there += batch.size();
    for (const auto& done : co_await wait_all(manager_.loop(), std::move(batch))) {
      if (!done && done.error().code != ErrorCode::kNotFound)
        co_return std::unexpected(done.error());
      if (done && !done->gone) note_remaining(kind, done->item, left);
    }
    options.continue_token = page->continue_token;
  } while (!options.continue_token.empty());
  co_return there;
}

}  // namespace slipway::control
