#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/kinds/argo_analysis.h"

namespace slipway::analysis {

// Credentials that a manifest held itself. To be put, as a Secret of this name, beside the run
// before it starts; the run's spec names it and never holds them.
struct CompiledSecret {
  std::string name = {};
  std::map<std::string, std::string> data = {};  // not base64
};

// One analysis of any dialect, as the run that carries it out. What every compiler gives.
struct Compiled {
  std::string name = {};  // fit for metadata.name
  // Without metrics: there is nothing to evaluate, and the analysis has passed; no run is started.
  api::argo::AnalysisRunSpec spec = {};
  std::vector<std::string> warnings = {};
  std::vector<CompiledSecret> secrets = {};
  // What history.h files a successful run under; empty where the dialect compares with no past.
  std::string application = {};
  std::string stage = {};
};

}  // namespace slipway::analysis
