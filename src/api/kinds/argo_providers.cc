#include "api/kinds/argo_providers.h"

#include "api/schema/codec_describe.h"

namespace slipway::api::argo {

const Schema* kept_schema(SchemaSet& schemas, const PointList*) {
  return schemas.scalar(Shape::kAny);
}

BOOST_DESCRIBE_STRUCT(JobMetric, (), (metadata, spec))
BOOST_DESCRIBE_STRUCT(TrafficMetric, (), (service, metric, window))
BOOST_DESCRIBE_STRUCT(SourceSecret, (), (name, ns))
BOOST_DESCRIBE_STRUCT(SourceMetric, (),
                      (type, address, region, query, reading, interval, window, step, timeout,
                       headers, insecure_skip_verify, secret_ref, files))
BOOST_DESCRIBE_STRUCT(Recorded, (), (points))
BOOST_DESCRIBE_STRUCT(CompareSide, (),
                      (prometheus, web, datadog, wavefront, new_relic, cloud_watch, graphite,
                       influxdb, skywalking, traffic, source, ago, recorded, exposure))
BOOST_DESCRIBE_STRUCT(CompareMetric, (),
                      (control, experiment, deviation, method, alpha, margin, window, step,
                       sequential, spending, tau))
BOOST_DESCRIBE_STRUCT(ScoredPair, (), (name, control, experiment))
BOOST_DESCRIBE_STRUCT(ScoreMetric, (), (config, pairs, pass, marginal, window, step))
BOOST_DESCRIBE_STRUCT(MetricProvider, (),
                      (prometheus, kayenta, web, datadog, wavefront, new_relic, job, cloud_watch,
                       graphite, influxdb, skywalking, plugin, compare, traffic, source, score))

}  // namespace slipway::api::argo

namespace slipway::api {

template <>
struct Annotations<argo::JobMetric> {
  static constexpr Note notes[] = {{"spec", {.required = true}}};
};
template <>
struct Annotations<argo::TrafficMetric> {
  static constexpr Note notes[] = {
      {"service", {.required = true}},
      {"metric", {.required = true, .one_of = "requests errors errorCount latencyMean"}}};
};
template <>
struct Annotations<argo::SourceSecret> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"ns", {.json_name = "namespace"}}};
};
template <>
struct Annotations<argo::SourceMetric> {
  static constexpr Note notes[] = {{"type", {.required = true}},
                                   {"reading", {.one_of = "argo flagger pipecd"}}};
};
template <>
struct Annotations<argo::CompareMetric> {
  static constexpr Note notes[] = {
      {"control", {.required = true}},
      {"experiment", {.required = true}},
      {"deviation", {.one_of = "HIGH LOW EITHER"}},
      {"method",
       {.one_of = "mann-whitney mann-whitney-released kayenta signed-rank stratified-rank counts "
                  "distribution"}},
      {"alpha", {.minimum = 0, .maximum = 1}},
      {"margin", {.minimum = 0}},
      {"sequential", {.one_of = "gst anytime none"}},
      {"spending", {.one_of = "pocock obf linear"}},
      {"tau", {.minimum = 1}}};
};
template <>
struct Annotations<argo::ScoredPair> {
  static constexpr Note notes[] = {{"name", {.required = true}},
                                   {"control", {.required = true}},
                                   {"experiment", {.required = true}}};
};
template <>
struct Annotations<argo::ScoreMetric> {
  static constexpr Note notes[] = {{"config", {.required = true}}, {"pairs", {.required = true}}};
};

}  // namespace slipway::api

namespace slipway::api::codec {

SLIPWAY_DESCRIBED_ELSEWHERE(argo::WebMetricHeader);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::PrometheusMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::WebMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::DatadogMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::WavefrontMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::NewRelicMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::CloudWatchMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::GraphiteMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::InfluxdbMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::SkyWalkingMetric);
SLIPWAY_DESCRIBED_ELSEWHERE(argo::KayentaMetric);
SLIPWAY_DESCRIBED(argo::JobMetric);
SLIPWAY_DESCRIBED(argo::TrafficMetric);
SLIPWAY_DESCRIBED(argo::SourceSecret);
SLIPWAY_DESCRIBED(argo::SourceMetric);
SLIPWAY_DESCRIBED(argo::Recorded);
SLIPWAY_DESCRIBED(argo::CompareSide);
SLIPWAY_DESCRIBED(argo::CompareMetric);
SLIPWAY_DESCRIBED(argo::ScoredPair);
SLIPWAY_DESCRIBED(argo::ScoreMetric);
SLIPWAY_DESCRIBED(argo::MetricProvider);

}  // namespace slipway::api::codec
