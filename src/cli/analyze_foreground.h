#pragma once

#include <vector>

#include "cli/analyze_plan.h"
#include "cli/run_screen.h"
#include "cli/session.h"

namespace slipway::cli {

struct ForegroundOptions {
  LiveScreen* screen = nullptr;  // null: nothing is shown on the way
  bool colour = false;
  ServerFlags server = {};  // of sources that are part of a cluster
};

struct Finished {
  std::vector<api::argo::AnalysisRun> runs = {};  // in the order of the plan
  bool interrupted = false;                       // ended before its time by a signal
};

// Carries the runs of a plan out, all at once, on a store of their own, until the last has ended.
// A signal ends them orderly, a second one at once. Errors: kInvalid names the run that the store
// refused.
Result<Finished> run_in_foreground(AnalysisPlan plan, const ForegroundOptions& options);

}  // namespace slipway::cli
