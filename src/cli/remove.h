#pragma once

#include <string>
#include <vector>

#include "cli/session.h"

namespace slipway::cli {

struct RemoveOptions {
  ServerFlags server = {};
  std::vector<std::string> words = {};
  std::vector<std::string> files = {};
  std::string selector = {};
  bool all = false;
  bool ignore_not_found = false;
  bool wait = true;
  std::string timeout = "5m";
  std::string cascade = "background";  // foreground, orphan
  bool dry_run = false;
};

// `slipway delete`: asks for deletion and waits until the objects are gone.
int remove(const RemoveOptions& options);

}  // namespace slipway::cli
