#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runtime/node/host.h"
#include "runtime/node/pod_sources.h"
#include "runtime/node/prober.h"

namespace slipway::runtime {

// What a Pod's status is made of.
struct StatusInputs {
  const json::Value& pod;             // the document, with its status so far
  const HostedPod* hosted = nullptr;  // null: not started
  std::function<ContainerHealth(const std::string& container)> health = {};
  std::optional<Refusal> refusal = {};  // why it is not started
  std::string pod_ip = {};
  NodeFacts node = {};
  Time now = {};
  bool past_deadline = false;  // told to stop, or to be, after activeDeadlineSeconds
  bool removed = false;        // deleted: nothing of it runs, nor ever will
};

// The status as kubelet would write it: phase, conditions, container statuses with the last end of
// each, addresses. Conditions that others have set stay; times of transition change with the
// status alone, so that equal inputs make equal documents.
json::Value decide_status(const StatusInputs& inputs);

// As `kubectl get` prints: Pending, Running, and when nothing of it runs Succeeded or Failed.
std::string decide_phase(const json::Value& pod, const HostedPod* hosted);

// {"waiting": …}, {"running": …} or {"terminated": …}.
json::Object container_state_json(const ContainerState& state, const std::string& container_id);
json::Object terminated_json(const Terminated& terminated, const std::string& container_id);

}  // namespace slipway::runtime
