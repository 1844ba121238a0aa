#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

namespace slipway::cli {

struct AnalyzeOptions {
  std::vector<std::string> files = {};
  std::vector<std::string> args = {};  // name=value
  std::string providers = {};          // a piped configuration
  std::string history = {};            // what PREVIOUS is compared with; updated after a success
  std::string report = {};             // the HTML page to write
  std::string replay = {};             // recorded runs, judged again instead of measured
  std::string variant = {};            // pipecd: whom THRESHOLD and PREVIOUS ask about
  bool pipecd_compat = false;
  ServerFlags server = {};  // of sources that are part of a cluster
  std::string output = {};
};

// `slipway analyze`: runs the analyses that files ask for, now, and ends with their verdict: exit 0
// passed, 1 failed, 2 inconclusive, 3 a source or file could not be asked.
int analyze(const AnalyzeOptions& options);

}  // namespace slipway::cli
