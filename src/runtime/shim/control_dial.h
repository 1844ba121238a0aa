#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "async/loop.h"
#include "async/readiness.h"
#include "runtime/process/descriptor.h"

namespace slipway::runtime {

// A connection to the shim of a folder, not blocking. Empty when there is none; errno says why.
Descriptor dial(const std::string& folder);

// The server's end of a connection: lines, one way and the other. On the loop's thread.
class ControlLine {
 public:
  ControlLine(Loop& loop, Descriptor socket);

  // kUnavailable when the other side has gone, kTimeout, kCancelled when `stop` is requested.
  // After an error the line is of no use any more.
  Task<Result<>> send(std::string bytes, Duration timeout, std::stop_token stop);
  Task<Result<std::string>> receive(Duration timeout, std::stop_token stop);

 private:
  enum class Wait { kReady, kTimeout, kStopped };
  Task<Wait> wait(bool to_write, Duration timeout, std::stop_token stop);

  Loop& loop_;
  Descriptor socket_;
  Readiness readiness_;
  std::string in_;
};

}  // namespace slipway::runtime
