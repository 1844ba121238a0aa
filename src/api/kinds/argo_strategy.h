#pragma once

#include "api/kinds/argo_experiment.h"
#include "api/kinds/argo_traffic.h"

// The two strategies of a Rollout.
namespace slipway::api::argo {

struct ArgumentValueFrom {
  std::string pod_template_hash_value = {};  // Stable, Latest
  std::optional<FieldRef> field_ref = {};
};
// An argument a Rollout gives to an analysis.
struct AnalysisRunArgument {
  std::string name = {};
  std::string value = {};
  std::optional<ArgumentValueFrom> value_from = {};
};
struct RolloutAnalysis {
  std::vector<AnalysisTemplateRef> templates = {};
  std::vector<AnalysisRunArgument> args = {};
  std::vector<DryRun> dry_run = {};
  std::vector<MeasurementRetention> measurement_retention = {};
  std::optional<ExtraMetadata> analysis_run_metadata = {};
};
// Runs beside the steps, from `starting_step` on.
struct RolloutAnalysisBackground {
  std::vector<AnalysisTemplateRef> templates = {};
  std::vector<AnalysisRunArgument> args = {};
  std::vector<DryRun> dry_run = {};
  std::vector<MeasurementRetention> measurement_retention = {};
  std::optional<ExtraMetadata> analysis_run_metadata = {};
  std::optional<std::int32_t> starting_step = {};
};

struct RolloutExperimentTemplate {
  std::string name = {};
  std::string spec_ref = {};  // canary, stable
  std::optional<std::int32_t> replicas = {};
  ExtraMetadata metadata = {};
  std::optional<LabelSelectorJson> selector = {};
  std::optional<std::int32_t> weight = {};
  std::optional<TemplateService> service = {};
};
struct RolloutExperimentStepAnalysisTemplateRef {
  std::string name = {}, template_name = {};
  std::optional<bool> cluster_scope = {};
  std::vector<AnalysisRunArgument> args = {};
  bool required_for_completion = false;
};
struct RolloutExperimentStep {
  std::vector<RolloutExperimentTemplate> templates = {};
  GoDuration duration = {};
  std::vector<RolloutExperimentStepAnalysisTemplateRef> analyses = {};
  std::vector<DryRun> dry_run = {};
  ExtraMetadata analysis_run_metadata = {};
  std::optional<std::int32_t> scale_down_delay_seconds = {};
};

struct RolloutPause {
  std::optional<IntOrString> duration = {};  // for ever when absent; seconds, or a Go duration
  // 0 without a duration, -1 when it cannot be read.
  std::int64_t duration_seconds() const;
};
struct SetCanaryScale {
  std::optional<std::int32_t> weight = {}, replicas = {};
  bool match_traffic_weight = false;
};
struct PluginStep {
  std::string name = {};
  FreeForm config = {};
};
// One member of these, except that setCanaryScale, routes and plugin may stand beside others.
struct CanaryStep {
  std::optional<std::int32_t> set_weight = {};
  std::optional<RolloutPause> pause = {};
  std::optional<RolloutExperimentStep> experiment = {};
  std::optional<RolloutAnalysis> analysis = {};
  std::optional<SetCanaryScale> set_canary_scale = {};
  std::optional<SetHeaderRoute> set_header_route = {};
  std::optional<SetMirrorRoute> set_mirror_route = {};
  std::optional<PluginStep> plugin = {};
};

struct PreferredAntiAffinity {
  std::int32_t weight = 0;
};
struct RequiredAntiAffinity {};
struct AntiAffinity {
  std::optional<PreferredAntiAffinity> preferred_during_scheduling_ignored_during_execution = {};
  std::optional<RequiredAntiAffinity> required_during_scheduling_ignored_during_execution = {};
};
struct PingPongSpec {
  std::string ping_service = {}, pong_service = {};
};
struct ReplicaProgressThreshold {
  std::string type = {};  // Percent, Pods
  std::int32_t value = 0;
};

struct CanaryStrategy {
  std::string canary_service = {}, stable_service = {};
  std::vector<CanaryStep> steps = {};
  std::optional<RolloutTrafficRouting> traffic_routing = {};
  std::optional<IntOrString> max_unavailable = {}, max_surge = {};  // 25 %
  std::optional<RolloutAnalysisBackground> analysis = {};
  std::optional<AntiAffinity> anti_affinity = {};
  std::optional<ExtraMetadata> canary_metadata = {}, stable_metadata = {};
  std::optional<std::int32_t> scale_down_delay_seconds = {};  // 30
  std::optional<std::int32_t> scale_down_delay_revision_limit = {};
  std::optional<std::int32_t> abort_scale_down_delay_seconds = {};  // 30
  bool dynamic_stable_scale = false;
  std::optional<PingPongSpec> ping_pong = {};
  std::optional<std::int32_t> min_pods_per_replica_set = {};
  std::optional<ReplicaProgressThreshold> replica_progress_threshold = {};
};
struct BlueGreenStrategy {
  std::string active_service = {}, preview_service = {};
  std::optional<std::int32_t> preview_replica_count = {};
  std::optional<bool> auto_promotion_enabled = {};  // true
  std::int32_t auto_promotion_seconds = 0;
  std::optional<IntOrString> max_unavailable = {};
  std::optional<std::int32_t> scale_down_delay_seconds = {};  // 30
  std::optional<std::int32_t> scale_down_delay_revision_limit = {};
  std::optional<RolloutAnalysis> pre_promotion_analysis = {};
  std::optional<AntiAffinity> anti_affinity = {};
  std::optional<RolloutAnalysis> post_promotion_analysis = {};
  std::optional<ExtraMetadata> preview_metadata = {}, active_metadata = {};
  std::optional<std::int32_t> abort_scale_down_delay_seconds = {};  // 30
};

}  // namespace slipway::api::argo
