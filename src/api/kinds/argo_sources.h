#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/schema/codec.h"

// The metric stores an Argo metric may ask, one struct each.
namespace slipway::api::argo {

// Schemas of this namespace are named io.argoproj.v1alpha1.X.
constexpr std::string_view schema_prefix(const void*) { return "io.argoproj.v1alpha1."; }

struct Sigv4Config {
  std::string region = {}, profile = {};
  std::string role_arn = {};
};
struct OAuth2Config {
  std::string token_url = {}, client_id = {}, client_secret = {};
  std::vector<std::string> scopes = {};
};
struct BasicAuthConfig {
  std::string username = {}, password = {};
};
struct Authentication {
  Sigv4Config sigv4 = {};
  OAuth2Config oauth2 = {};
  BasicAuthConfig basic_auth = {};
};
struct WebMetricHeader {
  std::string key = {}, value = {};
};
struct PrometheusRangeQueryArgs {
  std::string start = {}, end = {};  // time expressions: now() - duration("5m")
  GoDuration step = {};
};
struct PrometheusMetric {
  std::string address = {}, query = {};
  Authentication authentication = {};
  std::optional<std::int64_t> timeout = {};  // seconds; 30
  bool insecure = false;
  std::vector<WebMetricHeader> headers = {};
  std::optional<PrometheusRangeQueryArgs> range_query = {};
};
struct WebMetric {
  std::string method = {};  // GET (default), POST, PUT
  std::string url = {};
  std::vector<WebMetricHeader> headers = {};
  std::string body = {};
  std::int64_t timeout_seconds = 0;  // 10
  std::string json_path = {};
  bool insecure = false;
  FreeForm json_body = {};
  Authentication authentication = {};
};
struct SecretRef {
  std::string name = {};
  bool namespaced = false;
};
struct DatadogMetric {
  GoDuration interval = {};
  std::string query = {};
  std::map<std::string, std::string> queries = {};
  std::string formula = {};
  std::string api_version = {};
  std::string aggregator = {};
  SecretRef secret_ref = {};
  GoDuration request_timeout = {};
};
struct WavefrontMetric {
  std::string address = {}, query = {};
};
struct NewRelicMetric {
  std::string profile = {}, query = {};
  std::optional<std::int64_t> timeout = {};  // seconds; 5
};
struct GraphiteMetric {
  std::string address = {}, query = {};
};
struct InfluxdbMetric {
  std::string profile = {}, query = {};
};
struct SkyWalkingMetric {
  std::string address = {}, query = {};
  GoDuration interval = {};
};
struct CloudWatchDimension {
  std::string name = {}, value = {};
};
struct CloudWatchMetricStatMetric {
  std::vector<CloudWatchDimension> dimensions = {};
  std::string metric_name = {};
  std::optional<std::string> namespace_ = {};
};
struct CloudWatchMetricStat {
  CloudWatchMetricStatMetric metric = {};
  IntOrString period = {};
  std::string stat = {}, unit = {};
};
struct CloudWatchMetricDataQuery {
  std::string id = {};
  std::optional<std::string> expression = {}, label = {};
  std::optional<CloudWatchMetricStat> metric_stat = {};
  std::optional<IntOrString> period = {};
  std::optional<bool> return_data = {};
};
struct CloudWatchMetric {
  GoDuration interval = {};
  std::vector<CloudWatchMetricDataQuery> metric_data_queries = {};
};
struct ScopeDetail {
  std::string scope = {}, region = {};
  std::int64_t step = 0;
  std::string start = {}, end = {};
};
struct KayentaScope {
  std::string name = {};
  ScopeDetail control_scope = {}, experiment_scope = {};
};
struct KayentaThreshold {
  std::int64_t pass = 0, marginal = 0;
};
struct KayentaMetric {
  std::string address = {}, application = {}, canary_config_name = {};
  std::string metrics_account_name = {}, configuration_account_name = {}, storage_account_name = {};
  KayentaThreshold threshold = {};
  std::vector<KayentaScope> scopes = {};
  bool lookback = false;
};

}  // namespace slipway::api::argo
