#pragma once

#include <optional>

#include "analysis/controller.h"
#include "analysis/measure_testing.h"
#include "control/testing/store_fixture.h"

namespace slipway::analysis {

// A store as one life of the program sees it: dead from its n-th write on, and it may lose an
// answer.
class MortalStore final : public store::Store {
 public:
  explicit MortalStore(store::Store& below) : below_(below) {}

  int writes_left = -1;  // below 0: for ever
  int lose_answer = -1;  // of the write with this number: it happens, and its caller is told not
  int writes = 0;
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
    co_return co_await below_.create(std::move(kind), std::move(ns), std::move(object),
                                     std::move(options));
  }
  slipway::Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                            store::WriteOptions options) override {
    if (dead()) co_return gone();
    co_return co_await below_.update(std::move(kind), std::move(key), std::move(object),
                                     std::move(options));
  }
  slipway::Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                           store::WriteOptions options) override {
    if (dead()) co_return gone();
    auto done = co_await below_.patch(std::move(kind), std::move(key), std::move(patch),
                                      std::move(options));
    if (writes_left > 0) --writes_left;
    if (dead() || writes++ == lose_answer) co_return gone();
    co_return done;
  }
  slipway::Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                                        store::DeleteOptions options) override {
    if (dead()) co_return gone();
    co_return co_await below_.remove(std::move(kind), std::move(key), std::move(options));
  }

 private:
  static std::unexpected<Error> gone() { return fail(ErrorCode::kUnavailable, "gone"); }
  store::Store& below_;
};

// One life of the program, as far as AnalysisRuns are concerned.
struct Life {
  Life(Loop& on, store::Store& below, api::Registry& registry, Random& random, FakeSources& sources)
      : loop(on),
        store(below),
        manager(on, store, registry),
        recorder(on, store, random, "rollouts-controller"),
        measurer(on, store, sources.opener()),
        reconciler(manager, recorder, measurer) {
    manager.add(AnalysisRunReconciler::options(), reconciler);
  }
  void end() {
    reconciler.request_stop();
    run_to_end(loop, manager.stop());
    run_to_end(loop, recorder.stop());
  }

  Loop& loop;
  MortalStore store;
  control::Manager manager;
  control::Recorder recorder;
  Measurer measurer;
  AnalysisRunReconciler reconciler;
};

}  // namespace slipway::analysis
