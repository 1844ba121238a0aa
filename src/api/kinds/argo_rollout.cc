#include "api/kinds/argo_rollout.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

BOOST_DESCRIBE_STRUCT(ObjectRef, (), (api_version, kind, name, scale_down))
BOOST_DESCRIBE_STRUCT(RolloutStrategy, (), (blue_green, canary))
BOOST_DESCRIBE_STRUCT(RollbackWindowSpec, (), (revisions))
BOOST_DESCRIBE_STRUCT(AnalysisRunStrategy, (),
                      (successful_run_history_limit, unsuccessful_run_history_limit))
BOOST_DESCRIBE_STRUCT(RolloutSpec, (),
                      (replicas, selector, template_, workload_ref, min_ready_seconds,
                       rollback_window, strategy, revision_history_limit, paused,
                       progress_deadline_seconds, progress_deadline_abort, restart_at, analysis))
BOOST_DESCRIBE_STRUCT(PauseCondition, (), (reason, start_time))
BOOST_DESCRIBE_STRUCT(RolloutAnalysisRunStatus, (), (name, status, message))
BOOST_DESCRIBE_STRUCT(WeightDestination, (), (weight, service_name, pod_template_hash))
BOOST_DESCRIBE_STRUCT(TrafficWeights, (), (canary, stable, additional, verified))
BOOST_DESCRIBE_STRUCT(StepPluginStatus, (),
                      (index, name, operation, phase, message, started_at, updated_at, finished_at,
                       backoff, executions, disabled, status))
BOOST_DESCRIBE_STRUCT(CanaryStatus, (),
                      (current_step_analysis_run_status, current_background_analysis_run_status,
                       current_experiment, weights, stable_ping_pong, step_plugin_statuses))
BOOST_DESCRIBE_STRUCT(BlueGreenStatus, (),
                      (preview_selector, active_selector, scale_up_preview_check_point,
                       pre_promotion_analysis_run_status, post_promotion_analysis_run_status))
BOOST_DESCRIBE_STRUCT(AwsResourceRef, (), (name, arn, full_name))
BOOST_DESCRIBE_STRUCT(AlbStatus, (),
                      (load_balancer, canary_target_group, stable_target_group, ingress))
BOOST_DESCRIBE_STRUCT(RolloutDuration, (),
                      (rollout_started_at, manual_pause_started_at,
                       total_manual_pause_duration_seconds, finished_at, completion_status))
BOOST_DESCRIBE_STRUCT(RolloutStatus, (),
                      (abort, pause_conditions, controller_pause, aborted_at, current_pod_hash,
                       current_step_hash, replicas, updated_replicas, ready_replicas,
                       available_replicas, current_step_index, collision_count, observed_generation,
                       conditions, canary, blue_green, hpa_replicas, selector, stable_rs,
                       restarted_at, promote_full, phase, message, workload_observed_generation,
                       alb, albs, duration))
BOOST_DESCRIBE_STRUCT(Rollout, (), (api_version, kind, metadata, spec, status))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::RolloutSpec> {
  static constexpr Note notes[] = {{"template_", {.json_name = "template"}}};
};
template <>
struct Annotations<argo::PauseCondition> {
  static constexpr Note notes[] = {{"reason", {.required = true}},
                                   {"start_time", {.required = true}}};
};
template <>
struct Annotations<argo::RolloutAnalysisRunStatus> {
  static constexpr Note notes[] = {{"name", {.required = true}}, {"status", {.required = true}}};
};
template <>
struct Annotations<argo::WeightDestination> {
  static constexpr Note notes[] = {{"weight", {.required = true}}};
};
template <>
struct Annotations<argo::TrafficWeights> {
  static constexpr Note notes[] = {{"canary", {.required = true}}, {"stable", {.required = true}}};
};
template <>
struct Annotations<argo::StepPluginStatus> {
  static constexpr Note notes[] = {{"index", {.required = true}},
                                   {"name", {.required = true}},
                                   {"operation", {.required = true}}};
};
template <>
struct Annotations<argo::AwsResourceRef> {
  static constexpr Note notes[] = {{"name", {.required = true}}, {"arn", {.required = true}}};
};
template <>
struct Annotations<argo::RolloutStatus> {
  static constexpr Note notes[] = {{"conditions", {.merge_key = "type"}},
                                   {"hpa_replicas", {.json_name = "HPAReplicas"}},
                                   {"stable_rs", {.json_name = "stableRS"}}};
};
template <>
struct Annotations<argo::Rollout> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED_ELSEWHERE(argo::BlueGreenStrategy);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::CanaryStrategy);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::Condition);
SLIPWAY_DESCRIBED(argo::ObjectRef);
SLIPWAY_DESCRIBED(argo::RolloutStrategy);
SLIPWAY_DESCRIBED(argo::RollbackWindowSpec);
SLIPWAY_DESCRIBED(argo::AnalysisRunStrategy);
SLIPWAY_DESCRIBED(argo::RolloutSpec);
SLIPWAY_DESCRIBED(argo::PauseCondition);
SLIPWAY_DESCRIBED(argo::RolloutAnalysisRunStatus);
SLIPWAY_DESCRIBED(argo::WeightDestination);
SLIPWAY_DESCRIBED(argo::TrafficWeights);
SLIPWAY_DESCRIBED(argo::StepPluginStatus);
SLIPWAY_DESCRIBED(argo::CanaryStatus);
SLIPWAY_DESCRIBED(argo::BlueGreenStatus);
SLIPWAY_DESCRIBED(argo::AwsResourceRef);
SLIPWAY_DESCRIBED(argo::AlbStatus);
SLIPWAY_DESCRIBED(argo::RolloutDuration);
SLIPWAY_DESCRIBED(argo::RolloutStatus);
SLIPWAY_DESCRIBED(argo::Rollout);

}  // namespace slipway::api::codec
