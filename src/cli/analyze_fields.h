#pragma once

#include <string>
#include <vector>

#include "cli/manifests.h"

namespace slipway::cli {

// Looks for misspelt fields in what is to be analysed: an analysis that passes over its condition
// would take anything for good. Pure.
//
// Error (kInvalid): the first unknown field of an AnalysisTemplate, an AnalysisRun, a Canary or a
// MetricTemplate, with file and line. PipeCD passes over what it does not know, so such fields of
// its files are told and not refused, unless lint knows what was meant.
Result<std::vector<std::string>> check_fields(const std::vector<Manifest>& manifests);

}  // namespace slipway::cli
