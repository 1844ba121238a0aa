#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compiled.h"
#include "api/kinds/flagger_metric.h"
#include "base/json.h"

// The analysis of a Flagger Canary as an AnalysisRun. Pure.
namespace slipway::analysis {

// The MetricTemplate of a namespace. kNotFound: metric_template_not_found().
using FindMetricTemplate =
    std::function<Result<api::flagger::MetricTemplate>(std::string_view ns, std::string_view name)>;
// `Metric template x.ns error: metrictemplate.flagger.app "x" not found`
std::unexpected<Error> metric_template_not_found(std::string_view ns, std::string_view name);

// What Flagger's own flags say.
struct FlaggerOptions {
  std::string mesh_provider = "istio";
  std::string metrics_server = "http://prometheus:9090";
  std::string ns = "default";   // of a Canary that names none
  bool cross_namespace = true;  // templates of other namespaces may be referred to
};

// One metric a check: builtin metrics and inline queries first, then templates, as Flagger asks
// them. Each ends when it has passed as often in a row as the Canary has steps (flagger/rounds.h),
// `analysis.interval` apart, or failed `analysis.threshold` times; no data and errors are failed
// checks. Webhooks are not called. Nothing to check (skipAnalysis, no metrics) is a run without
// metrics and a warning.
//
// kInvalid with the field for: a metric that is neither builtin nor has a query or a template, a
// query that cannot be rendered, a provider type nobody knows. kNotFound as `find` says.
Result<Compiled> compile_flagger(const json::Value& canary, const FindMetricTemplate& find,
                                 const FlaggerOptions& options = {});

// The query of a MetricTemplate by itself; `data` as lang::render_flagger takes it.
Result<api::argo::Metric> compile_metric_template(const api::flagger::MetricTemplate& metric,
                                                  const json::Object& data);

// Looks among manifests. One without namespace is in every namespace.
FindMetricTemplate find_metric_template_in(std::vector<json::Value> manifests);

}  // namespace slipway::analysis
