#include "runtime/node/status.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/rules/place.h"
#include "runtime/node/conditions.h"
#include "runtime/shim/decide.h"

namespace slipway::runtime {

namespace {

using api::Place;

std::string container_id(const PodPlan& plan, const ContainerState& state, std::int32_t run) {
  return fmt::format("slipway://{}/{}/{}", plan.uid, state.name, run);
}

const ContainerState* state_of(const std::vector<ContainerState>& states, std::string_view name) {
  const auto found = std::ranges::find(states, name, &ContainerState::name);
  return found == states.end() ? nullptr : &*found;
}

// The status of a container as it was written last.
Place written_of(const json::Value& pod, std::string_view name, bool init) {
  const Place status = Place(&pod, "")["status"];
  for (const Place& each : status[init ? "initContainerStatuses" : "containerStatuses"].items())
    if (each["name"].text() == name) return each;
  return {nullptr, ""};
}

// Before anything has run: what all containers wait for.
json::Object waiting_json(const StatusInputs& inputs, std::string_view name, bool init) {
  const Place spec = Place(&inputs.pod, "")["spec"];
  std::string reason =
      !init && spec["initContainers"].size() > 0 ? "PodInitializing" : "ContainerCreating";
  std::string message;
  // Why it was never started stays said.
  if (const Place before = written_of(inputs.pod, name, init)["state"];
      inputs.removed && before["waiting"].present())
    return before.value().get_object();
  if (inputs.refusal && inputs.refusal->container == name) reason = inputs.refusal->reason;
  if (inputs.refusal && (inputs.refusal->container == name || inputs.refusal->container.empty()))
    message = inputs.refusal->message;
  json::Object waiting{{"reason", reason}};
  if (!message.empty()) waiting["message"] = message;
  return {{"waiting", std::move(waiting)}};
}

json::Object container_json(const StatusInputs& inputs, const Place& container, bool init) {
  const std::string name(container["name"].text());
  json::Object status{
      {"name", name},   {"state", json::Object()}, {"lastState", json::Object()},
      {"ready", false}, {"restartCount", 0},       {"image", container["image"].text()},
      {"imageID", ""}};
  const ContainerState* state = nullptr;
  if (inputs.hosted && inputs.hosted->state)
    state = state_of(
        init ? inputs.hosted->state->init_containers : inputs.hosted->state->containers, name);
  if (!state) {
    status["state"] = waiting_json(inputs, name, init);
    status["started"] = false;
    return status;
  }
  const PodPlan& plan = inputs.hosted->plan;
  const std::string id = container_id(plan, *state, state->restart_count);
  status["state"] = container_state_json(*state, id);
  status["restartCount"] = state->restart_count;
  if (!state->image.empty()) status["image"] = state->image;
  // A restart is counted when it is made: what waits for one is still the run that ended last.
  if (state->last_terminated) {
    const std::int32_t ended = state->restart_count - (state->waiting() ? 0 : 1);
    status["lastState"] = json::Object{
        {"terminated",
         terminated_json(*state->last_terminated, container_id(plan, *state, std::max(ended, 0)))}};
  }
  if (!state->waiting() || state->last_terminated) status["containerID"] = id;
  const bool running = state->running() && inputs.hosted->alive;
  const ContainerHealth health =
      running ? inputs.health(name) : ContainerHealth{.started = false, .ready = false};
  const bool ended_well = state->terminated() && state->terminated()->exit_code == 0;
  status["ready"] = init && !is_sidecar(container) ? ended_well : health.ready;
  status["started"] = health.started;
  return status;
}

json::Array containers_json(const StatusInputs& inputs, bool init) {
  json::Array statuses;
  const Place spec = Place(&inputs.pod, "")["spec"];
  for (const Place& container : spec[init ? "initContainers" : "containers"].items())
    statuses.push_back(container_json(inputs, container, init));
  return statuses;
}

bool is_terminal(std::string_view phase) { return phase == "Succeeded" || phase == "Failed"; }

struct Counts {
  std::size_t waiting = 0, succeeded = 0, all = 0;
};

Counts count(const std::vector<ContainerState>& states) {
  Counts counts{.all = states.size()};
  for (const ContainerState& state : states) {
    if (state.running()) continue;
    if (const Terminated* end = state.terminated())
      counts.succeeded += end->exit_code == 0;
    else if (state.last_terminated)  // waits to be started again
      counts.succeeded += state.last_terminated->exit_code == 0;
    else
      ++counts.waiting;
  }
  return counts;
}

// How a sidecar ended says nothing: it was told to.
bool init_failed(const json::Value& pod, const PodState& state) {
  const auto inits = Place(&pod, "")["spec"]["initContainers"].items();
  return std::ranges::any_of(inits, [&](const Place& init) {
    const ContainerState* found = state_of(state.init_containers, init["name"].text());
    return found && !is_sidecar(init) && found->terminated() && found->terminated()->exit_code != 0;
  });
}

// A Pod that is over and whose shim was killed: what ran was killed with it, when that was seen
// first.
std::optional<HostedPod> as_killed(const StatusInputs& inputs) {
  const HostedPod* hosted = inputs.hosted;
  if (!hosted || !hosted->state || hosted->alive || hosted->state->ended) return std::nullopt;
  HostedPod killed{.plan = hosted->plan,
                   .state = resumed_state(hosted->plan, *hosted->state, inputs.now)};
  for (const bool init : {true, false})
    for (ContainerState& state : init ? killed.state->init_containers : killed.state->containers) {
      const Place before = written_of(inputs.pod, state.name, init)["state"]["terminated"];
      auto* end = std::get_if<Terminated>(&state.now);
      if (!end ||
          before["containerID"].text() != container_id(killed.plan, state, state.restart_count))
        continue;
      if (const auto at = parse_time(before["finishedAt"].text())) end->finished_at = *at;
    }
  return killed;
}

}  // namespace

json::Object terminated_json(const Terminated& terminated, const std::string& id) {
  json::Object end{{"exitCode", terminated.exit_code}};
  if (terminated.signal != 0) end["signal"] = terminated.signal;
  end["reason"] = terminated.reason;
  if (!terminated.message.empty()) end["message"] = terminated.message;
  if (terminated.started_at != Time()) end["startedAt"] = format_time(terminated.started_at);
  end["finishedAt"] = format_time(terminated.finished_at);
  end["containerID"] = id;
  return end;
}

json::Object container_state_json(const ContainerState& state, const std::string& id) {
  if (const Running* running = state.running())
    return {{"running", json::Object{{"startedAt", format_time(running->started_at)}}}};
  if (const Terminated* end = state.terminated())
    return {{"terminated", terminated_json(*end, id)}};
  json::Object waiting{{"reason", state.waiting()->reason}};
  if (!state.waiting()->message.empty()) waiting["message"] = state.waiting()->message;
  return {{"waiting", std::move(waiting)}};
}

std::string decide_phase(const json::Value& pod, const HostedPod* hosted) {
  if (!hosted || !hosted->state) return "Pending";
  const PodState& state = *hosted->state;
  const Counts counts = count(state.containers);
  if (state.ended) {
    const bool well = counts.waiting == 0 && counts.succeeded == counts.all;
    return well && !init_failed(pod, state) ? "Succeeded" : "Failed";
  }
  // Sidecars may still be on their way out: it is over when they are.
  return counts.waiting > 0 || !is_initialized(pod, hosted) ? "Pending" : "Running";
}

json::Value decide_status(const StatusInputs& given) {
  StatusInputs inputs = given;
  const json::Value* before = json::at(inputs.pod, {"status"});
  json::Value status = before && before->is_object() ? *before : json::Value(json::Object());
  json::Object& fields = status.as_object();
  // What is over stays over; a deadline is told when what it ended has gone.
  std::string phase(json::string_at(status, {"phase"}));
  if (inputs.removed && json::string_at(inputs.pod, {"spec", "nodeName"}).empty()) {
    // Nothing else has become of one that was never scheduled.
    if (!is_terminal(phase)) fields["phase"] = "Failed";
    return status;
  }
  const bool late = inputs.past_deadline && !(inputs.hosted && inputs.hosted->runs());
  if (!is_terminal(phase)) {
    const bool ended = inputs.hosted && inputs.hosted->state && inputs.hosted->state->ended;
    const bool failed = late || (inputs.removed && !ended);
    phase = failed ? "Failed" : decide_phase(inputs.pod, inputs.hosted);
    if (late) {
      fields["reason"] = "DeadlineExceeded";
      fields["message"] = "Pod was active on the node longer than the specified deadline";
    }
  }
  fields["phase"] = phase;
  std::optional<HostedPod> killed;
  if (is_terminal(phase)) killed = as_killed(inputs);
  if (killed) inputs.hosted = &*killed;
  fields["hostIP"] = inputs.node.address;
  fields["hostIPs"] = json::Array{json::Object{{"ip", inputs.node.address}}};
  if (!inputs.pod_ip.empty()) {
    fields["podIP"] = inputs.pod_ip;
    fields["podIPs"] = json::Array{json::Object{{"ip", inputs.pod_ip}}};
  }
  if (!fields.contains("startTime")) fields["startTime"] = format_time(inputs.now);
  if (Place(&inputs.pod, "")["spec"]["initContainers"].size() > 0)
    fields["initContainerStatuses"] = containers_json(inputs, true);
  fields["containerStatuses"] = containers_json(inputs, false);
  fields["conditions"] = decide_conditions(inputs, phase, fields);
  return status;
}

}  // namespace slipway::runtime
