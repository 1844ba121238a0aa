#pragma once

#include <functional>
#include <optional>

#include "async/loop.h"
#include "control/testing/passing_store.h"

namespace slipway::control {

// A store whose watches a test can break, and whose lists it can count and change.
class LossyStore final : public PassingStore {
 public:
  LossyStore(Loop& loop, store::Store& below) : PassingStore(below), loop_(loop) {}

  int lists = 0;
  Duration list_takes = {};
  std::optional<ErrorCode> refuse_watch = {};          // instead of beginning one
  std::function<void(store::Page&)> change_page = {};  // of each list
  // From now on watches bring nothing, until break_watches() ends them.
  void mute() { muted_ = true; }
  void break_watches(ErrorCode how) {
    muted_ = false;
    how_ = how;
    std::exchange(breaking_, std::stop_source()).request_stop();
  }

  Task<Result<store::Page>> list(api::Gvr kind, store::ListOptions options) override {
    ++lists;
    if (list_takes > Duration::zero()) co_await sleep_for(loop_, list_takes);
    auto page = co_await below_.list(std::move(kind), std::move(options));
    if (page && change_page) change_page(*page);
    co_return page;
  }
  Task<Result<std::unique_ptr<store::Watch>>> watch(api::Gvr kind,
                                                    store::WatchOptions options) override {
    if (refuse_watch) co_return fail(*refuse_watch, "no watch today");
    auto inner = co_await below_.watch(std::move(kind), std::move(options));
    if (!inner) co_return std::unexpected(inner.error());
    co_return std::make_unique<LossyWatch>(*this, std::move(*inner));
  }

 private:
  class LossyWatch final : public store::Watch {
   public:
    LossyWatch(LossyStore& store, std::unique_ptr<store::Watch> inner)
        : store_(store), inner_(std::move(inner)), breaking_(store.breaking_.get_token()) {}

    Task<Result<std::vector<store::Event>>> next(Duration patience, std::stop_token stop) override {
      if (breaking_.stop_requested()) co_return fail(store_.how_, "the watch broke");
      std::stop_source either;
      std::stop_callback stopped(stop, [&either] { either.request_stop(); });
      std::stop_callback broken(breaking_, [&either] { either.request_stop(); });
      auto events = co_await inner_->next(patience, either.get_token());
      if (events && store_.muted_) {
        co_await sleep_for(store_.loop_, std::chrono::hours(1000), either.get_token());
        events = fail(ErrorCode::kCancelled, "the watch was stopped");
      }
      if (breaking_.stop_requested()) co_return fail(store_.how_, "the watch broke");
      co_return events;
    }

   private:
    LossyStore& store_;
    std::unique_ptr<store::Watch> inner_;
    std::stop_token breaking_;
  };

  Loop& loop_;
  std::stop_source breaking_;  // the watches begun since the last break
  bool muted_ = false;
  ErrorCode how_ = ErrorCode::kExpired;
};

}  // namespace slipway::control
