#pragma once

#include "api/kinds/argo_sources.h"

// Where an Argo metric gets its value: the provider one-of.
namespace slipway::api::argo {

// A Job whose success is the measurement's.
struct JobMetric {
  ObjectMeta metadata = {};
  JobSpecJson spec = {};
};
// slipway's own: what the proxy itself saw of a Service.
struct TrafficMetric {
  std::string service = {};
  std::string metric = {};  // requests, errors (share of 5xx), latencyMean (ms)
  GoDuration window = {};
};
// One side of a comparison: a source of samples.
struct CompareSide {
  std::optional<PrometheusMetric> prometheus = {};
  std::optional<WebMetric> web = {};
  std::optional<DatadogMetric> datadog = {};
  std::optional<WavefrontMetric> wavefront = {};
  std::optional<NewRelicMetric> new_relic = {};
  std::optional<CloudWatchMetric> cloud_watch = {};
  std::optional<GraphiteMetric> graphite = {};
  std::optional<InfluxdbMetric> influxdb = {};
  std::optional<SkyWalkingMetric> skywalking = {};
  std::optional<TrafficMetric> traffic = {};
};
// slipway's own: two variants side by side, judged statistically.
struct CompareMetric {
  CompareSide control = {}, experiment = {};
  std::string deviation = {};         // HIGH, LOW, EITHER (default)
  std::string method = {};            // chosen by the data when empty
  std::optional<double> alpha = {};   // 0.05: false-rollback rate over the whole run
  std::optional<double> margin = {};  // 0.05: relative difference that does not matter
  GoDuration window = {};             // since the last look when empty
  GoDuration step = {};
};

struct MetricProvider {
  std::optional<PrometheusMetric> prometheus = {};
  std::optional<KayentaMetric> kayenta = {};
  std::optional<WebMetric> web = {};
  std::optional<DatadogMetric> datadog = {};
  std::optional<WavefrontMetric> wavefront = {};
  std::optional<NewRelicMetric> new_relic = {};
  std::optional<JobMetric> job = {};
  std::optional<CloudWatchMetric> cloud_watch = {};
  std::optional<GraphiteMetric> graphite = {};
  std::optional<InfluxdbMetric> influxdb = {};
  std::optional<SkyWalkingMetric> skywalking = {};
  FreeForm plugin = {};  // by plugin name
  std::optional<CompareMetric> compare = {};
  std::optional<TrafficMetric> traffic = {};
};

}  // namespace slipway::api::argo
