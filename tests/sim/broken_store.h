#pragma once

#include "control/testing/passing_store.h"

namespace slipway::sim {

// One write, as a mistake sees it.
struct Write {
  enum class Verb : std::uint8_t { kCreate, kUpdate, kPatch, kRemove };
  Verb verb;
  const api::Gvr& kind;
  std::string_view subresource = {};
  const json::Object* body = nullptr;  // null: a removal, or a patch that is no object
};

// What a controller does wrong when it writes. Null: nothing.
struct Mistake {
  bool (*forgets)(const Write&) = nullptr;  // it takes the write for done, and it was not
  bool (*repeats)(const Write&) = nullptr;  // a creation is done twice
};

// A store below controllers that have been broken: what they read is what is there.
class BrokenStore final : public control::PassingStore {
 public:
  BrokenStore(store::Store& below, Mistake mistake) : PassingStore(below), mistake_(mistake) {}

  Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                   store::WriteOptions options) override;
  Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                   store::WriteOptions options) override;
  Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                  store::WriteOptions options) override;
  Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                               store::DeleteOptions options) override;

 private:
  bool forgets(const Write& write) const { return mistake_.forgets && mistake_.forgets(write); }

  Mistake mistake_;
};

}  // namespace slipway::sim
