#pragma once

#include <deque>
#include <string>
#include <vector>

#include "rollout/objects/replica_set.h"

// Rollouts and their sets, for tables of tests.
namespace slipway::rollout {

inline api::IntOrString amount(const std::string& text) {
  return text.ends_with('%') ? api::IntOrString::of(text) : api::IntOrString::of(std::stoll(text));
}
inline argo::CanaryStep weight_step(Count weight) { return {.set_weight = weight}; }
inline argo::CanaryStep pause_step(const std::string& duration = {}) {
  argo::RolloutPause pause;
  if (!duration.empty()) pause.duration = api::IntOrString::of(duration);
  return {.pause = pause};
}

// A canary from the set "stable" to the set "canary", at its first step.
struct Rollouts {
  Rollouts() {
    rollout.spec.replicas = 1;
    rollout.spec.strategy.canary.emplace();
    rollout.status.stable_rs = "stable";
    rollout.status.current_pod_hash = "canary";
    rollout.status.current_step_index = 0;
  }
  ReplicaSet& add(const std::string& hash, Count wanted, Count available) {
    return list.emplace_back(ReplicaSet{.name = "web-" + hash,
                                        .uid = "uid-" + hash,
                                        .hash = hash,
                                        .replicas = wanted,
                                        .current = std::max(wanted, available),
                                        .ready = available,
                                        .available = available});
  }
  Sets sets() const {
    return sort_out(list, rollout.status.current_pod_hash, rollout.status.stable_rs);
  }

  argo::Rollout rollout = {};
  std::vector<ReplicaSet> list = {};
};

inline Rollouts routed(Count replicas, std::vector<argo::CanaryStep> steps) {
  Rollouts made;
  made.rollout.spec.replicas = replicas;
  made.rollout.spec.strategy.canary->steps = std::move(steps);
  made.rollout.spec.strategy.canary->traffic_routing.emplace();
  return made;
}

inline Rollouts blue_green(Count replicas) {
  Rollouts made;
  made.rollout.spec.replicas = replicas;
  made.rollout.spec.strategy.canary.reset();
  made.rollout.spec.strategy.blue_green.emplace().active_service = "active";
  return made;
}

}  // namespace slipway::rollout
