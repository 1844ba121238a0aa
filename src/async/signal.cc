#include "async/signal.h"

#include <optional>

namespace slipway {

// Lives in the frame of the waiting coroutine. Once it is woken it no longer needs the Signal,
// which may go first.
struct Signal::Waiter {
  struct Stop {
    Waiter& waiter;
    void operator()() const { waiter.leave(Wake::kStopped); }
  };

  Signal& signal;
  Loop& loop;
  std::optional<Duration> timeout;
  std::stop_token stop;
  Wake wake = Wake::kNotified;
  std::coroutine_handle<> caller = {};
  std::list<Waiter*>::iterator place = {};
  std::unique_ptr<Clock::Timer> timer = {};
  std::optional<std::stop_callback<Stop>> on_stop = {};

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    caller = handle;
    place = signal.waiters_.insert(signal.waiters_.end(), this);
    if (timeout) {
      timer = loop.clock().call_after(*timeout, [this] { leave(Wake::kTimeout); });
    }
    if (stop.stop_possible()) on_stop.emplace(stop, Stop{*this});
  }
  Wake await_resume() const noexcept { return wake; }

  void leave(Wake why) {
    if (place == std::list<Waiter*>::iterator()) return;
    signal.waiters_.erase(place);
    place = {};
    wake = why;
    timer.reset();
    loop.post([handle = caller] { handle.resume(); });
  }
};

Signal::~Signal() { SLIPWAY_ASSERT(waiters_.empty()); }

void Signal::notify_all() {
  while (notify_one()) continue;
}

bool Signal::notify_one() {
  if (waiters_.empty()) return false;
  waiters_.front()->leave(Wake::kNotified);
  return true;
}

Task<> Signal::wait() {
  Waiter waiter{.signal = *this, .loop = loop_, .timeout = {}, .stop = {}};
  co_await waiter;
}

Task<Signal::Wake> Signal::wait(Duration timeout, std::stop_token stop) {
  if (stop.stop_requested()) co_return Wake::kStopped;
  Waiter waiter{.signal = *this, .loop = loop_, .timeout = timeout, .stop = std::move(stop)};
  co_return co_await waiter;
}

Task<Signal::Wake> Signal::wait(std::stop_token stop) {
  if (stop.stop_requested()) co_return Wake::kStopped;
  Waiter waiter{.signal = *this, .loop = loop_, .timeout = {}, .stop = std::move(stop)};
  co_return co_await waiter;
}

}  // namespace slipway
