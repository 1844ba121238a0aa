#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "runtime/shim/plan.h"

namespace slipway::runtime {

// Makes the subPaths that are not there yet in volumes that are, each as open as the folder it is
// in. Errors: kInvalid with the path.
Result<> make_sources(const std::vector<Mount>& mounts);

// Gives this process a view of the file system of its own, in which each source is seen at its
// target. Where a target is missing, the folder that it would be in is replaced, in this view, by
// one that holds the same things and the target; the machine's own folders stay as they are.
//
// `scratch`: an empty folder, used when that folder is the root. Without root it needs unprivileged
// user namespaces. Errors name the mount and the step: kUnavailable where this machine has no such
// views, kInvalid for what is wrong with a mount. The view may be half made then, and nobody may
// run in it: what is meant for a volume would go to the machine.
struct View {
  bool own_root = false;  // the root was replaced
};
Result<View> mount_all(const std::vector<Mount>& mounts, const std::string& scratch);

// Gives this process the view that another one got by mount_all(), with what that has made in it
// since. kUnavailable where this machine does not let us.
Result<> join_view(pid_t process, const View& view);

}  // namespace slipway::runtime
