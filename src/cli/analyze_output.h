#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/kinds/argo_analysis.h"
#include "base/json.h"

// What `analyze` says at its end. Pure.
namespace slipway::cli {

struct AnalysisOutcome {
  std::vector<api::argo::AnalysisRun> runs = {};
  // Ended before its time: what has not failed by then has not passed either.
  bool interrupted = false;
};

// A run that was ended on request calls what it has not measured Successful, as Argo does; nobody
// who interrupts an analysis takes it for a pass. Those become Inconclusive, and the run with them.
void forget_unmeasured(api::argo::AnalysisRun& run);

// The worst of all; Inconclusive when interrupted, or at the end of a record, before a verdict.
std::string phase_of(const AnalysisOutcome& outcome);
int exit_code_of(const AnalysisOutcome& outcome);
// One line: what failed, with the numbers.
std::string verdict_of(const AnalysisOutcome& outcome);

// {"phase","message","metrics":[{"name","phase","message","measurements":[…]}],"runs":[…]}; with
// several runs, names of metrics begin with their run's. Each of `runs` is a whole AnalysisRun,
// which `analyze --replay` takes.
json::Object to_json(const AnalysisOutcome& outcome);

// The runs in a file: an AnalysisRun, a List of them, or what to_json() gave. kInvalid says what
// would be right.
Result<std::vector<api::argo::AnalysisRun>> read_runs(std::string_view text);

}  // namespace slipway::cli
