#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace slipway::runtime {

struct Ran {
  int code = 0;             // 128 + n: ended by signal n
  std::string output = {};  // of stderr and stdout, the first kMaxProgramOutput bytes
};
inline constexpr std::size_t kMaxProgramOutput = 256 * 1024;

// Runs a program in a session of its own until it ends; what it leaves behind in the background
// goes on. kUnavailable when it cannot be started, kTimeout when it was killed. Blocking.
Result<Ran> run_program(std::vector<std::string> argv, Duration patience);

}  // namespace slipway::runtime
