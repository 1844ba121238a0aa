#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The processes of this machine, as /proc shows them.
namespace slipway::runtime {

// The marks that a shim puts into the environment of what it starts.
inline constexpr std::string_view kMarkUid = "SLIPWAY_POD_UID";
inline constexpr std::string_view kMarkFolder = "SLIPWAY_POD_FOLDER";
inline constexpr std::string_view kMarkContainer = "SLIPWAY_CONTAINER";

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  std::uint64_t start_ticks = 0;
  bool ended = false;  // a zombie, or on the way to be one
};

inline constexpr std::size_t kMaxProcesses = 200'000;
inline constexpr std::size_t kMaxEnvironment = 4 * 1024 * 1024;

// The fields of /proc/PID/stat; empty when they are malformed.
std::optional<Process> parse_stat(std::string_view stat);

std::optional<Process> read_process(pid_t pid);
std::vector<Process> list_processes();

// The environment a process was started with, each variable ended by a zero; empty when it has
// none, or we may not look. A process may have written over it.
std::string read_environment(pid_t pid);
// The value of a variable; empty when there is none.
std::string variable_in(std::string_view environment, std::string_view name);
std::string variable_of(pid_t pid, std::string_view name);

// `roots` and everything below them, without `except` and what is below those.
std::set<pid_t> descendants(const std::vector<Process>& processes, const std::set<pid_t>& roots,
                            const std::set<pid_t>& except);

// Sends SIGKILL to the living that `choose` picks from a fresh list, until it picks none: a process
// that forks meanwhile is found in the next round. Gives up on those that the kernel holds. Returns
// how many.
using Choose = std::function<std::set<pid_t>(const std::vector<Process>&)>;
int kill_all(const Choose& choose);

}  // namespace slipway::runtime
