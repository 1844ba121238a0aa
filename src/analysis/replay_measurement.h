#pragma once

#include "analysis/compare/look.h"

// One recorded measurement, judged again. Pure. Private to replaying.
namespace slipway::analysis {

// By the metric of the run's spec, after what the run's status says was before. `recorded` is
// completed; `state` is what its result ended with: what it had learned from before the run.
Looked replay_measurement(const api::argo::AnalysisRun& run, std::size_t metric,
                          const api::argo::Measurement& recorded, const api::FreeForm& state);

// The `result` that a recorded value was, as conditions see it; nothing when the text does not say
// (a Go print of structs).
std::optional<json::Value> result_of_value(const std::string& value);

}  // namespace slipway::analysis
