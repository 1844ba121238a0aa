#pragma once

#include <string>

#include "cli/command_line.h"

namespace slipway::cli {

struct DemoOptions {
  bool keep = false;     // leave everything running, and say where
  std::string end = {};  // the folder of a demo that was kept
};

// The product on real parts: a server, an application behind HAProxy, a Prometheus and clients; a
// good version is rolled out, then a bad one. 0 when the first was promoted and the second aborted.
int demo(const DemoOptions& options);

// `options` must outlive `line`'s run.
void add_demo_command(CommandLine& line, DemoOptions& options);

}  // namespace slipway::cli
