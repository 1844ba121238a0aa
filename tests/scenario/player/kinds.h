#pragma once

#include <string>
#include <string_view>

#include "api/registry.h"

namespace slipway::scenario {

inline const api::Gvr kRollouts{"argoproj.io", "v1alpha1", "rollouts"};
inline const api::Gvr kExperiments{"argoproj.io", "v1alpha1", "experiments"};
inline const api::Gvr kAnalysisRuns{"argoproj.io", "v1alpha1", "analysisruns"};
inline const api::Gvr kReplicaSets{"apps", "v1", "replicasets"};
inline const api::Gvr kDeployments{"apps", "v1", "deployments"};
inline const api::Gvr kPods{"", "v1", "pods"};
inline const api::Gvr kServices{"", "v1", "services"};
inline const api::Gvr kEvents{"", "v1", "events"};
inline const api::Gvr kHttpRoutes{"gateway.networking.k8s.io", "v1", "httproutes"};

// "rollout" or "rollouts"; null for words that scripts do not use.
inline const api::Gvr* find_kind(std::string_view word) {
  for (const api::Gvr* kind : {&kRollouts, &kExperiments, &kAnalysisRuns, &kReplicaSets,
                               &kDeployments, &kPods, &kServices, &kHttpRoutes})
    if (word == kind->resource || std::string(word) + "s" == kind->resource) return kind;
  return nullptr;
}

}  // namespace slipway::scenario
