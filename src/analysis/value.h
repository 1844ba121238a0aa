#pragma once

#include "analysis/asking.h"
#include "api/kinds/argo_analysis.h"

// What one plain answer means for its metric. Pure.
namespace slipway::analysis {

// The measurement, complete. An error is one of phase Error, or Failed where the metric counts
// errors as failures.
api::argo::Measurement judge_value(const api::argo::Metric& metric, const Asking& asking,
                                   const Result<metrics::Answer>& answer, Time started, Time now);

// A measurement that could not be taken, by the metric's own rule for errors.
api::argo::Measurement failed_measurement(const api::argo::Metric& metric, std::string message,
                                          Time started, Time now);

}  // namespace slipway::analysis
