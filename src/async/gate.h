#pragma once

#include <stop_token>

#include "async/loop.h"
#include "async/signal.h"

namespace slipway {

// Counts the background work of one owner, so that stop() can wait for it.
//
// An owner's stop() is: request_stop(), then co_await close(). Work checks stop() at each wait.
class Gate {
 public:
  explicit Gate(Loop& loop) : loop_(loop), emptied_(loop) {}
  ~Gate();  // asserts that nothing is left inside

  // Starts `task` and counts it until it ends. Once the gate is closed, the task is dropped without
  // having run.
  void spawn(Task<> task);

  std::stop_token stop() const { return source_.get_token(); }
  void request_stop() { source_.request_stop(); }

  // Lets nothing more in, and waits until all has left.
  Task<> close();

 private:
  Task<> count(Task<> task);

  Loop& loop_;
  std::stop_source source_;
  Signal emptied_;
  int inside_ = 0;
  bool closed_ = false;
};

}  // namespace slipway
