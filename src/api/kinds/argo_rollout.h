#pragma once

#include "api/kinds/argo_strategy.h"

// argoproj.io/v1alpha1 Rollout.
namespace slipway::api::argo {

// Another object whose Pod template the Rollout uses.
struct ObjectRef {
  std::string api_version = {}, kind = {}, name = {};
  std::string scale_down = {};  // never, onsuccess, progressively
};
struct RolloutStrategy {
  std::optional<BlueGreenStrategy> blue_green = {};
  std::optional<CanaryStrategy> canary = {};
};
struct RollbackWindowSpec {
  std::int32_t revisions = 0;
};
struct AnalysisRunStrategy {
  std::optional<std::int32_t> successful_run_history_limit = {};    // 5
  std::optional<std::int32_t> unsuccessful_run_history_limit = {};  // 5
};
struct RolloutSpec {
  std::optional<std::int32_t> replicas = {};       // 1
  std::optional<LabelSelectorJson> selector = {};  // immutable
  PodTemplateJson template_ = {};
  std::optional<ObjectRef> workload_ref = {};
  std::int32_t min_ready_seconds = 0;
  std::optional<RollbackWindowSpec> rollback_window = {};
  RolloutStrategy strategy = {};
  std::optional<std::int32_t> revision_history_limit = {};  // 10
  bool paused = false;
  std::optional<std::int32_t> progress_deadline_seconds = {};  // 600
  bool progress_deadline_abort = false;
  std::optional<Time> restart_at = {};
  std::optional<AnalysisRunStrategy> analysis = {};
};

struct PauseCondition {
  std::string reason = {};
  Time start_time = {};
};
struct RolloutAnalysisRunStatus {
  std::string name = {};
  AnalysisPhase status = {};
  std::string message = {};
};
struct WeightDestination {
  std::int32_t weight = 0;
  std::string service_name = {}, pod_template_hash = {};
};
struct TrafficWeights {
  WeightDestination canary = {}, stable = {};
  std::vector<WeightDestination> additional = {};
  std::optional<bool> verified = {};
};
struct StepPluginStatus {
  std::int32_t index = 0;
  std::string name = {}, operation = {}, phase = {}, message = {};
  std::optional<Time> started_at = {}, updated_at = {}, finished_at = {};
  GoDuration backoff = {};
  std::int32_t executions = 0;
  bool disabled = false;
  FreeForm status = {};
};
struct CanaryStatus {
  std::optional<RolloutAnalysisRunStatus> current_step_analysis_run_status = {},
                                          current_background_analysis_run_status = {};
  std::string current_experiment = {};
  std::optional<TrafficWeights> weights = {};
  std::string stable_ping_pong = {};  // ping, pong
  std::vector<StepPluginStatus> step_plugin_statuses = {};
};
struct BlueGreenStatus {
  std::string preview_selector = {}, active_selector = {};
  bool scale_up_preview_check_point = false;
  std::optional<RolloutAnalysisRunStatus> pre_promotion_analysis_run_status = {},
                                          post_promotion_analysis_run_status = {};
};
struct AwsResourceRef {
  std::string name = {}, arn = {}, full_name = {};
};
struct AlbStatus {
  std::optional<AwsResourceRef> load_balancer = {}, canary_target_group = {},
                                stable_target_group = {};
  std::string ingress = {};
};
// How long the last update took, and how it ended.
struct RolloutDuration {
  std::optional<Time> rollout_started_at = {}, manual_pause_started_at = {};
  std::int64_t total_manual_pause_duration_seconds = 0;
  std::optional<Time> finished_at = {};
  std::string completion_status = {};
};
struct RolloutStatus {
  bool abort = false;
  std::vector<PauseCondition> pause_conditions = {};
  bool controller_pause = false;
  std::optional<Time> aborted_at = {};
  std::string current_pod_hash = {}, current_step_hash = {};
  std::int32_t replicas = 0, updated_replicas = 0, ready_replicas = 0, available_replicas = 0;
  std::optional<std::int32_t> current_step_index = {}, collision_count = {};
  std::string observed_generation = {};
  std::vector<Condition> conditions = {};
  CanaryStatus canary = {};
  BlueGreenStatus blue_green = {};
  std::int32_t hpa_replicas = 0;
  std::string selector = {}, stable_rs = {};
  std::optional<Time> restarted_at = {};
  bool promote_full = false;
  std::string phase = {};  // Healthy Degraded Progressing Paused
  std::string message = {};
  std::string workload_observed_generation = {};
  std::optional<AlbStatus> alb = {};
  std::vector<AlbStatus> albs = {};
  std::optional<RolloutDuration> duration = {};
};
struct Rollout {
  std::string api_version = {}, kind = {};
  ObjectMeta metadata = {};
  RolloutSpec spec = {};
  RolloutStatus status = {};
};

}  // namespace slipway::api::argo
