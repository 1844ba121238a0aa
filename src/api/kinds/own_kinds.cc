#include "api/kinds/own_kinds.h"

#include "api/kinds/argo_rollout.h"
#include "api/kinds/flagger_metric.h"
#include "api/rules/place.h"

namespace slipway::api {

namespace {

constexpr std::string_view kArgo = "argoproj.io/v1alpha1";

PrinterColumn age_column() {
  return {.name = "Age",
          .type = "date",
          .json_path = ".metadata.creationTimestamp",
          .description = "Time since resource was created"};
}

Resource argo_kind(std::string_view kind, std::string plural, std::string singular,
                   std::string short_name, const Schema& schema) {
  return {.gvk = parse_gvk(kArgo, kind),
          .plural = std::move(plural),
          .singular = std::move(singular),
          .short_names = {std::move(short_name)},
          .schema = &schema,
          .columns = {age_column()}};
}

// Upstream's CRD says so in CEL, for which Kubernetes shows the type of the value, not the value.
void keep_selector(const json::Object& rollout, const json::Object* old, Findings& findings) {
  if (old == nullptr) return;
  const Place now = Place::of(rollout, "spec")["selector"];
  const Place before = Place::of(*old, "spec")["selector"];
  if (now.present() && before.present() && !json::same(now.value(), before.value()))
    findings.invalid(now.path(), "object", ".spec.selector is immutable");
}

Resource rollout_kind(SchemaSet& schemas) {
  Resource rollout =
      argo_kind("Rollout", "rollouts", "rollout", "ro", schema_of<argo::Rollout>(schemas));
  rollout.status_subresource = true;
  rollout.scale = ScalePaths{".spec.replicas", ".status.HPAReplicas", ".status.selector"};
  rollout.columns = {
      {.name = "Desired",
       .type = "integer",
       .json_path = ".spec.replicas",
       .description = "Number of desired pods"},
      {.name = "Current",
       .type = "integer",
       .json_path = ".status.replicas",
       .description = "Total number of non-terminated pods targeted by this rollout"},
      {.name = "Up-to-date",
       .type = "integer",
       .json_path = ".status.updatedReplicas",
       .description = "Total number of non-terminated pods targeted by this rollout that have the "
                      "desired template spec"},
      {.name = "Available",
       .type = "integer",
       .json_path = ".status.availableReplicas",
       .description = "Total number of available pods (ready for at least minReadySeconds) "
                      "targeted by this rollout"},
      age_column()};
  rollout.rules.validate = keep_selector;
  return rollout;
}

Resource with_phase(Resource resource) {
  resource.columns.insert(resource.columns.begin(), {.name = "Status",
                                                     .type = "string",
                                                     .json_path = ".status.phase",
                                                     .description = resource.gvk.kind + " status"});
  return resource;
}

Resource metric_template_kind(SchemaSet& schemas) {
  return {.gvk = {"flagger.app", "v1beta1", "MetricTemplate"},
          .plural = "metrictemplates",
          .singular = "metrictemplate",
          .categories = {"all"},
          .schema = &schema_of<flagger::MetricTemplate>(schemas),
          .status_subresource = true,
          .columns = {{.name = "Provider", .type = "string", .json_path = ".spec.provider.type"}}};
}

}  // namespace

std::vector<Resource> own_kinds(SchemaSet& schemas) {
  Resource cluster_template =
      argo_kind("ClusterAnalysisTemplate", "clusteranalysistemplates", "clusteranalysistemplate",
                "cat", schema_of<argo::ClusterAnalysisTemplate>(schemas));
  cluster_template.namespaced = false;
  std::vector<Resource> kinds;
  kinds.push_back(rollout_kind(schemas));
  kinds.push_back(with_phase(argo_kind("Experiment", "experiments", "experiment", "exp",
                                       schema_of<argo::Experiment>(schemas))));
  kinds.push_back(with_phase(argo_kind("AnalysisRun", "analysisruns", "analysisrun", "ar",
                                       schema_of<argo::AnalysisRun>(schemas))));
  kinds.push_back(argo_kind("AnalysisTemplate", "analysistemplates", "analysistemplate", "at",
                            schema_of<argo::AnalysisTemplate>(schemas)));
  kinds.push_back(std::move(cluster_template));
  kinds.push_back(metric_template_kind(schemas));
  return kinds;
}

}  // namespace slipway::api
