#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.h"

namespace slipway::cli {

struct DemoAppOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;
  std::string version = "v1";
  double errors = 0;            // share of requests that fail
  std::string latency = "2ms";  // that an answer takes on average
};

// A small web application: pages that fail as often as told, /healthz and /metrics. Until SIGTERM
// or SIGINT; then for a moment longer, so that who has not heard of it yet is answered too.
int demo_app(const DemoAppOptions& options);

// `options` must outlive `line`'s run.
void add_demo_app_command(CommandLine& line, DemoAppOptions& options);

}  // namespace slipway::cli
