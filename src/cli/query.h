#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"

namespace slipway::cli {

struct QueryOptions {
  std::string provider = {};
  std::string address = {};
  std::optional<std::string> query = {};  // none: whether it is there at all
  std::string range = {};                 // a duration; empty: one instant
  std::string step = {};
  std::string at = {};                    // RFC 3339 or unix seconds; empty: now
  std::vector<std::string> headers = {};  // name=value, name=@file
  std::string secret = {};                // a file of credentials
  std::string region = {};                // cloudwatch
  std::string timeout = "30s";
  bool insecure = false;
  ServerFlags server = {};  // of sources that are part of a cluster
  std::string output = {};
};

// `slipway query`: asks a metric source one question and shows what it said. Exit 2 when it has
// nothing there, 3 when it could not be asked or refused. Without a question: whether the source
// answers and takes the credentials. What it echoes of credentials is not shown.
int query(const QueryOptions& options);

}  // namespace slipway::cli
