#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "api/kinds/argo_analysis.h"

// Runs as one HTML page that needs nothing else: no network, no file beside it. Pure: the same runs
// give the same bytes. Whatever names, messages and values hold is shown as text.
namespace slipway::analysis::report {

// What a page holds at most; what is left out is said there.
inline constexpr std::size_t kMaxReportMetrics = 200;     // over all runs
inline constexpr std::size_t kMaxReportRows = 50'000;     // raw points, over all metrics
inline constexpr std::size_t kMaxReportLooks = 500;       // of one metric, the newest
inline constexpr std::size_t kMaxReportText = 16 * 1024;  // of one text, in bytes

// Verdict first, then each metric: both sides over time, statistic and boundary at each look, the
// effect with its interval, the query, and the raw points to copy.
std::string report_page(std::span<const api::argo::AnalysisRun> runs);

}  // namespace slipway::analysis::report
