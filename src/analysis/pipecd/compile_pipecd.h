#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compiled.h"
#include "analysis/history.h"
#include "base/yaml.h"

// PipeCD's ANALYSIS stages as AnalysisRuns. Pure.
namespace slipway::analysis {

// How a variant's workloads are called where there are some.
struct PipecdWorkloads {
  std::string pod_name = {};  // a regular expression that matches the Pods
  std::string service_name = {};
};

struct PipecdOptions {
  std::string app_name = {};  // when spec.name does not say
  // More of AppCustomArgs; these win. `App.Name` and `K8s.Namespace` stand for those.
  std::map<std::string, std::string> args = {};
  std::optional<std::string> variant = {};  // whom THRESHOLD and PREVIOUS ask about; primary
  std::map<std::string, PipecdWorkloads> workloads = {};  // by variant
  const History* history = nullptr;                       // for PREVIOUS; null: nobody keeps one
  Time now = {};        // when the runs are going to start: what PREVIOUS counts back from
  bool compat = false;  // PipeCD's released test unless a metric names another
};

// Whether a document is an application (KubernetesApp, ECSApp, …, Application), an AnalysisTemplate
// or a piped configuration of pipecd.dev/v1beta1; keys in any case, as PipeCD reads them.
bool is_pipecd_application(const yaml::Document& document);
bool is_pipecd_template(const yaml::Document& document);
bool is_piped_config(const yaml::Document& document);

// One run for each ANALYSIS stage, in their order. Of several templates that have an entry of the
// same name, the first counts. `piped` may be null as long as no metric names a provider.
// Errors: kInvalid, with the field as `where`, for what PipeCD would refuse or fail at once, and
// for a query that cannot be rendered.
Result<std::vector<Compiled>> compile_pipecd(const yaml::Document& application,
                                             const std::vector<const yaml::Document*>& templates,
                                             const yaml::Document* piped,
                                             const PipecdOptions& options);

// Every query of an application's ANALYSIS stages, rendered for each variant it is asked about.
struct RenderedQuery {
  std::string field = {};    // spec.pipeline.stages[1].with.metrics[0].query
  std::string variant = {};  // canary, baseline, primary
  std::string text = {};
};
Result<std::vector<RenderedQuery>> render_pipecd_queries(
    const yaml::Document& application, const std::vector<const yaml::Document*>& templates,
    const PipecdOptions& options);
// The same of an AnalysisTemplate by itself, in the order of its entries' names.
Result<std::vector<RenderedQuery>> render_pipecd_template(const yaml::Document& document,
                                                          const PipecdOptions& options);

}  // namespace slipway::analysis
