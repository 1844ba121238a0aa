#include "api/kinds/argo_analysis.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

BOOST_DESCRIBE_STRUCT(FieldRef, (), (field_path))
BOOST_DESCRIBE_STRUCT(SecretKeyRef, (), (name, key))
BOOST_DESCRIBE_STRUCT(ValueFrom, (), (secret_key_ref, field_ref))
BOOST_DESCRIBE_STRUCT(Argument, (), (name, value, value_from))
BOOST_DESCRIBE_STRUCT(Expected, (), (min, max))
BOOST_DESCRIBE_STRUCT(Check, (), (expected, no_data, errors_fail))
BOOST_DESCRIBE_STRUCT(Metric, (),
                      (name, interval, initial_delay, count, success_condition, failure_condition,
                       failure_limit, inconclusive_limit, consecutive_error_limit, provider,
                       consecutive_success_limit, check))
BOOST_DESCRIBE_STRUCT(DryRun, (), (metric_name))
BOOST_DESCRIBE_STRUCT(MeasurementRetention, (), (metric_name, limit))
BOOST_DESCRIBE_STRUCT(AnalysisTemplateRef, (), (template_name, cluster_scope))
BOOST_DESCRIBE_STRUCT(AnalysisTemplateSpec, (),
                      (metrics, args, dry_run, measurement_retention, templates))
BOOST_DESCRIBE_STRUCT(AnalysisTemplate, (), (api_version, kind, metadata, spec))
BOOST_DESCRIBE_STRUCT(ClusterAnalysisTemplate, (), (api_version, kind, metadata, spec))
BOOST_DESCRIBE_STRUCT(TtlStrategy, (),
                      (seconds_after_completion, seconds_after_failure, seconds_after_success))
BOOST_DESCRIBE_STRUCT(AnalysisRunSpec, (),
                      (metrics, args, terminate, dry_run, measurement_retention, ttl_strategy))
BOOST_DESCRIBE_STRUCT(Measurement, (),
                      (phase, message, started_at, finished_at, value, metadata, resume_at,
                       samples))
BOOST_DESCRIBE_STRUCT(MetricResult, (),
                      (name, phase, measurements, message, count, successful, failed, inconclusive,
                       error, consecutive_error, dry_run, metadata, consecutive_success, state))
BOOST_DESCRIBE_STRUCT(RunSummary, (), (count, successful, failed, inconclusive, error))
BOOST_DESCRIBE_STRUCT(AnalysisRunStatus, (),
                      (phase, message, metric_results, started_at, run_summary, dry_run_summary,
                       completed_at))
BOOST_DESCRIBE_STRUCT(AnalysisRun, (), (api_version, kind, metadata, spec, status))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::FieldRef> {
  static constexpr Note notes[] = {{"field_path", {.required = true}}};
};
template <>
struct Annotations<argo::SecretKeyRef> {
  static constexpr Note notes[] = {{"name", {.required = true}}, {"key", {.required = true}}};
};
template <>
struct Annotations<argo::Argument> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<argo::Check> {
  static constexpr Note notes[] = {{"no_data", {.one_of = "Error Fail Pass"}}};
};
template <>
struct Annotations<argo::Metric> {
  static constexpr Note notes[] = {{"name", {.required = true}}, {"provider", {.required = true}}};
};
template <>
struct Annotations<argo::DryRun> {
  static constexpr Note notes[] = {{"metric_name", {.required = true}}};
};
template <>
struct Annotations<argo::MeasurementRetention> {
  static constexpr Note notes[] = {{"metric_name", {.required = true}},
                                   {"limit", {.required = true}}};
};
template <>
struct Annotations<argo::AnalysisTemplateSpec> {
  static constexpr Note notes[] = {{"metrics", {.merge_key = "name"}},
                                   {"args", {.merge_key = "name"}},
                                   {"dry_run", {.merge_key = "metricName"}},
                                   {"measurement_retention", {.merge_key = "metricName"}},
                                   {"templates", {.merge_key = "templateName"}}};
};
template <>
struct Annotations<argo::AnalysisTemplate> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};
template <>
struct Annotations<argo::ClusterAnalysisTemplate> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};
template <>
struct Annotations<argo::AnalysisRunSpec> {
  static constexpr Note notes[] = {{"metrics", {.required = true, .merge_key = "name"}},
                                   {"args", {.merge_key = "name"}},
                                   {"dry_run", {.merge_key = "metricName"}},
                                   {"measurement_retention", {.merge_key = "metricName"}}};
};
template <>
struct Annotations<argo::Measurement> {
  static constexpr Note notes[] = {{"phase", {.required = true}}};
};
template <>
struct Annotations<argo::MetricResult> {
  static constexpr Note notes[] = {{"name", {.required = true}}, {"phase", {.required = true}}};
};
template <>
struct Annotations<argo::AnalysisRunStatus> {
  static constexpr Note notes[] = {{"phase", {.required = true}},
                                   {"metric_results", {.merge_key = "name"}}};
};
template <>
struct Annotations<argo::AnalysisRun> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED_ELSEWHERE(argo::MetricProvider);
SLIPWAY_DESCRIBED(argo::FieldRef);
SLIPWAY_DESCRIBED(argo::SecretKeyRef);
SLIPWAY_DESCRIBED(argo::ValueFrom);
SLIPWAY_DESCRIBED(argo::Argument);
SLIPWAY_DESCRIBED(argo::Expected);
SLIPWAY_DESCRIBED(argo::Check);
SLIPWAY_DESCRIBED(argo::Metric);
SLIPWAY_DESCRIBED(argo::DryRun);
SLIPWAY_DESCRIBED(argo::MeasurementRetention);
SLIPWAY_DESCRIBED(argo::AnalysisTemplateRef);
SLIPWAY_DESCRIBED(argo::AnalysisTemplateSpec);
SLIPWAY_DESCRIBED(argo::AnalysisTemplate);
SLIPWAY_DESCRIBED(argo::ClusterAnalysisTemplate);
SLIPWAY_DESCRIBED(argo::TtlStrategy);
SLIPWAY_DESCRIBED(argo::AnalysisRunSpec);
SLIPWAY_DESCRIBED(argo::Measurement);
SLIPWAY_DESCRIBED(argo::MetricResult);
SLIPWAY_DESCRIBED(argo::RunSummary);
SLIPWAY_DESCRIBED(argo::AnalysisRunStatus);
SLIPWAY_DESCRIBED(argo::AnalysisRun);

}  // namespace slipway::api::codec
