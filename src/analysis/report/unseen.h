#pragma once

#include <string>
#include <vector>

#include "api/kinds/argo_analysis.h"

namespace slipway::analysis::report {

// The metrics that passed although none of their measurements found a point: a query that finds
// nothing is mostly a misspelt one. Metrics that ask nobody (Jobs) and those of which measurements
// are not kept are none of them. Pure.
std::vector<std::string> unseen_metrics(const api::argo::AnalysisRun& run);

}  // namespace slipway::analysis::report
