#include "analysis/flagger/builtin_queries.h"

#include <fmt/format.h>

#include <cctype>

namespace slipway::analysis::flagger {

namespace {

constexpr std::string_view kPod =
    R"(kubernetes_namespace="{{ namespace }}",)"
    R"x(kubernetes_pod_name=~"{{ target }}-[0-9a-zA-Z]+(-[0-9a-zA-Z]+)")x";
constexpr std::string_view kEnvoyRequests = "envoy_cluster_upstream_rq";
constexpr std::string_view kEnvoyTimes = "envoy_cluster_upstream_rq_time_bucket";
constexpr std::string_view kEnvoyOk = R"(envoy_response_code!~"5.*")";

// How one mesh or ingress counts and times requests.
struct Observer {
  std::string_view provider = {};
  bool by_prefix = false;  // the provider's name may go on with a version
  std::string_view requests = {};
  std::string_view selector = {};
  std::string_view ok = {};
  std::string_view times = {};         // buckets; of means, what comes before _sum and _count
  std::string_view requests_all = {};  // more of the selector, of requests only
  std::string_view times_all = {};     // and of times only
  bool mean = false;
  bool in_query = false;  // the query itself turns seconds to milliseconds
  bool seconds = false;   // times are in seconds, and the query leaves them so
};

constexpr Observer kObservers[] = {
    {.provider = "appmesh",
     .by_prefix = true,
     .requests = kEnvoyRequests,
     .selector = kPod,
     .ok = kEnvoyOk,
     .times = kEnvoyTimes},
    {.provider = "linkerd",
     .requests = "response_total",
     .selector = R"(namespace="{{ namespace }}",deployment=~"{{ target }}",direction="inbound")",
     .ok = R"(classification!="failure")",
     .times = "response_latency_ms_bucket"},
    {.provider = "contour",
     .requests = kEnvoyRequests,
     .selector = R"(envoy_cluster_name=~"{{ namespace }}_{{ service }}-canary_[0-9a-zA-Z-]+")",
     .ok = kEnvoyOk,
     .times = kEnvoyTimes},
    {.provider = "gloo",
     .by_prefix = true,
     .requests = kEnvoyRequests,
     .selector = R"(envoy_cluster_name=~"{{ namespace }}-{{ target }}-canaryupstream-)"
                 R"([0-9a-zA-Z-]+_[0-9a-zA-Z-]+")",
     .ok = kEnvoyOk,
     .times = kEnvoyTimes},
    {.provider = "kuma",
     .requests = kEnvoyRequests,
     .selector = R"(service=~"{{ target }}-canary_{{ namespace }}_svc_[0-9a-zA-Z-]+")",
     .ok = kEnvoyOk,
     .times = kEnvoyTimes},
    {.provider = "knative",
     .requests = kEnvoyRequests,
     .selector = R"(envoy_cluster_name=~"{{ namespace }}/{{ route }}")",
     .ok = kEnvoyOk,
     .times = kEnvoyTimes},
    {.provider = "nginx",
     .requests = "nginx_ingress_controller_requests",
     .selector = R"(namespace="{{ namespace }}",ingress="{{ ingress }}",canary!="")",
     .ok = R"(status!~"5.*")",
     .times = "nginx_ingress_controller_response_duration_seconds",
     .mean = true,
     .in_query = true},
    {.provider = "kubernetes",
     .requests = "http_request_duration_seconds_count",
     .selector = kPod,
     .ok = R"(status!~"5.*")",
     .times = "http_request_duration_seconds_bucket",
     .seconds = true},
    {.provider = "gatewayapi",
     .by_prefix = true,
     .requests = "http_request_duration_seconds_count",
     .selector = kPod,
     .ok = R"(status!~"5.*")",
     .times = "http_request_duration_seconds_bucket",
     .seconds = true},
    {.provider = "traefik",
     .requests = "traefik_service_request_duration_seconds_bucket",
     .selector = R"(service=~"{{ namespace }}-{{ target }}-canary-[0-9a-zA-Z-]+@kubernetescrd")",
     .ok = R"(code!~"5..")",
     .times = "traefik_service_request_duration_seconds_bucket",
     .requests_all = R"(,le="+Inf")",
     .in_query = true},
    {.provider = "osm",
     .requests = "osm_request_total",
     .selector = R"(destination_namespace="{{ namespace }}",destination_kind="Deployment",)"
                 R"(destination_name="{{ target }}")",
     .ok = R"(response_code!~"5.*")",
     .times = "osm_request_duration_ms_bucket"},
    {.provider = "apisix",
     .requests = "apisix_http_status",
     .selector = R"(route=~"{{ namespace }}_{{ route }}-{{ target }}-canary_.+")",
     .ok = R"(code!~"5..")",
     .times = "apisix_http_latency_bucket",
     .times_all = R"(,type=~"request")"},
    {.provider = "skipper",
     .requests = "skipper_response_duration_seconds_bucket",
     .selector = R"(route=~"kube(ew)?_{{ namespace }}__{{ ingress }}_canary__.*__{{ service }})"
                 R"(_canary(_[0-9]+)?")",
     .ok = R"(code!~"5..")",
     .times = "skipper_serve_route_duration_seconds",
     .requests_all = R"(,le="+Inf")",
     .mean = true,
     .in_query = true},
};
constexpr Observer kIstio = {
    .provider = "istio",
    .requests = "istio_requests_total",
    .selector = R"(reporter="destination",destination_workload_namespace="{{ namespace }}",)"
                R"(destination_workload=~"{{ target }}")",
    .ok = R"(response_code!~"5.*")",
    .times = "istio_request_duration_milliseconds_bucket"};

