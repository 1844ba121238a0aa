#pragma once

#include <functional>
#include <string>

#include "control/testing/passing_store.h"

namespace slipway::scenario {

// A write on its way from the controllers to the store.
struct Write {
  enum class Verb { kCreate, kUpdate, kPatch, kRemove };
  Verb verb;
  const api::Gvr& kind;
  const store::Key& key;  // a create's is empty
  json::Value& body;      // an object; a patch may be a list; null of a removal
  // A create: once more under another name. A removal: whatever else its owner has of the kind. A
  // patch: what it is of goes instead.
  bool& more;

  // The status that a Rollout is to have; null when this is no write of one.
  json::Object* rollout_status() const;
};
using Spoiler = std::function<void(const Write&)>;

// Controllers that do wrong, as the store sees them: what they write is changed on its way.
class SpoilingStore final : public control::PassingStore {
 public:
  SpoilingStore(store::Store& below, Spoiler spoiler)
      : PassingStore(below), spoiler_(std::move(spoiler)) {}

  Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                   store::WriteOptions options) override;
  Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                   store::WriteOptions options) override;
  Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                  store::WriteOptions options) override;
  Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                               store::DeleteOptions options) override;

 private:
  Task<> remove_siblings(api::Gvr kind, store::Key key);

  Spoiler spoiler_;
};

}  // namespace slipway::scenario
