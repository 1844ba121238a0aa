#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/compiled.h"
#include "api/kinds/argo_analysis.h"

// AnalysisTemplates, composed into the spec of an AnalysisRun. Pure.
namespace slipway::analysis {

// Templates that one run is composed of, those they refer to included.
inline constexpr std::size_t kMaxTemplates = 200;

// The template that a reference names. kNotFound in Argo's words: template_not_found().
using FindTemplate =
    std::function<Result<api::argo::AnalysisTemplateSpec>(const api::argo::AnalysisTemplateRef&)>;
// `analysistemplate.argoproj.io "x" not found`
std::unexpected<Error> template_not_found(const api::argo::AnalysisTemplateRef& reference);

// What somebody (a Rollout, an Experiment, a person) wants analysed.
struct ArgoRequest {
  std::vector<api::argo::AnalysisTemplateRef> templates = {};
  std::vector<api::argo::Argument> args = {};
  std::vector<api::argo::Argument> fallback = {};  // of arguments that nobody gives a value
  std::vector<api::argo::DryRun> dry_run = {};     // come before those of the templates
  std::vector<api::argo::MeasurementRetention> measurement_retention = {};
};

// The templates, each with those it refers to, once each, in order: those of the namespace, then
// those of the cluster. Metrics and rules are put after one another; an argument declared several
// times is one. Arguments that no template declares are dropped. A template that refers to itself,
// however indirectly, is there once.
//
// kNotFound as `find` says. kInvalid, in Argo's words:
//   two metrics have the same name 'x'
//   two Dry-Run metric rules have the same name 'x'
//   two Measurement Retention metric rules have the same name 'x'
//   Argument `x` specified multiple times with different values: 'a', 'b'
//   args.x was not resolved
// Unlike Argo's, a value given for an argument replaces the Secret its template would take it from.
Result<api::argo::AnalysisRunSpec> compose_run(const ArgoRequest& request,
                                               const FindTemplate& find);

// The run that an AnalysisTemplate, a ClusterAnalysisTemplate or an AnalysisRun of a manifest asks
// for. `args` go before the manifest's own; one that nobody declares is a warning. `fallback` is of
// arguments that nobody gives a value. kInvalid for any other kind, and with the fields in its
// causes for what cannot be read.
Result<Compiled> compile_argo(const json::Value& manifest,
                              const std::vector<api::argo::Argument>& args,
                              const FindTemplate& find,
                              const std::vector<api::argo::Argument>& fallback = {});

// Looks among manifests, for somebody in the namespace `ns`. A manifest without namespace is in
// everybody's.
FindTemplate find_template_in(std::vector<json::Value> manifests, std::string ns = {});

}  // namespace slipway::analysis
