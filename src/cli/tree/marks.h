#pragma once

#include <string_view>

#include "base/json.h"
#include "cli/tree/tree.h"

// How objects are, in a word. Pure.
namespace slipway::cli {

// Of measurements, AnalysisRuns and Experiments; a phase that is not there yet is Pending.
Mark phase_mark(std::string_view phase);
// ScaledDown, Healthy, Progressing.
Mark replica_set_mark(const json::Value& replica_set);
// As kubectl's STATUS has it: Running, Completed, CrashLoopBackOff, Init:0/1, Terminating, …
Mark pod_mark(const json::Value& pod);
// Ready, or done; on its way out is nobody's worry either.
bool is_well(const json::Value& pod);
// Successful, Failed, Running.
Mark job_mark(const json::Value& job);

}  // namespace slipway::cli
