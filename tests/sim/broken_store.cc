#include "sim/broken_store.h"

namespace slipway::sim {

Task<Result<store::Item>> BrokenStore::create(api::Gvr kind, std::string ns, json::Object object,
                                              store::WriteOptions options) {
  const Write write{.verb = Write::Verb::kCreate, .kind = kind, .body = &object};
  if (mistake_.repeats && mistake_.repeats(write))
    (void)co_await below_.create(kind, ns, object, options);
  co_return co_await below_.create(kind, std::move(ns), std::move(object), std::move(options));
}

Task<Result<store::Item>> BrokenStore::update(api::Gvr kind, store::Key key, json::Object object,
                                              store::WriteOptions options) {
  if (forgets({.verb = Write::Verb::kUpdate,
               .kind = kind,
               .subresource = options.subresource,
               .body = &object}))
    co_return co_await below_.get(kind, std::move(key));
  co_return co_await below_.update(kind, std::move(key), std::move(object), std::move(options));
}

Task<Result<store::Item>> BrokenStore::patch(api::Gvr kind, store::Key key, store::Patch patch,
                                             store::WriteOptions options) {
  if (forgets({.verb = Write::Verb::kPatch,
               .kind = kind,
               .subresource = options.subresource,
               .body = patch.body.if_object()}))
    co_return co_await below_.get(kind, std::move(key));
  co_return co_await below_.patch(kind, std::move(key), std::move(patch), std::move(options));
}

Task<Result<store::Store::Deleted>> BrokenStore::remove(api::Gvr kind, store::Key key,
                                                        store::DeleteOptions options) {
  if (forgets({.verb = Write::Verb::kRemove, .kind = kind})) {
    auto item = co_await below_.get(kind, std::move(key));
    if (!item) co_return std::unexpected(item.error());
    co_return Deleted{.item = std::move(*item)};
  }
  co_return co_await below_.remove(kind, std::move(key), std::move(options));
}

}  // namespace slipway::sim
