#pragma once

#include <string>

#include "base/error.h"
#include "runtime/shim/client.h"

namespace slipway::runtime {

// Runs the shim of a folder and returns when it answers; so does one that runs already. Blocking.
Result<> spawn_shim(const std::string& folder, const ShimProgram& program);

// Kills what a dead shim has left running. Nothing, when the folder has a shim again. Blocking.
void sweep_after(const std::string& folder);

}  // namespace slipway::runtime
