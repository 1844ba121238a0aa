#include "api/kinds/argo_experiment.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

BOOST_DESCRIBE_STRUCT(ExtraMetadata, (), (labels, annotations))
BOOST_DESCRIBE_STRUCT(TemplateService, (), (name))
BOOST_DESCRIBE_STRUCT(TemplateSpec, (),
                      (name, replicas, min_ready_seconds, selector, template_, service))
BOOST_DESCRIBE_STRUCT(ExperimentAnalysisTemplateRef, (),
                      (name, template_name, cluster_scope, args, required_for_completion))
BOOST_DESCRIBE_STRUCT(ExperimentSpec, (),
                      (templates, duration, progress_deadline_seconds, terminate, analyses,
                       scale_down_delay_seconds, dry_run, measurement_retention,
                       analysis_run_metadata))
BOOST_DESCRIBE_STRUCT(TemplateStatus, (),
                      (name, replicas, updated_replicas, ready_replicas, available_replicas,
                       collision_count, status, message, last_transition_time, service_name,
                       pod_template_hash))
BOOST_DESCRIBE_STRUCT(Condition, (),
                      (type, status, last_update_time, last_transition_time, reason, message))
BOOST_DESCRIBE_STRUCT(ExperimentAnalysisRunStatus, (), (name, analysis_run, phase, message))
BOOST_DESCRIBE_STRUCT(ExperimentStatus, (),
                      (phase, message, template_statuses, available_at, conditions, analysis_runs))
BOOST_DESCRIBE_STRUCT(Experiment, (), (api_version, kind, metadata, spec, status))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::TemplateSpec> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"selector", {.required = true}},
                                   {"template_", {.json_name = "template", .required = true}}};
};
template <>
struct Annotations<argo::ExperimentAnalysisTemplateRef> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"template_name", {.required = true}},
                                   {"args", {.merge_key = "name"}}};
};
template <>
struct Annotations<argo::ExperimentSpec> {
  static constexpr Note notes[] = {{"templates", {.required = true, .merge_key = "name"}},
                                   {"analyses", {.merge_key = "name"}},
                                   {"dry_run", {.merge_key = "metricName"}},
                                   {"measurement_retention", {.merge_key = "metricName"}}};
};
template <>
struct Annotations<argo::TemplateStatus> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"replicas", {.required = true}},
                                   {"updated_replicas", {.required = true}},
                                   {"ready_replicas", {.required = true}},
                                   {"available_replicas", {.required = true}}};
};
template <>
struct Annotations<argo::Condition> {
  static constexpr Note notes[] = {{"type", {.required = true}},
                                   {"status", {.required = true}},
                                   {"last_update_time", {.required = true}},
                                   {"last_transition_time", {.required = true}},
                                   {"reason", {.required = true}},
                                   {"message", {.required = true}}};
};
template <>
struct Annotations<argo::ExperimentAnalysisRunStatus> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"analysis_run", {.required = true}},
                                   {"phase", {.required = true}}};
};
template <>
struct Annotations<argo::ExperimentStatus> {
  static constexpr Note notes[] = {{"template_statuses", {.merge_key = "name"}},
                                   {"conditions", {.merge_key = "type"}},
                                   {"analysis_runs", {.merge_key = "name"}}};
};
template <>
struct Annotations<argo::Experiment> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED_ELSEWHERE(argo::Argument);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::DryRun);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::MeasurementRetention);
SLIPWAY_DESCRIBED(argo::ExtraMetadata);
SLIPWAY_DESCRIBED(argo::TemplateService);
SLIPWAY_DESCRIBED(argo::TemplateSpec);
SLIPWAY_DESCRIBED(argo::ExperimentAnalysisTemplateRef);
SLIPWAY_DESCRIBED(argo::ExperimentSpec);
SLIPWAY_DESCRIBED(argo::TemplateStatus);
SLIPWAY_DESCRIBED(argo::Condition);
SLIPWAY_DESCRIBED(argo::ExperimentAnalysisRunStatus);
SLIPWAY_DESCRIBED(argo::ExperimentStatus);
SLIPWAY_DESCRIBED(argo::Experiment);

}  // namespace slipway::api::codec
