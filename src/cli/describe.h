#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/session.h"

namespace slipway::cli {

struct DescribeOptions {
  ServerFlags server = {};
  std::vector<std::string> words = {};
  std::string selector = {};
  bool all_namespaces = false;
};

int describe(const DescribeOptions& options);

// An object and what happened to it, for people. `events` are core/v1 Events about it.
std::string describe_text(const json::Value& object, const json::Array& events, Time now);

}  // namespace slipway::cli
