#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "runtime/process/descriptor.h"
#include "runtime/shim/inside/mounts.h"
#include "runtime/shim/plan.h"

namespace slipway::runtime {

// A program about to run in a session and process group of its own, which dies with this process.
struct Launch {
  std::vector<std::string> argv = {};
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string working_dir = {};
  std::vector<Mount> mounts = {};
  std::string scratch = {};  // an empty folder, for mount_all
  bool trap_binds = false;
  // A command beside a container that runs: it sees what that sees.
  struct Beside {
    pid_t process = 0;
    View view = {};
  };
  std::optional<Beside> beside = {};
};

struct Launched {
  pid_t pid = 0;
  Descriptor output = {};  // not blocking
  Descriptor errors = {};
  View view = {};
  Descriptor binds = {};           // for BindGuard, when they are trapped
  std::string bind_problem = {};   // one line: why they are not
  std::string mount_problem = {};  // one line: what could not be mounted
};

// Returns when the program runs. Errors: kInvalid when it cannot be run, with the reason; the
// child has been waited for then.
Result<Launched> launch(const Launch& launch);

// A copy of this process that runs `work` and ends with its exit code, as its own session too.
// -1: no more processes.
template <class F>
pid_t launch_work(F work);

// What a container's program finds in its environment: the plan's, what is customary, the marks.
std::vector<std::pair<std::string, std::string>> environment_of(const PodPlan& plan,
                                                                const ContainerPlan& container,
                                                                const std::string& folder);

namespace detail {
// In the child, first of all.
void become_session(pid_t parent);
pid_t fork_here();
[[noreturn]] void leave(int code);
pid_t own_pid();
}  // namespace detail

template <class F>
pid_t launch_work(F work) {
  const pid_t parent = detail::own_pid();
  const pid_t pid = detail::fork_here();
  if (pid != 0) return pid;
  detail::become_session(parent);
  detail::leave(work());
}

}  // namespace slipway::runtime
