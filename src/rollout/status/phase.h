#pragma once

#include <string>

#include "rollout/situation.h"

namespace slipway::rollout {

struct Phase {
  std::string phase = {};  // Healthy Degraded Progressing Paused
  std::string message = {};
  bool operator==(const Phase&) const = default;
};

// A Rollout's health in a word, from its spec and its status. Pure. Reads status.conditions, so
// those come first.
Phase phase_of(const argo::RolloutSpec& spec, const argo::RolloutStatus& status);

}  // namespace slipway::rollout
