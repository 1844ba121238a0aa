#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/shim/plan.h"
#include "runtime/shim/state.h"

// What a shim does next. Pure: the plan, what has happened, and the time.
namespace slipway::runtime {

// One container of a Pod, in the plan as in the state.
struct Which {
  bool init = false;
  std::size_t index = 0;
  bool operator==(const Which&) const = default;
};

inline const ContainerPlan& plan_of(const PodPlan& plan, Which which) {
  return which.init ? plan.init_containers[which.index] : plan.containers[which.index];
}
inline ContainerState& state_of(PodState& state, Which which) {
  return which.init ? state.init_containers[which.index] : state.containers[which.index];
}
inline const ContainerState& state_of(const PodState& state, Which which) {
  return which.init ? state.init_containers[which.index] : state.containers[which.index];
}

// One that goes on beside the containers.
inline bool is_sidecar(const PodPlan& plan, Which which) {
  return which.init && plan_of(plan, which).restart == RestartPolicy::kAlways;
}
// By name, among both kinds.
std::optional<Which> find_which(const PodPlan& plan, std::string_view name);

struct Step {
  std::vector<Which> start = {};
  std::vector<Which> stop = {};                      // sidecars that nobody needs any more
  std::vector<std::pair<Which, Waiting>> wait = {};  // to be shown until the restart
  std::optional<Time> again = {};                    // when there is something to do next
  bool ended = false;
  bool operator==(const Step&) const = default;
};

// Init containers one after the other (sidecars only begin, and pass their startup probe), then all
// containers; restarts by policy and back-off.
Step decide_next(const PodPlan& plan, const PodState& state, Time now);

// What the next restart will have to wait when this one happens now. Kubernetes' way: the first
// restart is at once, the next ones wait 10 s, 20 s … 5 min after the last end; a run of more than
// 10 min begins anew.
Backoff decide_backoff(const ShimTuning& tuning, const ContainerState& state, Time now);

// Whether a container is to be run anew, since the plan has another image for it: one that runs, or
// waits to be started again. One that has not begun will begin with it, one that has ended for good
// stays so, and an init container at its work is left to it.
bool wants_replacing(const PodPlan& plan, const PodState& state, Which which);

// The state before anything was started.
PodState initial_state(const PodPlan& plan);

// The state of a dead shim as its successor takes it over: what ran was killed with it, and starts
// again at once, however often that happens.
PodState resumed_state(const PodPlan& plan, PodState last, Time now);

}  // namespace slipway::runtime
