#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/kinds/argo_rollout.h"
#include "base/yaml.h"

// Which templates the Rollouts and Experiments of some files use, and how. Pure.
namespace slipway::analysis {

struct TemplateUse {
  api::argo::AnalysisTemplateRef reference = {};
  std::string user = {};   // Rollout "web"
  std::string field = {};  // of the user: spec.strategy.canary.steps[1].analysis.templates[0]
  std::optional<int> weight = {};         // percent of the traffic that the canary then has
  std::optional<Duration> duration = {};  // the experiment ends after it, finished or not
};

// Of one object; empty for kinds that use none. Background analyses count with the least weight.
std::vector<TemplateUse> uses_of(const json::Object& object);

// Templates of documents by name; what cannot be read is as empty as that.
struct NamedTemplate {
  std::string name = {};
  bool of_cluster = false;
  api::argo::AnalysisTemplateSpec spec = {};
};
std::vector<NamedTemplate> templates_in(const std::vector<const yaml::Document*>& documents);

bool is_meant(const api::argo::AnalysisTemplateRef& reference, const NamedTemplate& named);

}  // namespace slipway::analysis
