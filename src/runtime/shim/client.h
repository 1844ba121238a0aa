#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/blocking.h"
#include "async/loop.h"
#include "runtime/shim/plan.h"
#include "runtime/shim/state.h"

namespace slipway::runtime {

// The command that becomes a shim when the Pod's folder is added: this very program, unless a test
// says otherwise.
struct ShimProgram {
  std::vector<std::string> argv = {"/proc/self/exe", "pod-shim"};
};

struct ExecAnswer {
  int exit_code = 0;        // 126: it could not be started, and `output` says why
  bool timed_out = false;   // it was killed; exit_code is 137
  std::string output = {};  // stdout and stderr, the first kMaxExecOutput bytes
};
inline constexpr std::size_t kMaxExecOutput = 10 * 1024;

// One Pod's shim, from the server's side. On the loop's thread, a real loop. Nothing here stops a
// shim but stop(): it outlives the client and the server.
class ShimClient {
 public:
  // `folder`: <data>/pods/<uid>, absolute. `pool` carries what blocks.
  ShimClient(Loop& loop, Pool& pool, std::string folder, ShimProgram program = {});
  ~ShimClient();  // after close()
  ShimClient(const ShimClient&) = delete;
  ShimClient& operator=(const ShimClient&) = delete;

  // Runs the shim of a folder that has a plan, and returns when it answers. One that runs already
  // is taken as it is. A folder with a state of a shim that is dead carries on from there: what ran
  // then counts as killed, and is restarted or not as the policy says.
  Task<Result<>> start();

  // Tells every container to stop (hooks, SIGTERM, after `grace` SIGKILL) and returns when the shim
  // has heard; the state says when it is done. Again with a shorter grace: the shorter one counts.
  // No shim: kUnavailable.
  Task<Result<>> stop(Duration grace);

  // Stops one container (a failed liveness probe), which is then restarted by its policy. `message`
  // becomes that of its end. kNotFound when it does not run.
  Task<Result<>> kill_container(std::string name, Duration grace, std::string message);

  // Another image: the container's plan is read from the folder anew, and one that runs with
  // another image is stopped as by kill_container() and run again, whatever its policy. kNotFound:
  // no such container.
  Task<Result<>> replace(std::string name, Duration grace, std::string message);

  // A sidecar has passed its startup probe, in the run that is its `run`-th restart: what follows
  // it may begin. kNotFound when that run is over.
  Task<Result<>> mark_started(std::string name, std::int32_t run);

  // Runs a command as the container does (environment, folder, mounts). kNotFound when the
  // container does not run.
  Task<Result<ExecAnswer>> exec(std::string name, std::vector<std::string> argv, Duration timeout);

  // Calls `changed` now and after each change, with the newest state, and once with `alive` false
  // when the shim has gone: by itself (state.ended), or killed, in which case what was left of the
  // Pod's processes has been killed as well. Exits are told within milliseconds. Again replaces.
  // After start(), or for a shim that find_shims() called alive.
  using Changed = std::function<void(const PodState& state, bool alive)>;
  void watch(Changed changed);

  // Forgets `changed` and waits for what is under way.
  Task<> close();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;  // shared with what is under way
};

// One Pod's folder as the last server left it.
struct FoundShim {
  std::string uid = {};  // the folder's name
  std::string folder = {};
  bool alive = false;                  // its process is the very one that wrote the state
  std::optional<PodPlan> plan = {};    // empty: the folder is not complete, or not readable
  std::optional<PodState> state = {};  // empty: never started
};
// Every Pod below <data>/pods, by uid. Blocking.
Result<std::vector<FoundShim>> find_shims(const std::string& pods_folder);

// Kills every process that was started for a Pod of `pods_folder` whose uid is not in `known`, and
// returns how many. `known`: Pods whose shim is alive or about to start; `found`: all that
// find_shims() gave. Blocking.
int sweep_strays(const std::string& pods_folder, const std::vector<FoundShim>& found,
                 const std::set<std::string>& known);

}  // namespace slipway::runtime
