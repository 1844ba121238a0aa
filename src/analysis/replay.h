#pragma once

#include "api/kinds/argo_analysis.h"

namespace slipway::analysis {

// Judges what a run recorded again, look by look, and gives the status the run would have had under
// another spec; under its own spec, the one it has. Pure. Metrics are matched by name; those that
// nobody judges here (jobs, a Kayenta server) keep the phases they had.
//
// kInvalid: a spec that cannot be run, or asks for a metric that was not recorded or whose first
// looks are no longer kept.
Result<api::argo::AnalysisRunStatus> replay(const api::argo::AnalysisRun& recorded,
                                            const api::argo::AnalysisRunSpec& under);

}  // namespace slipway::analysis
