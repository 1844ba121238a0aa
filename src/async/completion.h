#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <utility>

#include "async/loop.h"

namespace slipway {

// A value that arrives once, from a callback. One side keeps the Completion and awaits it; set()
// resumes it on a later turn of the loop. From the loop's thread, except set_from_any_thread.
//
// Copies share one state (shared_ptr: the callback and the waiter end in either order).
template <class T>
class Completion {
 public:
  explicit Completion(Loop& loop) : state_(std::make_shared<State>(loop)) {}

  // The first value counts; later ones are dropped.
  void set(T value) const {
    if (state_->value) return;
    state_->value.emplace(std::move(value));
    if (auto waiter = std::exchange(state_->waiter, nullptr))
      state_->loop.post([waiter] { waiter.resume(); });
  }
  // Gives up this copy, so that the last one ends on the loop.
  void set_from_any_thread(T value) && {
    Loop& loop = state_->loop;
    loop.post([self = std::move(*this), value = std::move(value)]() mutable {
      self.set(std::move(value));
    });
  }

  auto operator co_await() const noexcept {
    struct Awaiter {
      std::shared_ptr<State> state;
      bool await_ready() const noexcept { return state->value.has_value(); }
      void await_suspend(std::coroutine_handle<> caller) const noexcept {
        SLIPWAY_ASSERT(!state->waiter);
        state->waiter = caller;
      }
      T await_resume() const { return std::move(*state->value); }
    };
    return Awaiter{state_};
  }

 private:
  struct State {
    explicit State(Loop& on) : loop(on) {}
    Loop& loop;
    std::optional<T> value;
    std::coroutine_handle<> waiter;
  };
  std::shared_ptr<State> state_;
};

}  // namespace slipway
