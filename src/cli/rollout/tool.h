#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/rollout/changes.h"
#include "cli/rollout/view.h"
#include "cli/session.h"

namespace slipway::cli {

struct RolloutOptions {
  ServerFlags server = {};
  std::string verb = {};
  std::string name = {};
  std::vector<std::string> words = {};  // of set and terminate
  bool watch = false;
  bool all_namespaces = false;
  bool wait = true;
  bool full = false;
  std::int64_t to_revision = 0;
  std::string output = {};   // json, yaml, name
  std::string timeout = {};  // empty: as long as it takes
  std::string in = {};       // of restart; empty: now
};

// slipway rollout VERB …: what its options ask for, through the API alone. Exit code.
int rollout_command(RolloutOptions options);

}  // namespace slipway::cli
