#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/time.h"

// What a shim is to run, complete: everything from the API has been looked up, expanded and written
// to folders before. Kept as plan.json (0600: the environment holds Secrets) in the Pod's folder.
namespace slipway::runtime {

enum class RestartPolicy { kAlways, kOnFailure, kNever };

// A folder or file of the host that the container sees at `target`. Needs private mounts (root, or
// unprivileged user namespaces); where there are none, PodState::mount_problem says so and the
// container runs without.
struct Mount {
  std::string source = {};  // absolute; exists when the container starts
  std::string target = {};  // absolute; made where it is missing, in the container's sight alone
  bool read_only = false;
  // Of a subPath, the volume that it is in: if that is there, a source that is not is made, as a
  // folder. A disk that is not mounted is not made up for.
  std::string within = {};
};

// What is done before a container is told to stop. Either a command or a GET.
struct Hook {
  std::vector<std::string> exec = {};  // empty: http
  std::string http_host = {};          // a number-and-dots address; empty: the Pod's
  std::uint16_t http_port = 0;
  std::string http_path = "/";
  std::vector<std::pair<std::string, std::string>> http_headers = {};
};

struct ContainerPlan {
  std::string name = {};
  std::string image = {};              // for display
  std::vector<std::string> argv = {};  // never empty; argv[0] without a slash: by the PATH of env
  // All of it. The shim adds its marks, and PATH, HOME, HOSTNAME and POD_IP where they are missing.
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string working_dir = {};               // empty: a folder of its own
  std::optional<RestartPolicy> restart = {};  // else the Pod's; kAlways in init: a sidecar
  // A sidecar that is asked whether it has started: what follows waits to be told so.
  bool startup_probe = false;
  std::optional<Hook> pre_stop = {};
  std::vector<Mount> mounts = {};
  // Read when the container has ended; the host's path. Empty: none.
  std::string termination_message_file = {};
  bool termination_message_from_log = false;  // FallbackToLogsOnError
};

// Constants of Kubernetes, smaller in tests.
struct ShimTuning {
  Duration backoff_first = std::chrono::seconds(10);
  Duration backoff_most = std::chrono::minutes(5);
  Duration backoff_reset = std::chrono::minutes(10);  // after running so long, it starts anew
  std::uint64_t log_bytes = 10 * 1024 * 1024;         // of one file
  std::uint32_t log_files = 5;                        // of one run, the current one included
};

struct PodPlan {
  std::string uid = {};
  std::string ns = {};
  std::string name = {};
  std::string pod_ip = {};  // where wildcard binds go; empty: they are left alone
  RestartPolicy restart_policy = RestartPolicy::kAlways;
  std::uint32_t grace_seconds = 30;  // for containers that are killed to be restarted
  std::vector<ContainerPlan> init_containers = {};
  std::vector<ContainerPlan> containers = {};
  ShimTuning tuning = {};
};

// By name, among both kinds; null when there is none.
ContainerPlan* find_container(PodPlan& plan, std::string_view name);

inline constexpr std::size_t kMaxContainersOfPod = 64;
inline constexpr const char* kPlanFile = "plan.json";

std::string_view to_string(RestartPolicy policy);
Result<RestartPolicy> parse_restart_policy(std::string_view text);

json::Value to_json(const PodPlan& plan);
// Errors: kInvalid with the field's path.
Result<PodPlan> parse_plan(const json::Value& value);

// plan.json of a Pod's folder. Blocking.
Result<PodPlan> read_plan(const std::string& folder);
// Makes the folder (0700) too. Blocking.
Result<> write_plan(const std::string& folder, const PodPlan& plan);

}  // namespace slipway::runtime
