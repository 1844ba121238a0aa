#pragma once

#include <string>

#include "api/rules/place.h"
#include "runtime/node/status.h"

namespace slipway::runtime {

// One of spec.initContainers that goes on beside the containers.
inline bool is_sidecar(const api::Place& init) { return init["restartPolicy"].text() == "Always"; }

// All init containers have ended well, or have started if they are sidecars.
bool is_initialized(const json::Value& pod, const HostedPod* hosted);

// The conditions of a Pod whose other status fields are `status`: PodReadyToStartContainers,
// Initialized, Ready, ContainersReady and PodScheduled, as kubelet words them, then those of
// others.
json::Array decide_conditions(const StatusInputs& inputs, const std::string& phase,
                              const json::Object& status);

}  // namespace slipway::runtime
