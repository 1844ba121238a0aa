#pragma once

#include "cli/command_line.h"
#include "cli/rollout/tool.h"

namespace slipway::cli {

// slipway rollout VERB …. `options` must outlive `line`'s run.
void add_rollout_commands(CommandLine& line, RolloutOptions& options);

}  // namespace slipway::cli
