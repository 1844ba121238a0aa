#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "async/task.h"
#include "base/time.h"

namespace slipway {

using Work = std::move_only_function<void()>;

// Time as the program sees it: the one gate for clocks and timers.
class Clock {
 public:
  virtual ~Clock() = default;

  // The wall clock, for what is written down.
  virtual Time now() const = 0;
  // Never goes back; for deadlines and intervals. Starts anywhere.
  virtual Duration uptime() const = 0;

  // Calls `work` on a later turn of the loop, once `after` has passed. Destroying the timer cancels
  // it; so may `work`.
  class Timer {
   public:
    virtual ~Timer() = default;
  };
  [[nodiscard]] virtual std::unique_ptr<Timer> call_after(Duration after, Work work) = 0;
};

// The single thread that owns all state. Nothing of a loop but post() and stop() may be used from
// another thread, and a stop_token given to anything here is requested on the loop's thread alone.
class Loop {
 public:
  virtual ~Loop() = default;

  // Runs `work` on the loop, in the order posted. From any thread.
  virtual void post(Work work) = 0;
  virtual Clock& clock() = 0;

  // Runs until stop(); a stop() that came before ends it at once. May run again. stop() may be
  // called from any thread.
  virtual void run() = 0;
  virtual void stop() = 0;
};

// Waits; false when `stop` was requested first (at once when it already was).
Task<bool> sleep_for(Loop& loop, Duration duration, std::stop_token stop = {});

// Lets everything that is ready run first: for long work that must not hold the loop.
Task<> next_turn(Loop& loop);

// Starts a task that nobody waits for. It runs from the next turn of the loop; owners count it with
// a Gate.
void spawn(Loop& loop, Task<> task);

// Runs the loop until `task` has ended, and returns what it gave. For main(), tests and one-shot
// commands.
template <class T>
T run_to_end(Loop& loop, Task<T> task);

}  // namespace slipway

#include "async/run_to_end.h"  // IWYU pragma: keep
