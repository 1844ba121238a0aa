#include "analysis/flagger/canary.h"

#include "api/object.h"
#include "api/schema/codec_describe.h"

namespace slipway::analysis::flagger {

BOOST_DESCRIBE_STRUCT(NamedRef, (), (name, ns))
BOOST_DESCRIBE_STRUCT(ThresholdRange, (), (min, max))
BOOST_DESCRIBE_STRUCT(CanaryMetric, (),
                      (name, interval, threshold, threshold_range, query, template_ref,
                       template_variables))
BOOST_DESCRIBE_STRUCT(CanaryAnalysis, (),
                      (interval, threshold, iterations, max_weight, step_weight, step_weights,
                       step_weight_promotion, mirror, mirror_weight, primary_ready_threshold,
                       canary_ready_threshold, metrics, match, webhooks, alerts, session_affinity))
BOOST_DESCRIBE_STRUCT(TargetRef, (), (api_version, kind, name))
BOOST_DESCRIBE_STRUCT(CanarySpec, (),
                      (provider, metrics_server, target_ref, ingress_ref, route_ref, service,
                       analysis, canary_analysis, skip_analysis, autoscaler_ref, upstream_ref,
                       progress_deadline_seconds, revert_on_deletion, suspend))
BOOST_DESCRIBE_STRUCT(Canary, (), (api_version, kind, metadata, spec, status))

const CanaryAnalysis* analysis_of(const CanarySpec& spec) {
  if (spec.analysis) return &*spec.analysis;
  return spec.canary_analysis ? &*spec.canary_analysis : nullptr;
}

std::string_view analysis_field(const CanarySpec& spec) {
  return spec.analysis || !spec.canary_analysis ? "spec.analysis" : "spec.canaryAnalysis";
}

namespace {

bool is_kind(const json::Value& manifest, std::string_view kind) {
  if (!manifest.is_object()) return false;
  const api::Gvk gvk = api::gvk_of(manifest.get_object());
  return gvk.group == "flagger.app" && gvk.kind == kind;
}

}  // namespace

bool is_canary(const json::Value& manifest) { return is_kind(manifest, "Canary"); }
bool is_metric_template(const json::Value& manifest) { return is_kind(manifest, "MetricTemplate"); }

}  // namespace slipway::analysis::flagger

namespace slipway::api {

namespace flagger_view = analysis::flagger;

template <>
struct Annotations<flagger_view::NamedRef> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"ns", {.json_name = "namespace"}}};
};
template <>
struct Annotations<flagger_view::CanaryMetric> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<flagger_view::TargetRef> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<flagger_view::CanarySpec> {
  static constexpr Note notes[] = {
      {"target_ref", {.required = true}},
      {"provider",
       {.one_of = "apisix appmesh appmesh:v1beta2 contour gatewayapi:v1 gatewayapi:v1beta1 gloo "
                  "istio knative kubernetes kuma linkerd nginx osm skipper smi:v1alpha1 "
                  "smi:v1alpha2 smi:v1alpha3 traefik"}}};
};
template <>
struct Annotations<flagger_view::Canary> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED(flagger_view::NamedRef);
SLIPWAY_DESCRIBED(flagger_view::ThresholdRange);
SLIPWAY_DESCRIBED(flagger_view::CanaryMetric);
SLIPWAY_DESCRIBED(flagger_view::CanaryAnalysis);
SLIPWAY_DESCRIBED(flagger_view::TargetRef);
SLIPWAY_DESCRIBED(flagger_view::CanarySpec);
SLIPWAY_DESCRIBED(flagger_view::Canary);

}  // namespace slipway::api::codec
