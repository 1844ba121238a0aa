#pragma once

#include <string>
#include <vector>

#include "cli/analyze_plan.h"

namespace slipway::cli {

// A query of a manifest, as it would be sent.
struct FileQuery {
  std::string file = {};
  int line = 1;
  std::string metric = {};
  std::string name = {};      // query, control, experiment, …; PipeCD: the variant
  std::string provider = {};  // prometheus, …; empty where the file does not say
  std::string text = {};
};

// Every query of the manifests, rendered, in their order: of AnalysisTemplates and AnalysisRuns, of
// Canaries and of MetricTemplates (with name, namespace, target, service, ingress, route, interval
// and variables from the arguments), of PipeCD applications and Kayenta configurations. Values from
// Secrets are not looked up: a stand-in shows where they go. Pure.
Result<std::vector<FileQuery>> render_files(const std::vector<Manifest>& manifests,
                                            const PlanOptions& options);

}  // namespace slipway::cli
