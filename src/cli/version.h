#pragma once

#include <string>

#include "cli/session.h"

namespace slipway::cli {

inline constexpr const char* kVersion = "0.1.0";

struct VersionOptions {
  ServerFlags server = {};
  bool client_only = false;
  std::string output = {};
};

// Our version, and the server's when there is one. One that is named and does not answer is told,
// by the exit code, too.
int version(const VersionOptions& options);

}  // namespace slipway::cli
