#pragma once

#include "cli/manifests.h"

namespace slipway::cli {

// Adds the AnalysisTemplates that lie in `.pipe` of the repositories of PipeCD applications among
// the manifests, after them: of two entries of one name, the one in a file the user named counts.
// Errors: as read_manifests'.
Result<> add_pipecd_templates(std::vector<Manifest>& manifests);

}  // namespace slipway::cli
