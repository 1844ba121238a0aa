#pragma once

#include <string>

#include "analysis/compare/look.h"
#include "analysis/conditions.h"
#include "judge/answer.h"

// What an answer of the judge means for its metric. Pure.
namespace slipway::analysis {

// The answer as a measurement keeps it: without the looks before, the newest as `look`.
json::Object compact(const judge::Answer& answer);

// By the metric's conditions, when it has any, with the answer as `result`; else by the verdict.
// Before the last look that is planned, too little to judge is a pass so far.
Outcome outcome_of(const api::argo::Metric& metric, const judge::Answer& answer,
                   const json::Object& result, bool last_look, Time now);

// Which sides had nothing, be it no point or NaN alone; kSeries: neither source knows of a series.
enum class Missing { kNone, kControl, kExperiment, kBoth, kSeries };
// What the check says of no data, Error, Fail or Pass, on one side as on both: the variants cannot
// be compared. Without a word of it Inconclusive. Two sides without series are equal to PipeCD.
Outcome no_data_outcome(const api::argo::Metric& metric, Missing missing);

}  // namespace slipway::analysis
