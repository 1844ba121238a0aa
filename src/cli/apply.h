#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

namespace slipway::cli {

struct ApplyOptions {
  ServerFlags server = {};
  std::vector<std::string> files = {};
  bool dry_run = false;
  bool force_conflicts = false;
  std::string output = {};
  std::string manager = "slipway";
};

// Brings the server's objects in line with the manifests (server-side apply) and says what changed.
// All manifests are read and checked first; when one is wrong, nothing is applied. Namespaces and
// CustomResourceDefinitions go first.
int apply(const ApplyOptions& options);

}  // namespace slipway::cli