const Observer& observer_of(std::string_view provider) {
  // A Canary of a Service is measured as its mesh measures everything.
  if (provider.ends_with(":service")) provider.remove_suffix(std::string_view(":service").size());
  for (const Observer& observer : kObservers)
    if (provider == observer.provider ||
        (observer.by_prefix && provider.starts_with(observer.provider)))
      return observer;
  return kIstio;
}

std::string success_rate(const Observer& by) {
  return fmt::format(
      "sum(rate({0}{{{1},{2}{3}}}[{{{{ interval }}}}])) / sum(rate({0}{{{1}{3}}}[{{{{ interval "
      "}}}}])) * 100",
      by.requests, by.selector, by.ok, by.requests_all);
}

std::string duration(const Observer& by) {
  const std::string_view factor = by.in_query ? " * 1000" : "";
  if (by.mean)
    return fmt::format(
        "sum(rate({0}_sum{{{1}}}[{{{{ interval }}}}])) / sum(rate({0}_count{{{1}}}[{{{{ interval "
        "}}}}])){2}",
        by.times, by.selector, factor);
  return fmt::format(
      "histogram_quantile(0.99, sum(rate({}{{{}{}}}[{{{{ interval }}}}])) by (le)){}", by.times,
      by.selector, by.times_all, factor);
}

// Skipper's routes spell every character that is no letter, digit or underscore as an underscore.
void spell_for_skipper(json::Object& data) {
  for (const std::string_view name : {"namespace", "ingress", "service", "target"}) {
    json::Value* held = data.if_contains(name);
    if (held == nullptr || !held->is_string()) continue;
    for (char& c : held->get_string())
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
}

}  // namespace

bool is_builtin(std::string_view metric) { return metric == kSuccessRate || metric == kDuration; }

BuiltinQuery builtin_query(std::string_view metric, std::string_view provider, json::Object data) {
  const Observer& by = observer_of(provider);
  if (by.provider == "skipper") spell_for_skipper(data);
  const bool timed = metric == kDuration;
  return {.text = timed ? duration(by) : success_rate(by),
          .scale = timed && by.seconds ? 1000.0 : 1.0,
          .data = std::move(data)};
}

}  // namespace slipway::analysis::flagger
