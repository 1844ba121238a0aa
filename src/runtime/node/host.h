#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "runtime/shim/client.h"
#include "runtime/shim/plan.h"
#include "runtime/shim/state.h"

namespace slipway::runtime {

inline constexpr std::size_t kMaxVolumeFiles = 10'000;  // of one Pod

// A file of a volume that is made from an object.
struct VolumeFile {
  std::string path = {};  // below the volume's folder
  std::string bytes = {};
  unsigned mode = 0644;
};
struct Volume {
  std::string name = {};
  std::vector<VolumeFile> files = {};
  std::string host_path = {};  // instead of a folder of the Pod's own
  bool make_host_path = false;
};

// Everything it takes to start a Pod.
struct PodOrder {
  PodPlan plan = {};
  std::vector<Volume> volumes = {};
};

// A Pod of this host, running or over.
struct HostedPod {
  PodPlan plan = {};
  std::optional<PodState> state = {};  // empty: not heard from yet
  bool alive = false;  // somebody looks after it; if not and it has not ended, it was killed

  // One that was told to start and has not been heard of runs, too.
  bool runs() const { return alive && !(state && state->ended); }
};

// Where Pods run. On the loop's thread.
//
// What it runs outlives it: a host opened later on the same place finds it.
class PodHost {
 public:
  virtual ~PodHost() = default;

  // Finds what an earlier one has left running, and ends what belongs to no Pod it knows. Once,
  // before anything else. `changed` is told the uid after each change of what find() gives.
  using Changed = std::function<void(const std::string& uid)>;
  virtual Task<Result<>> open(Changed changed) = 0;

  virtual const HostedPod* find(const std::string& uid) const = 0;
  virtual std::vector<std::string> uids() const = 0;
  // Where the Pod's volumes and files are, absolute: <folder>/volumes/NAME.
  virtual std::string folder(const std::string& uid) const = 0;

  // A Pod that is here already and whose keeper was killed carries on with what it was told then; a
  // living one is left alone.
  virtual Task<Result<>> start(PodOrder order) = 0;
  // Returns when it was heard; the state tells the end. Again with less grace: the less counts.
  // Nothing to do for one that has ended.
  virtual Task<Result<>> stop(std::string uid, Duration grace) = 0;
  // Ends one container, which its policy may start again. kNotFound when it does not run.
  virtual Task<Result<>> kill_container(std::string uid, std::string container, Duration grace,
                                        std::string message) = 0;
  // Gives a container another image: the plan that has it takes the place of the one of its name.
  // If it runs it is ended as by kill_container(), and run again whatever its policy; if it waits
  // to be started again, its back-off is over.
  virtual Task<Result<>> replace(std::string uid, ContainerPlan container, Duration grace,
                                 std::string message) = 0;
  // A sidecar has passed its startup probe, in the run that is its `run`-th restart: what follows
  // begins. kNotFound when that run is over.
  virtual Task<Result<>> mark_started(std::string uid, std::string container, std::int32_t run) = 0;
  virtual Task<Result<ExecAnswer>> exec(std::string uid, std::string container,
                                        std::vector<std::string> argv, Duration timeout) = 0;
  // Takes away what is left of a Pod that has ended or never began: logs, volumes.
  virtual Task<Result<>> forget(std::string uid) = 0;

  // Tells nobody anything any more and waits for what is under way. Pods go on.
  virtual Task<> close() = 0;
};

}  // namespace slipway::runtime
