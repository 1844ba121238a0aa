#pragma once

#include <string>

#include "cli/command_line.h"
#include "cli/session.h"

namespace slipway::cli {

struct ExperimentOptions {
  ServerFlags server = {};
  std::string verb = {};  // get, list, status, terminate, retry
  std::string name = {};
  bool watch = false;
  bool all_namespaces = false;
  bool wait = true;          // of status; false: how it is now
  std::string output = {};   // json, yaml, name
  std::string timeout = {};  // of status; empty: as long as it takes
};

// slipway experiment VERB [NAME]. `status` waits for the end: 0 successful, 1 failed or too late, 2
// inconclusive, or not ended yet when nobody waits.
int experiment_command(ExperimentOptions options);

// `options` must outlive `line`'s run.
void add_experiment_commands(CommandLine& line, ExperimentOptions& options);

}  // namespace slipway::cli
