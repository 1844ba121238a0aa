#include "cli/tree/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slipway::cli {

namespace {

std::int64_t number_at(const json::Value& object, std::initializer_list<std::string_view> path) {
  const json::Value* value = json::at(object, path);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

const json::Array& list_at(const json::Value& object,
                           std::initializer_list<std::string_view> path) {
  static const json::Array kNone = {};
  const json::Value* value = json::at(object, path);
  return value != nullptr && value->is_array() ? value->get_array() : kNone;
}

bool is_condition(const json::Value& object, std::string_view type, std::string_view status) {
  return std::ranges::any_of(list_at(object, {"status", "conditions"}), [&](const auto& one) {
    return json::string_at(one, {"type"}) == type && json::string_at(one, {"status"}) == status;
  });
}

// Why a container does not run, or how it ended; empty while it runs.
std::string why_not_running(const json::Value& container) {
  const std::string_view waiting = json::string_at(container, {"state", "waiting", "reason"});
  if (!waiting.empty()) return std::string(waiting);
  const json::Value* ended = json::at(container, {"state", "terminated"});
  if (ended == nullptr) return {};
  const std::string_view reason = json::string_at(*ended, {"reason"});
  if (!reason.empty()) return std::string(reason);
  if (const auto signal = number_at(*ended, {"signal"}); signal != 0)
    return fmt::format("Signal:{}", signal);
  return fmt::format("ExitCode:{}", number_at(*ended, {"exitCode"}));
}

std::string init_word(const json::Value& pod) {
  const json::Array& containers = list_at(pod, {"status", "initContainerStatuses"});
  const std::size_t all = list_at(pod, {"spec", "initContainers"}).size();
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const json::Value* ended = json::at(containers[i], {"state", "terminated"});
    if (ended != nullptr && number_at(*ended, {"exitCode"}) == 0) continue;
    if (json::at(containers[i], {"state", "running"}) != nullptr &&
        json::string_at(pod, {"status", "phase"}) != "Pending")
      continue;  // a sidecar
    const std::string why = why_not_running(containers[i]);
    if (!why.empty() && why != "PodInitializing") return "Init:" + why;
    return fmt::format("Init:{}/{}", i, std::max(all, containers.size()));
  }
  return {};
}

std::string pod_word(const json::Value& pod) {
  if (json::at(pod, {"metadata", "deletionTimestamp"}) != nullptr) return "Terminating";
  if (const std::string init = init_word(pod); !init.empty()) return init;
  std::string word(json::string_at(pod, {"status", "reason"}));
  if (word.empty()) word = json::string_at(pod, {"status", "phase"});
  for (const json::Value& container : list_at(pod, {"status", "containerStatuses"}))
    if (const std::string why = why_not_running(container); !why.empty()) word = why;
  return word.empty() ? "Pending" : word;
}

}  // namespace

Mark phase_mark(std::string_view phase) {
  if (phase == "Successful") return {"✔", "Successful", Tone::kGood};
  if (phase == "Failed") return {"✖", "Failed", Tone::kBad};
  if (phase == "Error") return {"⚠", "Error", Tone::kBad};
  if (phase == "Inconclusive") return {"?", "Inconclusive", Tone::kWaiting};
  if (phase == "Running") return {"◌", "Running", Tone::kWaiting};
  if (phase.empty() || phase == "Pending") return {"◷", "Pending", Tone::kWaiting};
  return {"•", std::string(phase), Tone::kPlain};
}

Mark replica_set_mark(const json::Value& replica_set) {
  const json::Value* replicas = json::at(replica_set, {"spec", "replicas"});
  const std::int64_t wanted =
      replicas != nullptr && replicas->is_int64() ? replicas->get_int64() : 1;
  if (wanted == 0 && number_at(replica_set, {"status", "replicas"}) == 0)
    return {"•", "ScaledDown", Tone::kPlain};
  if (number_at(replica_set, {"status", "availableReplicas"}) >= wanted)
    return {"✔", "Healthy", Tone::kGood};
  return {"◌", "Progressing", Tone::kWaiting};
}

Mark pod_mark(const json::Value& pod) {
  const std::string word = pod_word(pod);
  constexpr std::array<std::string_view, 4> kWaiting = {"Pending", "ContainerCreating",
                                                        "PodInitializing", "Terminating"};
  if (word == "Running" && !is_well(pod)) return {"◌", word, Tone::kWaiting};
  if (word == "Running" || word == "Completed" || word == "Succeeded")
    return {"✔", word, Tone::kGood};
  if (std::ranges::find(kWaiting, word) != kWaiting.end()) return {"◌", word, Tone::kWaiting};
  if (word.starts_with("Init:") && word.find('/') != std::string::npos)
    return {"◌", word, Tone::kWaiting};
  if (word == "Failed" || word == "Error" || word.starts_with("ExitCode"))
    return {"✖", word, Tone::kBad};
  return {"⚠", word, Tone::kBad};
}

bool is_well(const json::Value& pod) {
  const std::string_view phase = json::string_at(pod, {"status", "phase"});
  return json::at(pod, {"metadata", "deletionTimestamp"}) != nullptr || phase == "Succeeded" ||
         (phase == "Running" && !is_condition(pod, "Ready", "False"));
}

Mark job_mark(const json::Value& job) {
  if (is_condition(job, "Failed", "True")) return {"✖", "Failed", Tone::kBad};
  if (is_condition(job, "Complete", "True")) return {"✔", "Successful", Tone::kGood};
  return {"◌", "Running", Tone::kWaiting};
}

}  // namespace slipway::cli
