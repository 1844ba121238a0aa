#pragma once

#include <string>

#include "analysis/compare/look.h"
#include "judge/answer.h"

// What an answer of the judge means for its metric. Pure.
namespace slipway::analysis {

// The answer as a measurement keeps it: without the looks before, the newest as `look`.
json::Object compact(const judge::Answer& answer);

struct Outcome {
  std::string phase = {};
  std::string message = {};
};

// By the metric's conditions, when it has any, with the answer as `result`; else by the verdict.
// Before the last look that is planned, too little to judge is a pass so far.
Outcome outcome_of(const api::argo::Metric& metric, const judge::Answer& answer,
                   const json::Object& result, bool last_look, Time now);
bool has_conditions(const api::argo::Metric& metric);

// Conditions in Argo's order: a failure condition that holds wins.
Outcome by_conditions(const api::argo::Metric& metric, const json::Value& result, Time now);

// Error; Failed where the metric's check says that errors fail.
Outcome error_outcome(const api::argo::Metric& metric, std::string message);

// Which sides had nothing.
enum class Missing { kNone, kControl, kExperiment, kBoth };
// Nothing on both sides is what the check says: Error, Fail or Pass. Nothing on one is an error
// unless it says Fail: the variants cannot be compared, and that is no pass.
Outcome no_data_outcome(const api::argo::Metric& metric, Missing missing);

}  // namespace slipway::analysis
