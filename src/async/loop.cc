#include "async/loop.h"

#include <optional>

namespace slipway {

namespace {

// A coroutine that owns itself: starts at once, and its frame goes when it ends.
struct Detached {
  struct promise_type {
    Detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  };
};

Detached detach(Task<> task) { co_await std::move(task); }

class Sleep {
 public:
  Sleep(Loop& loop, Duration duration, std::stop_token stop)
      : loop_(loop), duration_(duration), stop_(std::move(stop)) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> caller) {
    timer_ = loop_.clock().call_after(duration_, [caller] { caller.resume(); });
    caller_ = caller;
    on_stop_.emplace(stop_, Stop{*this});
  }
  bool await_resume() const noexcept { return !stopped_; }

 private:
  struct Stop {
    Sleep& sleep;
    // Inside request_stop(): the sleeper goes on in a turn of its own.
    void operator()() const {
      sleep.stopped_ = true;
      sleep.timer_.reset();
      sleep.loop_.post([caller = sleep.caller_] { caller.resume(); });
    }
  };

  Loop& loop_;
  Duration duration_;
  std::stop_token stop_;
  std::coroutine_handle<> caller_;
  std::unique_ptr<Clock::Timer> timer_;
  bool stopped_ = false;
  std::optional<std::stop_callback<Stop>> on_stop_;
};

struct NextTurn {
  Loop& loop;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> caller) const {
    loop.post([caller] { caller.resume(); });
  }
  void await_resume() const noexcept {}
};

}  // namespace

Task<bool> sleep_for(Loop& loop, Duration duration, std::stop_token stop) {
  if (stop.stop_requested()) co_return false;
  Sleep sleep(loop, duration, std::move(stop));
  co_return co_await sleep;
}

Task<> next_turn(Loop& loop) { co_await NextTurn{loop}; }

void spawn(Loop& loop, Task<> task) {
  loop.post([task = std::move(task)]() mutable { detach(std::move(task)); });
}

}  // namespace slipway
