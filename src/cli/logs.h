#pragma once

#include <cstdint>
#include <string>

#include "cli/session.h"

namespace slipway::cli {

struct LogsOptions {
  ServerFlags server = {};
  std::string pod = {};  // NAME or pod/NAME
  std::string container = {};
  bool follow = false;
  bool previous = false;
  bool timestamps = false;
  std::int64_t tail = -1;  // lines; -1: all
  std::string since = {};  // a duration
};

// What a container of a Pod has written, to stdout.
int logs(const LogsOptions& options);

// The query of a request for it. kInvalid names what is wrong with the options.
Result<std::string> logs_query(const LogsOptions& options);

}  // namespace slipway::cli
