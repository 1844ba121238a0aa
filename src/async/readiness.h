#pragma once

#include <memory>

#include "async/loop.h"

namespace slipway {

// Tells when a file descriptor can be read or written. On the real loop only.
//
// The descriptor stays the caller's: non-blocking, open as long as this lives, closed after it.
class Readiness {
 public:
  Readiness(Loop& loop, int descriptor);
  ~Readiness();  // nothing is called any more; may happen inside a call
  Readiness(const Readiness&) = delete;

  // Calls `work` once, on a later turn, when reading (writing) would not block, which includes the
  // end of the data and errors. At most one each is waited for at a time.
  void when_readable(Work work);
  void when_writable(Work work);

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the handlers that Asio still holds
};

}  // namespace slipway
