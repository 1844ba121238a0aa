#pragma once

#include <string>

namespace slipway::runtime {

// What `slipway pod-shim FOLDER` ends with when the folder has a shim already.
inline constexpr int kExitShimRuns = 5;

// In the Pod's folder; locked (flock) while there is a shim.
inline constexpr const char* kLockFile = "lock";

// The command `pod-shim`, hidden: becomes the shim of a Pod's folder. Returns when the shim, a
// process of its own then, answers (0), or cannot (else; stderr says why). In the shim itself it
// returns when the Pod has ended.
int run_pod_shim(const std::string& folder);

}  // namespace slipway::runtime
