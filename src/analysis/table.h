#pragma once

#include <string>
#include <vector>

#include "api/kinds/argo_analysis.h"

// An AnalysisRun as rows of a table for a terminal. Pure.
namespace slipway::analysis {

using TableRows = std::vector<std::vector<std::string>>;

struct TableOptions {
  bool colour = false;  // of the last column only, so that others can be aligned by width
  bool header = true;
  // Room there is, each column three apart; 0: as much as it takes. In too little room conditions,
  // then names, then values are cut, and then the trend is left out: the verdict is not.
  std::size_t columns = 0;
};

// METRIC, LAST (the newest number; of a comparison how much the experiment is of the control),
// TREND, LOOKS taken of planned, P OR CONDITION, VERDICT. One row a metric, at most
// kMaxTableMetrics; all cells on one line and free of control characters.
inline constexpr std::size_t kMaxTableMetrics = 200;
TableRows table_of(const api::argo::AnalysisRun& run, const TableOptions& options = {});

// A phase as people see it, green, red or yellow.
std::string shown_phase(const std::string& phase, bool colour);

}  // namespace slipway::analysis
