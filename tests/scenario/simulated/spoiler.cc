#include "scenario/simulated/spoiler.h"

#include "api/object.h"
#include "scenario/player/kinds.h"

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
  bool twice = false;
  const store::Key nothing;
  if (spoiler_) spoiler_({Write::Verb::kCreate, kind, nothing, body, twice});
  if (twice) {
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
  bool twice = false;
  if (spoiler_) spoiler_({Write::Verb::kUpdate, kind, key, body, twice});
  return below_.update(std::move(kind), std::move(key), std::move(body.get_object()),
                       std::move(options));
}

Task<Result<store::Item>> SpoilingStore::patch(api::Gvr kind, store::Key key, store::Patch patch,
                                               store::WriteOptions options) {
  bool twice = false;
  if (spoiler_) spoiler_({Write::Verb::kPatch, kind, key, patch.body, twice});
  return below_.patch(std::move(kind), std::move(key), std::move(patch), std::move(options));
}

}  // namespace slipway::scenario
