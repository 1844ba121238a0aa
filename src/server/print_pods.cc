#include <fmt/format.h>

#include "server/printers.h"

namespace slipway::server {
namespace {

// What the statuses of a pod's containers add up to.
struct Summary {
  std::string reason;
  std::int64_t ready = 0;
  std::int64_t total = 0;
  std::int64_t restarts = 0;
  std::string last_restart;  // RFC 3339 in UTC: compares as text
  std::int64_t sidecar_restarts = 0;
  std::string last_sidecar_restart;
  bool initializing = false;
};

const json::Value* state_of(const json::Value& status, std::string_view state) {
  const json::Value* found = json::at(status, {"state", state});
  return found && found->is_object() ? found : nullptr;
}

bool flag_at(const json::Value& value, std::string_view name) {
  const json::Value* found = json::at(value, {name});
  return found && found->is_bool() && found->get_bool();
}

void keep_latest(std::string& latest, const json::Value& status) {
  auto ended = json::string_at(status, {"lastState", "terminated", "finishedAt"});
  if (ended > latest) latest = ended;
}

std::string exit_text(const json::Value& terminated) {
  if (auto reason = json::string_at(terminated, {"reason"}); !reason.empty())
    return std::string(reason);
  if (auto signal = integer_at(terminated, {"signal"})) return fmt::format("Signal:{}", signal);
  return fmt::format("ExitCode:{}", integer_at(terminated, {"exitCode"}));
}

bool is_sidecar(const json::Value& pod, std::string_view container) {
  for (const auto& init : array_at(pod, {"spec", "initContainers"})) {
    if (json::string_at(init, {"name"}) == container)
      return json::string_at(init, {"restartPolicy"}) == "Always";
  }
  return false;
}

// Looks at one init container; false when the pod is still busy with it.
bool passed_init(const json::Value& pod, const json::Value& status, std::size_t index,
                 Summary& summary) {
  bool sidecar = is_sidecar(pod, json::string_at(status, {"name"}));
  summary.restarts += integer_at(status, {"restartCount"});
  keep_latest(summary.last_restart, status);
  if (sidecar) {
    summary.sidecar_restarts += integer_at(status, {"restartCount"});
    keep_latest(summary.last_sidecar_restart, status);
  }
  const auto* terminated = state_of(status, "terminated");
  if (terminated && integer_at(*terminated, {"exitCode"}) == 0) return true;
  if (sidecar && flag_at(status, "started")) {
    summary.ready += flag_at(status, "ready");
    return true;
  }
  auto waiting = json::string_at(status, {"state", "waiting", "reason"});
  if (terminated) {
    summary.reason = "Init:" + exit_text(*terminated);
  } else if (!waiting.empty() && waiting != "PodInitializing") {
    summary.reason = fmt::format("Init:{}", waiting);
  } else {
    summary.reason = fmt::format("Init:{}/{}", index, size_at(pod, {"spec", "initContainers"}));
  }
  return false;
}

void add_init_containers(const json::Value& pod, Summary& summary) {
  for (const auto& init : array_at(pod, {"spec", "initContainers"}))
    summary.total += json::string_at(init, {"restartPolicy"}) == "Always";
  const auto& statuses = array_at(pod, {"status", "initContainerStatuses"});
  for (std::size_t i = 0; i < statuses.size() && !summary.initializing; ++i)
    summary.initializing = !passed_init(pod, statuses[i], i, summary);
}

void add_containers(const json::Value& pod, Summary& summary) {
  summary.restarts = summary.sidecar_restarts;
  summary.last_restart = summary.last_sidecar_restart;
  bool running = false;
  const auto& statuses = array_at(pod, {"status", "containerStatuses"});
  for (std::size_t i = statuses.size(); i-- > 0;) {
    const auto& status = statuses[i];
    summary.restarts += integer_at(status, {"restartCount"});
    keep_latest(summary.last_restart, status);
    auto waiting = json::string_at(status, {"state", "waiting", "reason"});
    if (!waiting.empty()) {
      summary.reason = waiting;
    } else if (const auto* terminated = state_of(status, "terminated")) {
      summary.reason = exit_text(*terminated);
    } else if (flag_at(status, "ready") && state_of(status, "running")) {
      running = true;
      ++summary.ready;
    }
  }
  // One container has ended well and another still runs: the pod is not completed.
  if (summary.reason == "Completed" && running)
    summary.reason = condition_is_true(pod, "Ready") ? "Running" : "NotReady";
}

Summary summarize(const json::Value& pod) {
  Summary summary;
  auto phase = json::string_at(pod, {"status", "phase"});
  auto reason = json::string_at(pod, {"status", "reason"});
  summary.reason = reason.empty() ? phase : reason;
  for (const auto& condition : array_at(pod, {"status", "conditions"})) {
    if (json::string_at(condition, {"type"}) == "PodScheduled" &&
        json::string_at(condition, {"reason"}) == "SchedulingGated")
      summary.reason = "SchedulingGated";
  }
  summary.total = static_cast<std::int64_t>(size_at(pod, {"spec", "containers"}));
  add_init_containers(pod, summary);
  if (!summary.initializing || condition_is_true(pod, "Initialized")) add_containers(pod, summary);
  if (json::at(pod, {"metadata", "deletionTimestamp"})) {
    if (reason == "NodeLost") {
      summary.reason = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      summary.reason = "Terminating";
    }
  }
  return summary;
}

std::string or_none(std::string_view text) { return text.empty() ? "<none>" : std::string(text); }

std::string readiness_gates(const json::Value& pod) {
  const auto& gates = array_at(pod, {"spec", "readinessGates"});
  if (gates.empty()) return "<none>";
  std::size_t open = 0;
  for (const auto& gate : gates)
    open += condition_is_true(pod, json::string_at(gate, {"conditionType"}));
  return fmt::format("{}/{}", open, gates.size());
}

void print_pod(const json::Value& pod, Time now, json::Array& cells) {
  auto summary = summarize(pod);
  auto restarts = fmt::format("{}", summary.restarts);
  if (summary.restarts != 0 && !summary.last_restart.empty()) {
    json::Value last(summary.last_restart);
    restarts += fmt::format(" ({} ago)", age_since(&last, now));
  }
  const auto& addresses = array_at(pod, {"status", "podIPs"});
  cells.emplace_back(json::string_at(pod, {"metadata", "name"}));
  cells.emplace_back(fmt::format("{}/{}", summary.ready, summary.total));
  cells.emplace_back(summary.reason);
  cells.emplace_back(restarts);
  cells.emplace_back(age_cell(pod, now));
  cells.emplace_back(
      or_none(addresses.empty() ? std::string_view() : json::string_at(addresses[0], {"ip"})));
  cells.emplace_back(or_none(json::string_at(pod, {"spec", "nodeName"})));
  cells.emplace_back(or_none(json::string_at(pod, {"status", "nominatedNodeName"})));
  cells.emplace_back(readiness_gates(pod));
}

}  // namespace

std::optional<Printer> pod_printer(const api::Gvk& gvk) {
  if (!gvk.group.empty() || gvk.kind != "Pod") return std::nullopt;
  return Printer{
      .columns = {name_column(),
                  {.name = "Ready", .description = "How many of the pod's containers are ready."},
                  {.name = "Status", .description = "What the pod's containers are doing."},
                  {.name = "Restarts",
                   .description = "How often containers were restarted, and when last."},
                  age_column(),
                  {.name = "IP", .description = "The pod's address.", .priority = 1},
                  {.name = "Node", .description = "Where the pod runs.", .priority = 1},
                  {.name = "Nominated Node",
                   .description = "Where the pod is to run after preemption.",
                   .priority = 1},
                  {.name = "Readiness Gates",
                   .description = "How many of the pod's readiness gates are open.",
                   .priority = 1}},
      .print = print_pod};
}

}  // namespace slipway::server
