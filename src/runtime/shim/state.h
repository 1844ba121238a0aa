#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/time.h"
#include "runtime/shim/identity.h"

// What has happened so far, written by the shim alone: state.json in the Pod's folder, replaced
// whole at each change.
namespace slipway::runtime {

struct Waiting {
  std::string reason = {};  // ContainerCreating, PodInitializing, CrashLoopBackOff
  std::string message = {};
  bool operator==(const Waiting&) const = default;
};

struct Running {
  Time started_at = {};
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;
  bool operator==(const Running&) const = default;
};

struct Terminated {
  int exit_code = 0;        // 128 + signal when a signal ended it; 128 when it could not be started
  int signal = 0;           // 0: it ended itself
  std::string reason = {};  // Completed, Error, StartError, ContainerStatusUnknown
  std::string message = {};
  Time started_at = {};
  Time finished_at = {};
  bool operator==(const Terminated&) const = default;
};

// How long the next restart waits, counted from the last end.
struct Backoff {
  Duration delay = {};
  Time since = {};  // the restart that set it
  bool operator==(const Backoff&) const = default;
};

struct ContainerState {
  std::string name = {};
  std::variant<Waiting, Running, Terminated> now = Waiting{};
  std::string image = {};  // of this run, else the last
  bool replaced = false;   // for another image: run again, at once and whatever the policy
  std::int32_t restart_count = 0;
  bool started = false;                            // this run, where the plan has a startup probe
  std::optional<Terminated> last_terminated = {};  // of the run before
  std::string log = {};                            // of this run, else the last; absolute
  std::string previous_log = {};                   // of the run before; empty: none
  std::optional<Backoff> backoff = {};
  bool operator==(const ContainerState&) const = default;

  const Waiting* waiting() const { return std::get_if<Waiting>(&now); }
  const Running* running() const { return std::get_if<Running>(&now); }
  const Terminated* terminated() const { return std::get_if<Terminated>(&now); }
};

struct PodState {
  ProcessIdentity shim = {};
  std::uint64_t revision = 0;                        // one more at each change
  std::vector<ContainerState> init_containers = {};  // as in the plan
  std::vector<ContainerState> containers = {};
  bool stopping = false;           // stop() was asked for; nothing is started any more
  bool ended = false;              // nothing runs and nothing will; the shim has gone or goes now
  std::string bind_problem = {};   // one line: why wildcard binds are not redirected
  std::string mount_problem = {};  // one line: why mounts are not what the plan says
  std::string port_problem = {};   // one line: a port that a program wants and cannot have
  bool operator==(const PodState&) const = default;
};

inline constexpr const char* kStateFile = "state.json";

json::Value to_json(const PodState& state);
Result<PodState> parse_state(const json::Value& value);

// state.json of a Pod's folder; kNotFound before the first shim has begun. Blocking.
Result<PodState> read_state(const std::string& folder);
// Whole or not at all, but not synced: after a crash of the machine no process runs, so what is
// lost is the past alone.
Result<> write_state(const std::string& folder, const PodState& state);

}  // namespace slipway::runtime
