#include "analysis/flagger/builtin_queries.h"

#include <gtest/gtest.h>

#include "lang/template/flagger.h"

namespace slipway::analysis::flagger {
namespace {

std::string query(std::string_view metric, std::string_view provider,
                  std::string_view ingress = "podinfo-ingress") {
  auto built = builtin_query(metric, provider,
                             {{"namespace", "default"},
                              {"target", "podinfo"},
                              {"service", "podinfo-svc"},
                              {"ingress", ingress},
                              {"route", "podinfo-route"},
                              {"interval", "1m"}});
  auto text = lang::render_flagger(built.text, built.data);
  return text ? *text : text.error().message;
}

TEST(BuiltinQueries, MeasureSuccessAsEachMeshDoes) {
  const struct {
    std::string_view provider, query;
  } cases[] = {
      {"istio",
       R"x(sum(rate(istio_requests_total{reporter="destination",)x"
       R"x(destination_workload_namespace="default",destination_workload=~"podinfo",)x"
       R"x(response_code!~"5.*"}[1m])) / sum(rate(istio_requests_total{reporter="destination",)x"
       R"x(destination_workload_namespace="default",destination_workload=~"podinfo"}[1m])) * 100)x"},
      {"linkerd",
       R"x(sum(rate(response_total{namespace="default",deployment=~"podinfo",direction="inbound",)x"
       R"x(classification!="failure"}[1m])) / sum(rate(response_total{namespace="default",)x"
       R"x(deployment=~"podinfo",direction="inbound"}[1m])) * 100)x"},
      {"traefik",
       R"x(sum(rate(traefik_service_request_duration_seconds_bucket{)x"
       R"x(service=~"default-podinfo-canary-[0-9a-zA-Z-]+@kubernetescrd",code!~"5..",)x"
       R"x(le="+Inf"}[1m])) / sum(rate(traefik_service_request_duration_seconds_bucket{)x"
       R"x(service=~"default-podinfo-canary-[0-9a-zA-Z-]+@kubernetescrd",le="+Inf"}[1m])) * 100)x"},
  };
  for (const auto& row : cases) EXPECT_EQ(query(kSuccessRate, row.provider), row.query);
}

TEST(BuiltinQueries, MeasureDurationAsEachMeshDoes) {
  EXPECT_EQ(query(kDuration, "istio"),
            R"x(histogram_quantile(0.99, sum(rate(istio_request_duration_milliseconds_bucket{)x"
            R"x(reporter="destination",destination_workload_namespace="default",)x"
            R"x(destination_workload=~"podinfo"}[1m])) by (le)))x");
  EXPECT_EQ(query(kDuration, "nginx"),
            R"x(sum(rate(nginx_ingress_controller_response_duration_seconds_sum{)x"
            R"x(namespace="default",ingress="podinfo-ingress",canary!=""}[1m])) / )x"
            R"x(sum(rate(nginx_ingress_controller_response_duration_seconds_count{)x"
            R"x(namespace="default",ingress="podinfo-ingress",canary!=""}[1m])) * 1000)x");
}

TEST(BuiltinQueries, NameTheCanaryAsEachMeshSpellsIt) {
  const struct {
    std::string_view provider, part;
  } cases[] = {
      {"contour", R"x(envoy_cluster_name=~"default_podinfo-svc-canary_[0-9a-zA-Z-]+")x"},
      {"gloo", R"x("default-podinfo-canaryupstream-[0-9a-zA-Z-]+_[0-9a-zA-Z-]+")x"},
      {"kuma", R"x(service=~"podinfo-canary_default_svc_[0-9a-zA-Z-]+")x"},
      {"knative", R"x(envoy_cluster_name=~"default/podinfo-route")x"},
      {"nginx", R"x(ingress="podinfo-ingress")x"},
      {"skipper",
       R"x(kube(ew)?_default__podinfo_ingress_canary__.*__podinfo_svc_canary(_[0-9]+)?)x"},
      {"osm", R"x(destination_kind="Deployment",destination_name="podinfo")x"},
      {"apisix", R"x(route=~"default_podinfo-route-podinfo-canary_.+")x"},
      {"appmesh:v1beta2", R"x(envoy_cluster_upstream_rq{kubernetes_namespace="default")x"},
      {"kubernetes", R"x(http_request_duration_seconds_count{kubernetes_namespace="default")x"},
      {"gatewayapi:v1", R"x(kubernetes_pod_name=~"podinfo-[0-9a-zA-Z]+(-[0-9a-zA-Z]+)")x"},
      {"smi:v1alpha2", "istio_requests_total"},
      {"nginx:service", "nginx_ingress_controller_requests"},
  };
  for (const auto& row : cases)
    EXPECT_NE(query(kSuccessRate, row.provider).find(row.part), std::string::npos)
        << row.provider << ": " << query(kSuccessRate, row.provider);
}

TEST(BuiltinQueries, SayWhenTheyMeasureInSeconds) {
  EXPECT_EQ(builtin_query(kDuration, "kubernetes", {}).scale, 1000);
  EXPECT_EQ(builtin_query(kDuration, "gatewayapi:v1beta1", {}).scale, 1000);
  EXPECT_EQ(builtin_query(kSuccessRate, "kubernetes", {}).scale, 1);
  EXPECT_EQ(builtin_query(kDuration, "traefik", {}).scale, 1);
}

}  // namespace
}  // namespace slipway::analysis::flagger
