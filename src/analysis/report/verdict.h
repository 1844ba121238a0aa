#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analysis/report/evidence.h"

// Verdicts in words, with the numbers they rest on. Pure; fit for one line of a terminal.
namespace slipway::analysis::report {

// Why a metric stands as it does: "0.12, must be at most 0.05".
std::string metric_reason(const Evidence& evidence);

// "Failed: error-rate: 0.12, must be at most 0.05; failed (1) > failureLimit (0)", naming the
// metrics that decided; "Successful: 3 metrics passed", with those of them that never saw a point.
std::string run_verdict(const api::argo::AnalysisRun& run);

// The worst phase of several runs; Successful when there is none.
std::string_view worst_phase(std::span<const api::argo::AnalysisRun> runs);

}  // namespace slipway::analysis::report
