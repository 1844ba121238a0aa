#pragma once

#include <string>

#include "base/json.h"
#include "cli/tree/tree.h"
#include "rollout/status/phase.h"

// How a Rollout is, as people are told. Pure.
namespace slipway::cli {

// What its status says, unless somebody has just asked for something that the controller has not
// seen yet: then that it waits for this.
rollout::Phase health_of(const api::argo::Rollout& rollout);

// The same of one whose template is in `workload`: not even that may have been seen as it is. Null:
// it is not known.
rollout::Phase health_of(const api::argo::Rollout& rollout, const json::Value& workload);

Mark health_mark(const rollout::Phase& health);
// `Paused - CanaryPauseStep`, without anything that a terminal would obey.
std::string health_line(const rollout::Phase& health);

// Healthy or Degraded: nothing more happens by itself.
bool is_settled(const rollout::Phase& health);
int exit_code_of_health(const rollout::Phase& health);

}  // namespace slipway::cli
