#pragma once

#include "cli/analyze.h"
#include "cli/command_line.h"
#include "cli/query.h"

namespace slipway::cli {

// What the commands that ask metric sources may be told; filled by the command line. Outlives it.
struct EvidenceCommands {
  AnalyzeOptions analyze;
  QueryOptions query;
};

void add_evidence_commands(CommandLine& line, EvidenceCommands& options);

}  // namespace slipway::cli
