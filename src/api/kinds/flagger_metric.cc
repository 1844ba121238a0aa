#include "api/kinds/flagger_metric.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::flagger {

BOOST_DESCRIBE_STRUCT(LocalObjectReference, (), (name))
BOOST_DESCRIBE_STRUCT(MetricTemplateProvider, (),
                      (type, address, headers, secret_ref, region, insecure_skip_verify))
BOOST_DESCRIBE_STRUCT(MetricTemplateSpec, (), (provider, query))
BOOST_DESCRIBE_STRUCT(MetricTemplateCondition, (),
                      (type, status, last_update_time, last_transition_time, reason, message))
BOOST_DESCRIBE_STRUCT(MetricTemplateStatus, (), (conditions))
BOOST_DESCRIBE_STRUCT(MetricTemplate, (), (api_version, kind, metadata, spec, status))

}  // namespace slipway::api::flagger

namespace slipway::api {

template <>
struct Annotations<flagger::LocalObjectReference> {
  static constexpr Note notes[] = {{"name", {.required = true}}};
};
template <>
struct Annotations<flagger::MetricTemplateProvider> {
  static constexpr Note notes[] = {{"type",
                                    {.required = true,
                                     .one_of = "prometheus influxdb datadog externalmetrics "
                                               "stackdriver cloudwatch newrelic graphite dynatrace "
                                               "keptn splunk wavefront"}}};
};
template <>
struct Annotations<flagger::MetricTemplateSpec> {
  static constexpr Note notes[] = {{"provider", {.required = true}}, {"query", {.required = true}}};
};
template <>
struct Annotations<flagger::MetricTemplateCondition> {
  static constexpr Note notes[] = {{"type", {.required = true}}, {"status", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED(flagger::LocalObjectReference);
SLIPWAY_DESCRIBED(flagger::MetricTemplateProvider);
SLIPWAY_DESCRIBED(flagger::MetricTemplateSpec);
SLIPWAY_DESCRIBED(flagger::MetricTemplateCondition);
SLIPWAY_DESCRIBED(flagger::MetricTemplateStatus);
SLIPWAY_DESCRIBED(flagger::MetricTemplate);

}  // namespace slipway::api::codec
