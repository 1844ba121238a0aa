#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace slipway::store::kube {

struct Program {
  std::string path;  // or a name to look for in PATH
  std::vector<std::string> args = {};
  std::map<std::string, std::string> env = {};  // added to ours
  Duration time_limit = std::chrono::seconds(60);
  std::size_t output_limit = 1024 * 1024;
};

struct ProgramOutput {
  int exit_code = 0;  // 128 + signal when killed by one
  std::string out;
  std::string err;  // the first part of it
};

// Runs a program without a shell and without input, in a process group of its own, and waits for
// its end. Blocking: give it to a Pool. Over a limit the whole group is killed.
// Errors: kNotFound (cannot be started), kTimeout, kTooLarge, kInternal.
Result<ProgramOutput> run_program(const Program& program);

}  // namespace slipway::store::kube
