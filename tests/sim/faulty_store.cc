#include "sim/faulty_store.h"

namespace slipway::sim {

namespace {

std::unexpected<Error> gone() {
  return fail(ErrorCode::kCancelled, "this incarnation has crashed");
}

}  // namespace

class FaultyWatch : public store::Watch {
 public:
  FaultyWatch(FaultyStore& store, std::unique_ptr<store::Watch> inner)
      : store_(store), inner_(std::move(inner)) {}

  Task<Result<std::vector<store::Event>>> next(Duration patience, std::stop_token stop) override {
    auto events = co_await inner_->next(patience, stop);
    if (!events) co_return events;
    // News travels at its own speed.
    const auto most = static_cast<std::uint64_t>(store_.faults_.max_delay.count());
    co_await sleep_for(store_.loop_, Duration(store_.random_.below(most + 1)), stop);
    if (store_.crashed_) co_return gone();
    if (store_.happens(store_.faults_.expired_watch))
      co_return fail(ErrorCode::kExpired, "too old resource version");
    co_return events;
  }

 private:
  FaultyStore& store_;
  std::unique_ptr<store::Watch> inner_;
};

FaultyStore::FaultyStore(Loop& loop, store::Store& inner, Random& random, Faults faults)
    : loop_(loop), inner_(inner), random_(random), faults_(faults), crash_(loop) {}

Task<Result<>> FaultyStore::before_read() {
  co_await sleep_for(
      loop_, Duration(random_.below(static_cast<std::uint64_t>(faults_.max_delay.count()) + 1)));
  if (crashed_) co_return gone();
  if (happens(faults_.unavailable)) co_return fail(ErrorCode::kUnavailable, "no answer");
  co_return Result<>{};
}

Task<Result<>> FaultyStore::before_write() {
  SLIPWAY_CO_TRY(co_await before_read());
  if (happens(faults_.conflict)) co_return fail(ErrorCode::kConflict, "somebody else wrote first");
  if (writes_left_ == 0) {
    crashed_ = true;
    crash_.notify_all();
    co_return gone();
  }
  if (writes_left_ > 0) --writes_left_;
  co_return Result<>{};
}

template <class T>
Result<T> FaultyStore::after_write(Result<T> done) {
  if (crashed_) return gone();
  if (done && happens(faults_.lost_answer))
    return fail(ErrorCode::kUnavailable, "the answer was lost");
  return done;
}

Task<Result<store::Item>> FaultyStore::get(api::Gvr kind, store::Key key) {
  SLIPWAY_CO_TRY(co_await before_read());
  co_return co_await inner_.get(kind, key);
}

Task<Result<store::Page>> FaultyStore::list(api::Gvr kind, store::ListOptions options) {
  SLIPWAY_CO_TRY(co_await before_read());
  co_return co_await inner_.list(kind, std::move(options));
}

Task<Result<std::unique_ptr<store::Watch>>> FaultyStore::watch(api::Gvr kind,
                                                               store::WatchOptions options) {
  SLIPWAY_CO_TRY(co_await before_read());
  auto inner = co_await inner_.watch(kind, std::move(options));
  if (!inner) co_return std::unexpected(inner.error());
  co_return std::make_unique<FaultyWatch>(*this, std::move(*inner));
}

Task<Result<store::Item>> FaultyStore::create(api::Gvr kind, std::string ns, json::Object object,
                                              store::WriteOptions options) {
  SLIPWAY_CO_TRY(co_await before_write());
  co_return after_write(
      co_await inner_.create(kind, std::move(ns), std::move(object), std::move(options)));
}

Task<Result<store::Item>> FaultyStore::update(api::Gvr kind, store::Key key, json::Object object,
                                              store::WriteOptions options) {
  SLIPWAY_CO_TRY(co_await before_write());
  co_return after_write(
      co_await inner_.update(kind, std::move(key), std::move(object), std::move(options)));
}

Task<Result<store::Item>> FaultyStore::patch(api::Gvr kind, store::Key key, store::Patch patch,
                                             store::WriteOptions options) {
  SLIPWAY_CO_TRY(co_await before_write());
  co_return after_write(
      co_await inner_.patch(kind, std::move(key), std::move(patch), std::move(options)));
}

Task<Result<store::Store::Deleted>> FaultyStore::remove(api::Gvr kind, store::Key key,
                                                        store::DeleteOptions options) {
  SLIPWAY_CO_TRY(co_await before_write());
  co_return after_write(co_await inner_.remove(kind, std::move(key), std::move(options)));
}

}  // namespace slipway::sim
