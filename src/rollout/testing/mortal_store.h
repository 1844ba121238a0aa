#pragma once

#include <string>

#include "store/store.h"

namespace slipway::rollout {

// A store as one life of the program sees it: its n-th write happens, but nobody is told, and
// everything after fails.
class MortalStore final : public store::Store {
 public:
  explicit MortalStore(store::Store& below) : below_(below) {}

  int writes_left = -1;  // below 0: for ever
  int writes = 0;        // those of events not counted
  bool dead() const { return writes_left == 0; }

  slipway::Task<Result<store::Item>> get(api::Gvr kind, store::Key key) override {
    if (dead()) co_return gone();
    co_return co_await below_.get(std::move(kind), std::move(key));
  }
  slipway::Task<Result<store::Page>> list(api::Gvr kind, store::ListOptions options) override {
    return below_.list(std::move(kind), std::move(options));
  }
  slipway::Task<Result<std::unique_ptr<store::Watch>>> watch(api::Gvr kind,
                                                             store::WatchOptions options) override {
    return below_.watch(std::move(kind), std::move(options));
  }
  slipway::Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                            store::WriteOptions options) override {
    if (dead()) co_return gone();
    const bool is_last = is_counted(kind) && last();
    auto done = co_await below_.create(std::move(kind), std::move(ns), std::move(object),
                                       std::move(options));
    if (is_last) co_return gone();
    co_return done;
  }
  slipway::Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                            store::WriteOptions options) override {
    if (dead()) co_return gone();
    const bool is_last = is_counted(kind) && last();
    auto done = co_await below_.update(std::move(kind), std::move(key), std::move(object),
                                       std::move(options));
    if (is_last) co_return gone();
    co_return done;
  }
  slipway::Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                           store::WriteOptions options) override {
    if (dead()) co_return gone();
    const bool is_last = is_counted(kind) && last();
    auto done = co_await below_.patch(std::move(kind), std::move(key), std::move(patch),
                                      std::move(options));
    if (is_last) co_return gone();
    co_return done;
  }
  slipway::Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                                        store::DeleteOptions options) override {
    if (dead()) co_return gone();
    const bool is_last = is_counted(kind) && last();
    auto done = co_await below_.remove(std::move(kind), std::move(key), std::move(options));
    if (is_last) co_return gone();
    co_return done;
  }

 private:
  static bool is_counted(const api::Gvr& kind) { return kind.resource != "events"; }
  bool last() {
    ++writes;
    if (writes_left > 0) --writes_left;
    return dead();
  }
  static std::unexpected<Error> gone() { return fail(ErrorCode::kUnavailable, "gone"); }

  store::Store& below_;
};

}  // namespace slipway::rollout
