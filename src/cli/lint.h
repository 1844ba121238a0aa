#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

struct LintOptions {
  std::vector<std::string> paths = {};
  std::string output = {};
};

// Prints `file:line: field.path: message` for each problem; exit 1 when any is an error, 3 when a
// file cannot be read.
int lint(const LintOptions& options);

}  // namespace slipway::cli
