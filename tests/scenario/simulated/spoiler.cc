#include "scenario/simulated/spoiler.h"

#include "api/object.h"
#include "scenario/player/kinds.h"
#include "store/decode.h"

namespace slipway::scenario {

json::Object* Write::rollout_status() const {
  if (kind != kRollouts || verb != Verb::kPatch || !body.is_array()) return nullptr;
  for (json::Value& change : body.get_array())
    if (json::string_at(change, {"path"}) == "/status") return &change.at("value").as_object();
  return nullptr;
}

Task<Result<store::Item>> SpoilingStore::create(api::Gvr kind, std::string ns, json::Object object,
                                                store::WriteOptions options) {
  json::Value body = std::move(object);
  bool more = false;
  const store::Key nothing;
  if (spoiler_) spoiler_({Write::Verb::kCreate, kind, nothing, body, more});
  if (more) {
    json::Value other = body;
    json::object_at(other, {"metadata"})["name"] =
        std::string(api::name_of(body.get_object())) + "-x";
    (void)co_await below_.create(kind, ns, std::move(other.get_object()), options);
  }
  co_return co_await below_.create(std::move(kind), std::move(ns), std::move(body.get_object()),
                                   std::move(options));
}

Task<Result<store::Item>> SpoilingStore::update(api::Gvr kind, store::Key key, json::Object object,
                                                store::WriteOptions options) {
  json::Value body = std::move(object);
  bool more = false;
  if (spoiler_) spoiler_({Write::Verb::kUpdate, kind, key, body, more});
  return below_.update(std::move(kind), std::move(key), std::move(body.get_object()),
                       std::move(options));
}

Task<Result<store::Item>> SpoilingStore::patch(api::Gvr kind, store::Key key, store::Patch patch,
                                               store::WriteOptions options) {
  bool more = false;
  if (spoiler_) spoiler_({Write::Verb::kPatch, kind, key, patch.body, more});
  if (more) (void)co_await below_.remove(kind, key, {});
  co_return co_await below_.patch(std::move(kind), std::move(key), std::move(patch),
                                  std::move(options));
}

Task<> SpoilingStore::remove_siblings(api::Gvr kind, store::Key key) {
  const auto owner_in = [](const store::Item& item) {
    const auto document = store::decode(item);
    const auto owner = document ? api::controller_of(*document) : std::nullopt;
    return owner ? owner->uid : std::string();
  };
  const auto one = co_await below_.get(kind, key);
  const auto all = co_await below_.list(kind, {.ns = key.ns});
  if (!one || !all) co_return;
  for (const store::Item& item : all->items)
    if (item.key != key && owner_in(item) == owner_in(*one))
      (void)co_await below_.remove(kind, item.key, {});
}

Task<Result<store::Store::Deleted>> SpoilingStore::remove(api::Gvr kind, store::Key key,
                                                          store::DeleteOptions options) {
  json::Value nothing;
  bool more = false;
  if (spoiler_) spoiler_({Write::Verb::kRemove, kind, key, nothing, more});
  if (more) co_await remove_siblings(kind, key);
  co_return co_await below_.remove(std::move(kind), std::move(key), std::move(options));
}

}  // namespace slipway::scenario
