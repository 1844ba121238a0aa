#include "api/kinds/argo_sources.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

BOOST_DESCRIBE_STRUCT(Sigv4Config, (), (region, profile, role_arn))
BOOST_DESCRIBE_STRUCT(OAuth2Config, (), (token_url, client_id, client_secret, scopes))
BOOST_DESCRIBE_STRUCT(BasicAuthConfig, (), (username, password))
BOOST_DESCRIBE_STRUCT(Authentication, (), (sigv4, oauth2, basic_auth))
BOOST_DESCRIBE_STRUCT(WebMetricHeader, (), (key, value))
BOOST_DESCRIBE_STRUCT(PrometheusRangeQueryArgs, (), (start, end, step))
BOOST_DESCRIBE_STRUCT(PrometheusMetric, (),
                      (address, query, authentication, timeout, insecure, headers, range_query))
BOOST_DESCRIBE_STRUCT(WebMetric, (),
                      (method, url, headers, body, timeout_seconds, json_path, insecure, json_body,
                       authentication))
BOOST_DESCRIBE_STRUCT(SecretRef, (), (name, namespaced))
BOOST_DESCRIBE_STRUCT(DatadogMetric, (),
                      (interval, query, queries, formula, api_version, aggregator, secret_ref,
                       request_timeout))
BOOST_DESCRIBE_STRUCT(WavefrontMetric, (), (address, query))
BOOST_DESCRIBE_STRUCT(NewRelicMetric, (), (profile, query, timeout))
BOOST_DESCRIBE_STRUCT(GraphiteMetric, (), (address, query))
BOOST_DESCRIBE_STRUCT(InfluxdbMetric, (), (profile, query))
BOOST_DESCRIBE_STRUCT(SkyWalkingMetric, (), (address, query, interval))
BOOST_DESCRIBE_STRUCT(CloudWatchDimension, (), (name, value))
BOOST_DESCRIBE_STRUCT(CloudWatchMetricStatMetric, (), (dimensions, metric_name, namespace_))
BOOST_DESCRIBE_STRUCT(CloudWatchMetricStat, (), (metric, period, stat, unit))
BOOST_DESCRIBE_STRUCT(CloudWatchMetricDataQuery, (),
                      (id, expression, label, metric_stat, period, return_data))
BOOST_DESCRIBE_STRUCT(CloudWatchMetric, (), (interval, metric_data_queries))
BOOST_DESCRIBE_STRUCT(ScopeDetail, (), (scope, region, step, start, end))
BOOST_DESCRIBE_STRUCT(KayentaScope, (), (name, control_scope, experiment_scope))
BOOST_DESCRIBE_STRUCT(KayentaThreshold, (), (pass, marginal))
BOOST_DESCRIBE_STRUCT(KayentaMetric, (),
                      (address, application, canary_config_name, metrics_account_name,
                       configuration_account_name, storage_account_name, threshold, scopes,
                       lookback))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::WebMetricHeader> {
  static constexpr Note notes[] = {{"key", {.required = true}}, {"value", {.required = true}}};
};
template <>
struct Annotations<argo::PrometheusMetric> {
  static constexpr Note notes[] = {{"headers", {.merge_key = "key"}}};
};
template <>
struct Annotations<argo::WebMetric> {
  static constexpr Note notes[] = {{"url", {.required = true}}, {"headers", {.merge_key = "key"}}};
};
template <>
struct Annotations<argo::DatadogMetric> {
  static constexpr Note notes[] = {
      {"interval", {.fallback = "\"5m\""}},
      {"api_version", {.fallback = "\"v1\"", .one_of = "v1 v2"}},
      {"aggregator", {.one_of = "avg min max sum last percentile mean l2norm area"}},
      {"request_timeout", {.fallback = "\"10s\""}}};
};
template <>
struct Annotations<argo::NewRelicMetric> {
  static constexpr Note notes[] = {{"query", {.required = true}}};
};
template <>
struct Annotations<argo::CloudWatchMetricStatMetric> {
  static constexpr Note notes[] = {{"namespace_", {.json_name = "namespace"}}};
};
template <>
struct Annotations<argo::CloudWatchMetric> {
  static constexpr Note notes[] = {{"metric_data_queries", {.required = true}}};
};
template <>
struct Annotations<argo::ScopeDetail> {
  static constexpr Note notes[] = {
      {"scope", {.required = true}}, {"region", {.required = true}}, {"step", {.required = true}}};
};
template <>
struct Annotations<argo::KayentaScope> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"control_scope", {.required = true}},
                                   {"experiment_scope", {.required = true}}};
};
template <>
struct Annotations<argo::KayentaThreshold> {
  static constexpr Note notes[] = {{"pass", {.required = true}}, {"marginal", {.required = true}}};
};
template <>
struct Annotations<argo::KayentaMetric> {
  static constexpr Note notes[] = {{"address", {.required = true}},
                                   {"application", {.required = true}},
                                   {"canary_config_name", {.required = true}},
                                   {"metrics_account_name", {.required = true}},
                                   {"configuration_account_name", {.required = true}},
                                   {"storage_account_name", {.required = true}},
                                   {"threshold", {.required = true}},
                                   {"scopes", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED(argo::Sigv4Config);
SLIPWAY_DESCRIBED(argo::OAuth2Config);
SLIPWAY_DESCRIBED(argo::BasicAuthConfig);
SLIPWAY_DESCRIBED(argo::Authentication);
SLIPWAY_DESCRIBED(argo::WebMetricHeader);
SLIPWAY_DESCRIBED(argo::PrometheusRangeQueryArgs);
SLIPWAY_DESCRIBED(argo::PrometheusMetric);
SLIPWAY_DESCRIBED(argo::WebMetric);
SLIPWAY_DESCRIBED(argo::SecretRef);
SLIPWAY_DESCRIBED(argo::DatadogMetric);
SLIPWAY_DESCRIBED(argo::WavefrontMetric);
SLIPWAY_DESCRIBED(argo::NewRelicMetric);
SLIPWAY_DESCRIBED(argo::GraphiteMetric);
SLIPWAY_DESCRIBED(argo::InfluxdbMetric);
SLIPWAY_DESCRIBED(argo::SkyWalkingMetric);
SLIPWAY_DESCRIBED(argo::CloudWatchDimension);
SLIPWAY_DESCRIBED(argo::CloudWatchMetricStatMetric);
SLIPWAY_DESCRIBED(argo::CloudWatchMetricStat);
SLIPWAY_DESCRIBED(argo::CloudWatchMetricDataQuery);
SLIPWAY_DESCRIBED(argo::CloudWatchMetric);
SLIPWAY_DESCRIBED(argo::ScopeDetail);
SLIPWAY_DESCRIBED(argo::KayentaScope);
SLIPWAY_DESCRIBED(argo::KayentaThreshold);
SLIPWAY_DESCRIBED(argo::KayentaMetric);

}  // namespace slipway::api::codec
