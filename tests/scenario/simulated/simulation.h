#pragma once

#include <cstdint>
#include <string>

#include "scenario/player/script.h"
#include "scenario/simulated/spoiler.h"

namespace slipway::scenario {

struct SimulationOptions {
  std::uint64_t seed = 1;
  bool faults = true;    // conflicts, delays, lost answers, crashes between two writes
  Spoiler spoiler = {};  // breaks the controllers, to show what a checker catches
};

struct Outcome {
  std::string finding = {};  // empty: the script came true and all checkers are content
  std::string checker = {};  // which one was not; empty: the script itself
  std::vector<std::string> unhappy = {};  // all the checkers that were not
  std::string trace = {};                 // equal for two runs of one seed
  std::uint64_t steps = 0;                // of the loop
  std::size_t changes = 0;                // of the world
  int crashes = 0;
};

// Plays a script before the real controllers in virtual time: Rollouts, Experiments, AnalysisRuns,
// workloads, garbage collection; then lets everything come to rest, and checks what happened.
Outcome simulate(const Script& script, const SimulationOptions& options);

}  // namespace slipway::scenario
