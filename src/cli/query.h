#pragma once

#include <string>
#include <vector>

namespace slipway::cli {

struct QueryOptions {
  std::string provider = {};
  std::string address = {};
  std::string query = {};
  std::string range = {};  // a duration; empty: one instant
  std::string step = {};
  std::string at = {};                    // RFC 3339 or unix seconds; empty: now
  std::vector<std::string> headers = {};  // name=value, name=@file
  std::string secret = {};                // a file of credentials
  std::string region = {};                // cloudwatch
  std::string timeout = "30s";
  bool insecure = false;
  std::string output = {};
};

// `slipway query`: asks a metric source one question and shows what it said. Exit 2 when it has
// nothing there, 3 when it could not be asked or refused.
int query(const QueryOptions& options);

}  // namespace slipway::cli
