#pragma once

#include "api/kinds/argo_analysis.h"

// argoproj.io/v1alpha1 Experiment.
namespace slipway::api::argo {

// Labels and annotations given to what a resource creates.
struct ExtraMetadata {
  std::map<std::string, std::string> labels = {}, annotations = {};
};

struct TemplateService {
  std::string name = {};  // that of the ReplicaSet when empty
};
// One variant: a ReplicaSet for as long as the experiment runs.
struct TemplateSpec {
  std::string name = {};
  std::optional<std::int32_t> replicas = {};  // 1
  std::int32_t min_ready_seconds = 0;
  std::optional<LabelSelectorJson> selector = {};
  PodTemplateJson template_ = {};
  std::optional<TemplateService> service = {};
};
struct ExperimentAnalysisTemplateRef {
  std::string name = {}, template_name = {};
  std::optional<bool> cluster_scope = {};
  std::vector<Argument> args = {};
  bool required_for_completion = false;
};
struct ExperimentSpec {
  std::vector<TemplateSpec> templates = {};
  GoDuration duration = {};  // no limit when empty; counted from status.availableAt
  std::optional<std::int32_t> progress_deadline_seconds = {};  // 600
  bool terminate = false;
  std::vector<ExperimentAnalysisTemplateRef> analyses = {};
  std::optional<std::int32_t> scale_down_delay_seconds = {};  // 30
  std::vector<DryRun> dry_run = {};
  std::vector<MeasurementRetention> measurement_retention = {};
  ExtraMetadata analysis_run_metadata = {};
};

// Progressing Running Successful Failed Error.
using TemplateStatusCode = std::string;
struct TemplateStatus {
  std::string name = {};
  std::int32_t replicas = 0, updated_replicas = 0, ready_replicas = 0, available_replicas = 0;
  std::optional<std::int32_t> collision_count = {};
  TemplateStatusCode status = {};
  std::string message = {};
  std::optional<Time> last_transition_time = {};
  std::string service_name = {}, pod_template_hash = {};
};
// Of Experiments and Rollouts.
struct Condition {
  std::string type = {}, status = {};
  Time last_update_time = {}, last_transition_time = {};
  std::string reason = {}, message = {};
};
struct ExperimentAnalysisRunStatus {
  std::string name = {};
  std::string analysis_run = {};  // the object's name
  AnalysisPhase phase = {};
  std::string message = {};
};
struct ExperimentStatus {
  AnalysisPhase phase = {};
  std::string message = {};
  std::vector<TemplateStatus> template_statuses = {};
  std::optional<Time> available_at = {};
  std::vector<Condition> conditions = {};
  std::vector<ExperimentAnalysisRunStatus> analysis_runs = {};
};
struct Experiment {
  std::string api_version = {}, kind = {};
  ObjectMeta metadata = {};
  ExperimentSpec spec = {};
  ExperimentStatus status = {};
};

}  // namespace slipway::api::argo
