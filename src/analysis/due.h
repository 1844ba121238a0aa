#pragma once

#include <optional>
#include <vector>

#include "api/kinds/argo_analysis.h"

// What is to be measured now. Pure.
namespace slipway::analysis {

struct Task {
  enum class Kind { kMeasure, kResume, kTerminate };
  Kind kind = Kind::kMeasure;
  std::size_t metric = 0;  // index into spec.metrics
};
struct Due {
  std::vector<Task> tasks = {};
  std::optional<Time> next = {};  // when something is due that is not yet
};

// Whether a run is being ended: it was asked to, or a metric that counts has failed, so that the
// rest need not go on.
bool is_terminating(const api::argo::AnalysisRun& run);

// For a run whose spec is resolved and valid. A metric without a result was never measured.
Due decide_due(const api::argo::AnalysisRun& run, Time now);

// When the run is next to be looked at, given the status that was just decided.
std::optional<Time> next_look(const api::argo::AnalysisRun& run, Time now);

std::string namespace_of(const api::argo::AnalysisRun& run);

// The result of a metric; null when there is none.
const api::argo::MetricResult* result_of(const api::argo::AnalysisRun& run, std::string_view name);

}  // namespace slipway::analysis
