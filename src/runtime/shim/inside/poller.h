#pragma once

#include <functional>
#include <map>

#include "base/time.h"

namespace slipway::runtime {

// Waits for descriptors, with poll(2): a Pod has a handful, and the program's event loop would cost
// each Pod some MB.
class Poller {
 public:
  // Calls `work` whenever reading would not block. One a descriptor; again replaces.
  void when_readable(int descriptor, std::function<void()> work);
  // The same for writing.
  void when_writable(int descriptor, std::function<void()> work);
  void stop_writing(int descriptor);
  // Before the descriptor is closed. May be called from `work`.
  void forget(int descriptor);

  // One round: waits at most so long, calls what is due.
  void turn(Duration most);

 private:
  struct Entry {
    std::function<void()> readable = {};
    std::function<void()> writable = {};
  };
  std::map<int, Entry> entries_;
};

// The wall clock, and one that never goes back.
Time clock_now();
Duration clock_uptime();

}  // namespace slipway::runtime
