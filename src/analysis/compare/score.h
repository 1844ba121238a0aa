#pragma once

#include "analysis/compare/mixer.h"

// Scoring the points of one look, fresh or recorded. Pure. Private to comparing and replaying.
namespace slipway::analysis {

Looked score_mixed(const api::argo::AnalysisRun& run, std::size_t metric, const Mixed& mixed,
                   Time started, Time now);

}  // namespace slipway::analysis
