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
// slipway's own: any provider by its type, for those Argo has no member for and for the checks of
// other dialects.
struct SourceSecret {
  std::string name = {};
  std::string ns = {};  // empty: the run's
};
struct SourceMetric {
  std::string type = {};  // prometheus, dynatrace, stackdriver, …: docs/providers.md
  std::string address = {};
  std::string region = {};
  std::string query = {};
  std::string reading = {};  // whose rules say which point counts: argo (default), flagger, pipecd
  GoDuration interval = {};  // of the check, for providers that ask for a multiple of it
  GoDuration window = {};    // a range this long, ending now; an instant when empty
  GoDuration step = {};
  GoDuration timeout = {};
  std::vector<WebMetricHeader> headers = {};
  bool insecure_skip_verify = false;
  std::optional<SourceSecret> secret_ref = {};
  std::map<std::string, std::string> files = {};  // credential key -> file that holds it
};
// What an earlier run measured, for a source that has forgotten it.
struct PointList {
  json::Value value = nullptr;  // [[unix seconds, value], …]
};
const Schema* kept_schema(SchemaSet& schemas, const PointList*);
struct Recorded {
  PointList points = {};
};
// One side of a comparison: a source of samples. `recorded` serves when the source has nothing
// there; alone and without points it says that there is nothing to compare with yet.
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
  std::optional<SourceMetric> source = {};
  GoDuration ago = {};  // the range this much earlier: what was measured then
  std::optional<Recorded> recorded = {};
  // What the source's query counts is counted against what this query counts: errors, requests.
  std::string exposure = {};
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
  std::string sequential = {};     // gst (default with a count), anytime (default without), none
  std::string spending = {};       // pocock (default), obf, linear
  std::optional<double> tau = {};  // points that say as much as one; worked out when not given
};
// slipway's own: a Kayenta canary configuration, judged here. Successful at or over `pass`,
// Inconclusive at or over `marginal`.
struct ScoredPair {
  std::string name = {};  // of a metric of the configuration
  CompareSide control = {}, experiment = {};
};
struct ScoreMetric {
  FreeForm config = {};
  std::vector<ScoredPair> pairs = {};
  std::optional<double> pass = {}, marginal = {};  // instead of the configuration's
  GoDuration window = {};                          // since the run began when empty
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
  std::optional<SourceMetric> source = {};
  std::optional<ScoreMetric> score = {};
};

}  // namespace slipway::api::argo
