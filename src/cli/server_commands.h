#pragma once

#include "cli/apply.h"
#include "cli/command_line.h"
#include "cli/describe.h"
#include "cli/get.h"
#include "cli/logs.h"
#include "cli/remove.h"
#include "cli/serve.h"
#include "cli/wait.h"

namespace slipway::cli {

// What the server, and the commands that talk to one, may be told.
struct ServerCommands {
  ServeOptions serve = {};
  ApplyOptions apply = {};
  GetOptions get = {};
  DescribeOptions describe = {};
  RemoveOptions remove = {};
  WaitOptions wait = {};
  LogsOptions logs = {};
};

// `options` must outlive `line`'s run.
void add_server_commands(CommandLine& line, ServerCommands& options);

}  // namespace slipway::cli
