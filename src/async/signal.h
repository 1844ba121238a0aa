#pragma once

#include <list>
#include <stop_token>

#include "async/loop.h"

namespace slipway {

// Wakes coroutines of one loop. Not latched: notify() wakes those waiting now, each on a later turn
// of the loop.
class Signal {
 public:
  explicit Signal(Loop& loop) : loop_(loop) {}
  ~Signal();  // asserts that nobody waits

  void notify_all();
  // The one that has waited longest; false when nobody waits.
  bool notify_one();

  enum class Wake { kNotified, kTimeout, kStopped };
  Task<> wait();
  // Until notified, `timeout` has passed, or `stop` is requested (on the loop's thread).
  Task<Wake> wait(Duration timeout, std::stop_token stop);
  Task<Wake> wait(std::stop_token stop);

  bool has_waiters() const { return !waiters_.empty(); }

 private:
  struct Waiter;
  Loop& loop_;
  std::list<Waiter*> waiters_;
};

}  // namespace slipway
