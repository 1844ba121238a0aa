#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

// Programs that run beside the demo.
namespace slipway::cli {

// This very program, for what others are to run.
Result<std::string> own_program();

// Starts a program in a session of its own; what it says goes to `log`. kUnavailable names it.
Result<pid_t> start_program(std::vector<std::string> argv, const std::string& log);
// Whether a program that we started still runs. Takes note of its end.
bool runs(pid_t pid);

// Blocks this thread: for what happens before there is a loop.
void rest(Duration duration);

// A port of `address` that nobody listens at: `wanted`, unless that is taken.
Result<int> free_port(const std::string& address, int wanted);

}  // namespace slipway::cli
