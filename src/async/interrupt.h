#pragma once

#include <memory>

#include "async/loop.h"

namespace slipway {

// Calls `work` on the loop at each SIGINT, SIGTERM or SIGHUP (unless that was ignored before),
// instead of ending the program. SIGPIPE is ignored from here on. One at a time, on a loop made by
// make_loop().
class Interrupts {
 public:
  virtual ~Interrupts() = default;
};
[[nodiscard]] std::unique_ptr<Interrupts> on_interrupt(
    Loop& loop, std::move_only_function<void(int signal)> work);

}  // namespace slipway
