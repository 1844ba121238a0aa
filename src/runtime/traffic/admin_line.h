#pragma once

#include <sys/types.h>

#include <string>

#include "base/error.h"
#include "runtime/process/descriptor.h"

namespace slipway::runtime::traffic {

// A conversation with one proxy process over its socket, which goes on while the process hands its
// listeners to the next one. Blocking.
class AdminLine {
 public:
  // kUnavailable when nobody answers there.
  static Result<AdminLine> open(const std::string& folder);
  // To this process and no other. While listeners are handed over, the one before it may still take
  // a call; then it is made again. kUnavailable when it does not come to answer.
  static Result<AdminLine> open_to(const std::string& folder, pid_t process);

  // Who answers.
  Result<pid_t> process();

  // The answer, without the blank lines around it. kUnavailable, kTimeout: the line is of no use
  // any more.
  Result<std::string> ask(const std::string& command);

 private:
  explicit AdminLine(Descriptor socket) : socket_(std::move(socket)) {}
  Result<std::string> receive();

  Descriptor socket_;
};

inline constexpr std::size_t kMaxAnswer = 64 * 1024 * 1024;

}  // namespace slipway::runtime::traffic
