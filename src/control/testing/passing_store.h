#pragma once

#include "store/store.h"

namespace slipway::control {

// A store that hands everything on to the one below, for those that change some of it.
class PassingStore : public store::Store {
 public:
  explicit PassingStore(store::Store& below) : below_(below) {}

  Task<Result<store::Item>> get(api::Gvr kind, store::Key key) override {
    return below_.get(std::move(kind), std::move(key));
  }
  Task<Result<store::Page>> list(api::Gvr kind, store::ListOptions options) override {
    return below_.list(std::move(kind), std::move(options));
  }
  Task<Result<std::unique_ptr<store::Watch>>> watch(api::Gvr kind,
                                                    store::WatchOptions options) override {
    return below_.watch(std::move(kind), std::move(options));
  }
  Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                   store::WriteOptions options) override {
    return below_.create(std::move(kind), std::move(ns), std::move(object), std::move(options));
  }
  Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                   store::WriteOptions options) override {
    return below_.update(std::move(kind), std::move(key), std::move(object), std::move(options));
  }
  Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                  store::WriteOptions options) override {
    return below_.patch(std::move(kind), std::move(key), std::move(patch), std::move(options));
  }
  Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                               store::DeleteOptions options) override {
    return below_.remove(std::move(kind), std::move(key), std::move(options));
  }

 protected:
  store::Store& below_;
};

}  // namespace slipway::control
