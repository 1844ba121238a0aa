#pragma once

#include "api/kinds/argo_providers.h"

// argoproj.io/v1alpha1 AnalysisTemplate, ClusterAnalysisTemplate and AnalysisRun.
namespace slipway::api::argo {

// Pending Running Successful Failed Error Inconclusive.
using AnalysisPhase = std::string;

struct FieldRef {
  std::string field_path = {};
};
struct SecretKeyRef {
  std::string name = {};
  std::string key = {};
};
struct ValueFrom {
  std::optional<SecretKeyRef> secret_key_ref = {};
  std::optional<FieldRef> field_ref = {};
};
// An argument a template declares, or a run was given.
struct Argument {
  std::string name = {};
  std::optional<std::string> value = {};
  std::optional<ValueFrom> value_from = {};
};

// slipway's own: what other dialects' checks ask of a metric beside Argo's members.
struct Expected {
  std::optional<double> min = {}, max = {};  // both inclusive
};
struct Check {
  std::optional<Expected> expected = {};  // every point must lie within
  // What it means that there is no data: Error (default), Fail or Pass.
  std::string no_data = {};
  bool errors_fail = false;  // an error counts as a failure
};

// One check: what to ask, how often, and when it has failed.
struct Metric {
  std::string name = {};
  GoDuration interval = {};  // from the end of one measurement to the next
  GoDuration initial_delay = {};
  std::optional<IntOrString> count = {};
  std::string success_condition = {};
  std::string failure_condition = {};
  std::optional<IntOrString> failure_limit = {};            // 0; -1 is off
  std::optional<IntOrString> inconclusive_limit = {};       // 0
  std::optional<IntOrString> consecutive_error_limit = {};  // 4
  MetricProvider provider = {};
  std::optional<IntOrString> consecutive_success_limit = {};  // 0 is off
  std::optional<Check> check = {};
};

struct DryRun {
  std::string metric_name = {};  // a regular expression
};
struct MeasurementRetention {
  std::string metric_name = {};  // a regular expression
  std::int32_t limit = 0;
};
struct AnalysisTemplateRef {
  std::string template_name = {};
  std::optional<bool> cluster_scope = {};
};

struct AnalysisTemplateSpec {
  std::vector<Metric> metrics = {};
  std::vector<Argument> args = {};
  std::vector<DryRun> dry_run = {};
  std::vector<MeasurementRetention> measurement_retention = {};
  std::vector<AnalysisTemplateRef> templates = {};
};
struct AnalysisTemplate {
  std::string api_version = {}, kind = {};
  ObjectMeta metadata = {};
  AnalysisTemplateSpec spec = {};
};
struct ClusterAnalysisTemplate {
  std::string api_version = {}, kind = {};
  ObjectMeta metadata = {};
  AnalysisTemplateSpec spec = {};
};

struct TtlStrategy {
  std::optional<std::int32_t> seconds_after_completion = {};
  std::optional<std::int32_t> seconds_after_failure = {};
  std::optional<std::int32_t> seconds_after_success = {};
};
struct AnalysisRunSpec {
  std::vector<Metric> metrics = {};
  std::vector<Argument> args = {};
  bool terminate = false;
  std::vector<DryRun> dry_run = {};
  std::vector<MeasurementRetention> measurement_retention = {};
  std::optional<TtlStrategy> ttl_strategy = {};
};

struct Measurement {
  AnalysisPhase phase = {};
  std::string message = {};
  std::optional<Time> started_at = {}, finished_at = {};
  std::string value = {};
  std::map<std::string, std::string> metadata = {};
  std::optional<Time> resume_at = {};
  FreeForm samples = {};  // slipway's own: the points a comparison looked at
};
struct MetricResult {
  std::string name = {};
  AnalysisPhase phase = {};
  std::vector<Measurement> measurements = {};
  std::string message = {};
  std::int32_t count = 0, successful = 0, failed = 0, inconclusive = 0, error = 0,
               consecutive_error = 0;
  bool dry_run = false;
  std::map<std::string, std::string> metadata = {};
  std::int32_t consecutive_success = 0;
  FreeForm state = {};  // slipway's own: of a sequential test, after the last look
};
struct RunSummary {
  std::int32_t count = 0, successful = 0, failed = 0, inconclusive = 0, error = 0;
};
struct AnalysisRunStatus {
  AnalysisPhase phase = {};
  std::string message = {};
  std::vector<MetricResult> metric_results = {};
  std::optional<Time> started_at = {};
  RunSummary run_summary = {};
  std::optional<RunSummary> dry_run_summary = {};
  std::optional<Time> completed_at = {};
};
struct AnalysisRun {
  std::string api_version = {}, kind = {};
  ObjectMeta metadata = {};
  AnalysisRunSpec spec = {};
  std::optional<AnalysisRunStatus> status = {};
};

}  // namespace slipway::api::argo
