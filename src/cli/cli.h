#pragma once

namespace slipway::cli {

// The whole program: reads the command line, runs the command, returns the exit code.
int run(int argc, char** argv);

}  // namespace slipway::cli
