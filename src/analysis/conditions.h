#pragma once

#include <string>
#include <string_view>

#include "api/kinds/argo_analysis.h"

// Argo's successCondition and failureCondition. Pure.
namespace slipway::analysis {

struct Outcome {
  std::string_view phase = {};  // of phase.h
  std::string message = {};
};

bool has_conditions(const api::argo::Metric& metric);

// A failure condition that holds wins; with both and neither holding it is Inconclusive; without
// any, Successful. One that cannot be evaluated is an error. `ints`: numbers without point are
// ints.
Outcome by_conditions(const api::argo::Metric& metric, const json::Value& result, Time now,
                      bool ints);

// Error; Failed where the metric's check says that errors fail.
Outcome error_outcome(const api::argo::Metric& metric, std::string message);

inline constexpr std::string_view kNilOrEmpty =
    "metric result is nil or empty: no data returned from the metric provider";

}  // namespace slipway::analysis
