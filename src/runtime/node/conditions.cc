#include "runtime/node/conditions.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::runtime {

namespace {

using api::Place;

struct Condition {
  std::string_view type;
  bool holds = false;
  std::string reason = {};
  std::string message = {};
};

constexpr std::string_view kOurs[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                      "ContainersReady", "PodScheduled"};

bool has_begun(const ContainerState& state) {
  return !state.waiting() || state.last_terminated.has_value();
}

// With the time of its last transition: now when it has just turned, or is new.
json::Object condition_json(const Condition& condition, const Place& before, Time now) {
  const std::string_view status = condition.holds ? "True" : "False";
  std::string since = format_time(now);
  for (const Place& each : before.items())
    if (each["type"].text() == condition.type && each["status"].text() == status &&
        !each["lastTransitionTime"].empty())
      since = each["lastTransitionTime"].text();
  json::Object made{{"type", condition.type},
                    {"status", status},
                    {"lastProbeTime", nullptr},
                    {"lastTransitionTime", since}};
  if (!condition.reason.empty()) made["reason"] = condition.reason;
  if (!condition.message.empty()) made["message"] = condition.message;
  return made;
}

std::string unready_of(const json::Object& status, std::string_view list) {
  std::string names;
  for (const Place& each : Place::of(status, list).items()) {
    if (each["ready"].truth()) continue;
    if (!names.empty()) names += ' ';
    names += each["name"].text();
  }
  return names;
}

Condition initialized(const StatusInputs& inputs, const std::string& phase,
                      const json::Object& status) {
  const bool done = is_initialized(inputs.pod, inputs.hosted);
  if (phase == "Succeeded") return {"Initialized", true, "PodCompleted"};
  if (done) return {"Initialized", true};
  return {"Initialized", false, "ContainersNotInitialized",
          fmt::format("containers with incomplete status: [{}]",
                      unready_of(status, "initContainerStatuses"))};
}

Condition containers_ready(const std::string& phase, const json::Object& status) {
  if (phase == "Succeeded") return {"ContainersReady", false, "PodCompleted"};
  if (phase == "Failed") return {"ContainersReady", false, "PodFailed"};
  const std::string unready = unready_of(status, "containerStatuses");
  if (unready.empty()) return {"ContainersReady", true};
  return {"ContainersReady", false, "ContainersNotReady",
          fmt::format("containers with unready status: [{}]", unready)};
}

Condition ready(const StatusInputs& inputs, const Condition& containers) {
  Condition condition = containers;
  condition.type = "Ready";
  if (!containers.holds) return condition;
  const Place pod(&inputs.pod, "");
  std::vector<std::string> missing;
  for (const Place& gate : pod["spec"]["readinessGates"].items()) {
    const std::string_view type = gate["conditionType"].text();
    const auto all = pod["status"]["conditions"].items();
    const auto found =
        std::ranges::find_if(all, [&](const Place& each) { return each["type"].text() == type; });
    if (found == all.end()) {
      missing.push_back(fmt::format(
          "corresponding condition of pod readiness gate \"{}\" does not exist.", type));
    } else if ((*found)["status"].text() != "True") {
      missing.push_back(
          fmt::format("the status of pod readiness gate \"{}\" is not \"True\", but {}", type,
                      (*found)["status"].text()));
    }
  }
  if (missing.empty()) return condition;
  return {"Ready", false, "ReadinessGatesNotReady", fmt::format("{}", fmt::join(missing, ", "))};
}

}  // namespace

bool is_initialized(const json::Value& pod, const HostedPod* hosted) {
  const auto inits = Place(&pod, "")["spec"]["initContainers"].items();
  if (inits.empty()) return true;
  if (!hosted || !hosted->state) return false;
  // What has begun was initialized, whatever a sidecar that is restarted says now.
  if (std::ranges::any_of(hosted->state->containers, has_begun)) return true;
  return std::ranges::all_of(inits, [&](const Place& init) {
    const auto& states = hosted->state->init_containers;
    const auto state = std::ranges::find(states, init["name"].text(), &ContainerState::name);
    if (state == states.end()) return false;
    if (is_sidecar(init))
      return init["startupProbe"].present() ? state->started : has_begun(*state);
    return state->terminated() && state->terminated()->exit_code == 0;
  });
}

json::Array decide_conditions(const StatusInputs& inputs, const std::string& phase,
                              const json::Object& status) {
  const Place before = Place(&inputs.pod, "")["status"]["conditions"];
  const Condition containers = containers_ready(phase, status);
  const bool over = phase == "Succeeded" || phase == "Failed";
  const Condition conditions[] = {
      {"PodReadyToStartContainers", inputs.hosted != nullptr && !over},
      initialized(inputs, phase, status),
      ready(inputs, containers),
      containers,
      {"PodScheduled", true},
  };
  json::Array all;
  for (const Condition& condition : conditions)
    all.push_back(condition_json(condition, before, inputs.now));
  for (const Place& each : before.items())
    if (std::ranges::find(kOurs, each["type"].text()) == std::end(kOurs))
      all.push_back(each.value());
  return all;
}

}  // namespace slipway::runtime
