#include "api/kinds/argo_strategy.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

BOOST_DESCRIBE_STRUCT(ArgumentValueFrom, (), (pod_template_hash_value, field_ref))
BOOST_DESCRIBE_STRUCT(AnalysisRunArgument, (), (name, value, value_from))
BOOST_DESCRIBE_STRUCT(RolloutAnalysis, (),
                      (templates, args, dry_run, measurement_retention, analysis_run_metadata))
BOOST_DESCRIBE_STRUCT(RolloutAnalysisBackground, (),
                      (templates, args, dry_run, measurement_retention, analysis_run_metadata,
                       starting_step))
BOOST_DESCRIBE_STRUCT(RolloutExperimentTemplate, (),
                      (name, spec_ref, replicas, metadata, selector, weight, service))
BOOST_DESCRIBE_STRUCT(RolloutExperimentStepAnalysisTemplateRef, (),
                      (name, template_name, cluster_scope, args, required_for_completion))
BOOST_DESCRIBE_STRUCT(RolloutExperimentStep, (),
                      (templates, duration, analyses, dry_run, analysis_run_metadata,
                       scale_down_delay_seconds))
BOOST_DESCRIBE_STRUCT(RolloutPause, (), (duration))
BOOST_DESCRIBE_STRUCT(SetCanaryScale, (), (weight, replicas, match_traffic_weight))
BOOST_DESCRIBE_STRUCT(PluginStep, (), (name, config))
BOOST_DESCRIBE_STRUCT(CanaryStep, (),
                      (set_weight, pause, experiment, analysis, set_canary_scale, set_header_route,
                       set_mirror_route, plugin))
BOOST_DESCRIBE_STRUCT(PreferredAntiAffinity, (), (weight))
BOOST_DESCRIBE_STRUCT(RequiredAntiAffinity, (), ())
BOOST_DESCRIBE_STRUCT(AntiAffinity, (),
                      (preferred_during_scheduling_ignored_during_execution,
                       required_during_scheduling_ignored_during_execution))
BOOST_DESCRIBE_STRUCT(PingPongSpec, (), (ping_service, pong_service))
BOOST_DESCRIBE_STRUCT(ReplicaProgressThreshold, (), (type, value))
BOOST_DESCRIBE_STRUCT(CanaryStrategy, (),
                      (canary_service, stable_service, steps, traffic_routing, max_unavailable,
                       max_surge, analysis, anti_affinity, canary_metadata, stable_metadata,
                       scale_down_delay_seconds, scale_down_delay_revision_limit,
                       abort_scale_down_delay_seconds, dynamic_stable_scale, ping_pong,
                       min_pods_per_replica_set, replica_progress_threshold))
BOOST_DESCRIBE_STRUCT(BlueGreenStrategy, (),
                      (active_service, preview_service, preview_replica_count,
                       auto_promotion_enabled, auto_promotion_seconds, max_unavailable,
                       scale_down_delay_seconds, scale_down_delay_revision_limit,
                       pre_promotion_analysis, anti_affinity, post_promotion_analysis,
                       preview_metadata, active_metadata, abort_scale_down_delay_seconds))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::AnalysisRunArgument> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::RolloutAnalysis> {
  static constexpr Note notes[] = {{"templates", {.merge_key = "templateName"}},
                                   {"args", {.merge_key = "name"}},
                                   {"dry_run", {.merge_key = "metricName"}},
                                   {"measurement_retention", {.merge_key = "metricName"}}};
};
template <>
struct Annotations<argo::RolloutAnalysisBackground> : Annotations<argo::RolloutAnalysis> {};
template <>
struct Annotations<argo::RolloutExperimentTemplate> {
  static constexpr Note notes[] = {{"name", {.required = true}}, {"spec_ref", {.required = true}}};
};
template <>
struct Annotations<argo::RolloutExperimentStepAnalysisTemplateRef> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"template_name", {.required = true}},
                                   {"args", {.merge_key = "name"}}};
};
template <>
struct Annotations<argo::RolloutExperimentStep> {
  static constexpr Note notes[] = {{"templates", {.required = true, .merge_key = "name"}},
                                   {"analyses", {.merge_key = "name"}},
                                   {"dry_run", {.merge_key = "metricName"}}};
};
template <>
struct Annotations<argo::PluginStep> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::PreferredAntiAffinity> {
  static constexpr Note notes[] = {{"weight", {.required = true}}};
};
template <>
struct Annotations<argo::PingPongSpec> {
  static constexpr Note notes[] = {{"ping_service", {.required = true}},
                                   {"pong_service", {.required = true}}};
};
template <>
struct Annotations<argo::ReplicaProgressThreshold> {
  static constexpr Note notes[] = {{"type", {.required = true}}, {"value", {.required = true}}};
};
template <>
struct Annotations<argo::BlueGreenStrategy> {
  static constexpr Note notes[] = {{"active_service", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED_ELSEWHERE(argo::ExtraMetadata);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::TemplateService);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::RolloutTrafficRouting);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::SetHeaderRoute);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::SetMirrorRoute);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::AnalysisTemplateRef);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::DryRun);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::MeasurementRetention);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::FieldRef);
SLIPWAY_DESCRIBED(argo::ArgumentValueFrom);
SLIPWAY_DESCRIBED(argo::AnalysisRunArgument);
SLIPWAY_DESCRIBED(argo::RolloutAnalysis);
SLIPWAY_DESCRIBED(argo::RolloutAnalysisBackground);
SLIPWAY_DESCRIBED(argo::RolloutExperimentTemplate);
SLIPWAY_DESCRIBED(argo::RolloutExperimentStepAnalysisTemplateRef);
SLIPWAY_DESCRIBED(argo::RolloutExperimentStep);
SLIPWAY_DESCRIBED(argo::RolloutPause);
SLIPWAY_DESCRIBED(argo::SetCanaryScale);
SLIPWAY_DESCRIBED(argo::PluginStep);
SLIPWAY_DESCRIBED(argo::CanaryStep);
SLIPWAY_DESCRIBED(argo::PreferredAntiAffinity);
SLIPWAY_DESCRIBED(argo::RequiredAntiAffinity);
SLIPWAY_DESCRIBED(argo::AntiAffinity);
SLIPWAY_DESCRIBED(argo::PingPongSpec);
SLIPWAY_DESCRIBED(argo::ReplicaProgressThreshold);
SLIPWAY_DESCRIBED(argo::CanaryStrategy);
SLIPWAY_DESCRIBED(argo::BlueGreenStrategy);

}  // namespace slipway::api::codec
