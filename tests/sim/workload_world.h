#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/broken_store.h"

namespace slipway::sim {

struct WorkloadOutcome {
  std::string checker = {};  // the first that was not content
  std::string finding = {};  // what it found; empty: nothing
  int crashes = 0;
  std::string trace = {};  // Pods and their versions in the end: equal for two runs of one seed
};

// All that look at a run.
const std::vector<std::string_view>& workload_checkers();

// Deployments, ReplicaSets, Jobs and Services under edits, deletions, faults and crashes, from one
// seed; by controllers that make a mistake, if one is given.
WorkloadOutcome run_workloads(std::uint64_t seed, Mistake mistake = {});

}  // namespace slipway::sim
