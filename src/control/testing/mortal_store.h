#pragma once

#include <map>
#include <string>

#include "async/loop.h"
#include "control/testing/passing_store.h"

namespace slipway::control {

// A store as one life of a program sees it: it may die at its n-th write, whether or not that still
// happens, lose an answer, find that others wrote first, and be late with news. Writes of events
// are not counted: those come whenever there is time.
class MortalStore final : public PassingStore {
 public:
  MortalStore(Loop& loop, store::Store& below) : PassingStore(below), loop_(loop) {}

  int writes = 0;
  int dies_at = -1;           // the number of the write, from 0; below 0: lives for ever
  bool last_happens = false;  // the write it dies at
  int lose_answer = -1;       // the write with this number happens, and its caller is told not
  int conflicts = 0;  // so many of the next writes but creates find that somebody wrote first
  std::string late_kind = {};  // a resource whose watches are behind by `lag`
  Duration lag = {};
  std::map<std::string, int> created = {};  // by resource
  bool dead() const { return dies_at >= 0 && writes > dies_at; }

  Task<Result<store::Item>> get(api::Gvr kind, store::Key key) override {
    if (dead()) co_return gone();
    co_return co_await below_.get(std::move(kind), std::move(key));
  }
  Task<Result<std::unique_ptr<store::Watch>>> watch(api::Gvr kind,
                                                    store::WatchOptions options) override {
    const bool late = kind.resource == late_kind;
    auto watch = co_await below_.watch(std::move(kind), std::move(options));
    if (!watch || !late) co_return watch;
    co_return std::make_unique<LateWatch>(*this, std::move(*watch));
  }
  Task<Result<store::Item>> create(api::Gvr kind, std::string ns, json::Object object,
                                   store::WriteOptions options) override {
    return write(kind, count(kind, below_.create(kind, std::move(ns), std::move(object),
                                                 std::move(options))));
  }
  Task<Result<store::Item>> update(api::Gvr kind, store::Key key, json::Object object,
                                   store::WriteOptions options) override {
    return contend(kind,
                   below_.update(kind, std::move(key), std::move(object), std::move(options)));
  }
  Task<Result<store::Item>> patch(api::Gvr kind, store::Key key, store::Patch patch,
                                  store::WriteOptions options) override {
    return contend(kind, below_.patch(kind, std::move(key), std::move(patch), std::move(options)));
  }
  Task<Result<Deleted>> remove(api::Gvr kind, store::Key key,
                               store::DeleteOptions options) override {
    return contend(kind, below_.remove(kind, std::move(key), std::move(options)));
  }

 private:
  class LateWatch final : public store::Watch {
   public:
    LateWatch(MortalStore& store, std::unique_ptr<store::Watch> inner)
        : store_(store), inner_(std::move(inner)) {}
    Task<Result<std::vector<store::Event>>> next(Duration patience, std::stop_token stop) override {
      auto events = co_await inner_->next(patience, stop);
      if (events) co_await sleep_for(store_.loop_, store_.lag);
      co_return events;
    }

   private:
    MortalStore& store_;
    std::unique_ptr<store::Watch> inner_;
  };

  static std::unexpected<Error> gone() { return fail(ErrorCode::kUnavailable, "gone"); }
  static bool is_counted(const api::Gvr& kind) { return kind.resource != "events"; }

  template <class T>
  Task<Result<T>> write(api::Gvr kind, Task<Result<T>> task) {
    if (dead()) co_return gone();
    if (!is_counted(kind)) co_return co_await std::move(task);
    const int number = writes++;
    if (number == dies_at && !last_happens) co_return gone();
    auto done = co_await std::move(task);
    if (number == dies_at || number == lose_answer) co_return gone();
    co_return done;
  }
  template <class T>
  Task<Result<T>> contend(api::Gvr kind, Task<Result<T>> task) {
    if (conflicts > 0 && is_counted(kind) && !dead()) {
      --conflicts;
      co_return fail(ErrorCode::kConflict, "the object has been modified");
    }
    co_return co_await write(std::move(kind), std::move(task));
  }
  Task<Result<store::Item>> count(api::Gvr kind, Task<Result<store::Item>> task) {
    auto made = co_await std::move(task);
    if (made && is_counted(kind)) ++created[kind.resource];
    co_return made;
  }

  Loop& loop_;
};

}  // namespace slipway::control
