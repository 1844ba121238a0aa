#pragma once

#include <string_view>

// Labels and annotations by which Argo's controllers, and tools beside them, know what belongs to
// whom.
namespace slipway::api::argo {

inline constexpr std::string_view kGroup = "argoproj.io";
inline constexpr std::string_view kApiVersion = "argoproj.io/v1alpha1";
// The component that events come from.
inline constexpr std::string_view kEventSource = "rollouts-controller";

// Of ReplicaSets, their selectors and Pods; of Services' selectors, AnalysisRuns and Experiments.
inline constexpr std::string_view kHashLabel = "rollouts-pod-template-hash";
// Of ReplicaSets: when to scale down, RFC 3339 in UTC.
inline constexpr std::string_view kScaleDownDeadline = "scale-down-deadline";
inline constexpr std::string_view kInstanceIdLabel =
    "argo-rollouts.argoproj.io/controller-instance-id";
// Of Services: the name of the Rollout that sets their selector.
inline constexpr std::string_view kManagedBy = "argo-rollouts.argoproj.io/managed-by-rollouts";

// Of the ReplicaSets and Services of an Experiment.
inline constexpr std::string_view kExperimentName = "experiment.argoproj.io/name";
inline constexpr std::string_view kExperimentTemplate = "experiment.argoproj.io/template-name";

// Of Rollouts, their ReplicaSets, AnalysisRuns and Experiments.
inline constexpr std::string_view kRevision = "rollout.argoproj.io/revision";
inline constexpr std::string_view kRevisionHistory = "rollout.argoproj.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "rollout.argoproj.io/desired-replicas";
inline constexpr std::string_view kWorkloadGeneration = "rollout.argoproj.io/workload-generation";
inline constexpr std::string_view kEphemeralMetadata = "rollout.argoproj.io/ephemeral-metadata";

// Of trafficRouting.plugins: the one that is built in.
inline constexpr std::string_view kGatewayPlugin = "argoproj-labs/gatewayAPI";

// Labels of a Rollout's AnalysisRuns.
inline constexpr std::string_view kRolloutTypeLabel = "rollout-type";
inline constexpr std::string_view kTypeBackground = "Background";
inline constexpr std::string_view kTypeStep = "Step";
inline constexpr std::string_view kTypePrePromotion = "PrePromotion";
inline constexpr std::string_view kTypePostPromotion = "PostPromotion";
inline constexpr std::string_view kStepIndexLabel = "step-index";

// slipway's own, of AnalysisRuns and Experiments: which attempt of its owner one belongs to.
inline constexpr std::string_view kAttempt = "slipway.dev/attempt";
// slipway's own, of AnalysisRuns and Experiments: "true" once their Rollout has told them to end.
inline constexpr std::string_view kDropped = "slipway.dev/dropped";
// slipway's own, of ReplicaSets: "true" once the set has been the stable one of its Rollout.
inline constexpr std::string_view kWasStable = "slipway.dev/was-stable";

}  // namespace slipway::api::argo
