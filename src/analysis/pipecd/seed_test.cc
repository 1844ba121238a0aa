#include <gtest/gtest.h>

#include "analysis/pipecd/lint_pipecd.h"
#include "analysis/pipecd/pipecd_testing.h"

// The examples of PipeCD's RFC 0006, which asked for analysis by comparison.
namespace slipway::analysis {
namespace {

using namespace pipecd::testing;
using api::argo::CompareMetric;
using api::argo::Metric;

constexpr const char* kRfcPiped = R"(
apiVersion: pipecd.dev/v1beta1
kind: Piped
spec:
  analysisProviders:
    - {name: my-prometheus, type: PROMETHEUS, config: {address: 'http://prom:9090'}}
    - {name: prometheus-dev, type: PROMETHEUS, config: {address: 'http://prom:9090'}}
)";

std::string app(const std::string& stages) {
  return "apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec:\n  pipeline:\n    stages:\n" +
         stages;
}

Metric rfc_metric(const std::string& text, const std::string& templates = kTemplates) {
  auto runs = compile(text, {.app_name = "shop"}, templates, kRfcPiped);
  EXPECT_TRUE(runs) << runs.error().text();
  if (!runs || runs->size() != 1 || runs->at(0).spec.metrics.size() != 1) return {};
  return runs->at(0).spec.metrics[0];
}

std::size_t errors(const std::string& text) {
  std::size_t count = 0;
  for (const auto& problem : lint_pipecd(one_document(text)))
    count += problem.severity == api::Problem::Severity::kError ? 1 : 0;
  return count;
}

TEST(PipecdRfc, Threshold) {
  const std::string text = app(R"(
      - name: K8S_PRIMARY_ROLLOUT
      - name: ANALYSIS
        with:
          duration: 30m
          metrics:
            - provider: my-prometheus
              interval: 10m
              expected:
                max: 0.1
              query: rate(cpu_usage_total{app="foo"}[10m])
)");
  const Metric metric = rfc_metric(text);
  EXPECT_EQ(metric.provider.source->query, "rate(cpu_usage_total{app=\"foo\"}[10m])");
  EXPECT_EQ(metric.check->expected->max, 0.1);
  EXPECT_EQ(errors(text), 0u);
}

TEST(PipecdRfc, Previous) {
  const std::string text = app(R"(
      - name: K8S_PRIMARY_ROLLOUT
      - name: ANALYSIS
        with:
          duration: 30m
          metrics:
            - strategy: PREVIOUS
              provider: my-prometheus
              interval: 10m
              deviation: HIGH
              query: rate(cpu_usage_total{app="foo"}[10m])
)");
  const Metric metric = rfc_metric(text);
  EXPECT_EQ(metric.provider.compare->deviation, "HIGH");
  EXPECT_EQ(metric.provider.compare->experiment.source->query,
            "rate(cpu_usage_total{app=\"foo\"}[10m])");
  EXPECT_EQ(errors(text), 0u);
}

TEST(PipecdRfc, CanaryBaseline) {
  const std::string text = app(R"(
      - name: K8S_CANARY_ROLLOUT
        with:
          replicas: 20%
      - name: K8S_BASELINE_ROLLOUT
        with:
          replicas: 20%
      - name: ANALYSIS
        with:
          duration: 30m
          metrics:
            - strategy: CANARY_BASELINE
              provider: my-prometheus
              interval: 10m
              deviation: HIGH
              query: rate(cpu_usage_total{app="foo", variant="{{ .BuiltInArgs.Variant.Name }}"}[10m])
      - name: K8S_PRIMARY_ROLLOUT
      - name: K8S_CANARY_CLEAN
      - name: K8S_BASELINE_CLEAN
)");
  const CompareMetric compare = rfc_metric(text).provider.compare.value();
  EXPECT_EQ(compare.experiment.source->query,
            "rate(cpu_usage_total{app=\"foo\", variant=\"canary\"}[10m])");
  EXPECT_EQ(compare.control.source->query,
            "rate(cpu_usage_total{app=\"foo\", variant=\"baseline\"}[10m])");
  EXPECT_EQ(errors(text), 0u);
}

TEST(PipecdRfc, CustomArguments) {
  const std::string text = app(R"(
      - name: ANALYSIS
        with:
          duration: 30m
          metrics:
            - strategy: CANARY_BASELINE
              provider: my-prometheus
              interval: 10m
              deviation: HIGH
              query: rate(cpu_usage_total{app="foo", bar="{{ .VariantArgs.bar }}"}[10m])
              baselineArgs:
                bar: 1
              canaryArgs: 
                bar: 2
)");
  const CompareMetric compare = rfc_metric(text).provider.compare.value();
  EXPECT_EQ(compare.control.source->query, "rate(cpu_usage_total{app=\"foo\", bar=\"1\"}[10m])");
  EXPECT_EQ(compare.experiment.source->query, "rate(cpu_usage_total{app=\"foo\", bar=\"2\"}[10m])");
  EXPECT_EQ(errors(text), 0u);
}

// The quote that the RFC forgot after the second {{ .AppArgs.Name }} is supplied.
constexpr const char* kRfcTemplate = R"(
apiVersion: pipecd.dev/v1beta1
kind: AnalysisTemplate
spec:
  metrics:
    http_error_rate:
      strategy: CANARY_BASELINE
      provider: my-prometheus
      interval: 10m
      deviation: HIGH
      query: |
        sum without(status) (rate(http_requests_total{status=~"5.*", job="{{ .AppArgs.Name }}", bar="{{ .VariantArgs.bar }}"}[10m]))
        /
        sum without(status) (rate(http_requests_total{job="{{ .AppArgs.Name }}", bar="{{ .VariantArgs.bar }}"}[10m]))
      baselineArgs:
        bar: baz
      canaryArgs:
        bar: quz
)";

TEST(PipecdRfc, CustomArgumentsInATemplate) {
  const std::string text = app(R"(
      - name: ANALYSIS
        with:
          duration: 30m
          metrics:
            - template:
                name: http_error_rate
                appArgs: # former "args"
                  foo: bar
)");
  const Metric metric = rfc_metric(text, kRfcTemplate);
  EXPECT_EQ(metric.name, "http_error_rate");
  EXPECT_EQ(metric.provider.compare->experiment.source->query,
            "sum without(status) (rate(http_requests_total{status=~\"5.*\", job=\"shop\", "
            "bar=\"quz\"}[10m]))\n/\nsum without(status) (rate(http_requests_total{job=\"shop\", "
            "bar=\"quz\"}[10m]))\n");
  EXPECT_NE(metric.provider.compare->control.source->query.find("bar=\"baz\""), std::string::npos);
  EXPECT_EQ(errors(kRfcTemplate), 0u);
}

// `dynamic` was an alternative that the RFC did not take: it is passed over with a warning, while
// {{ .Variant }} in a query works.
TEST(PipecdRfc, TheVariantAloneIsItsName) {
  const std::string query = "rate(http_requests_total{variant=\"{{ .Variant }}\"}[10m])";
  const std::string text =
      app("      - name: ANALYSIS\n        with: {duration: 30m, metrics: [{strategy: "
          "CANARY_PRIMARY, provider: prometheus-dev, interval: 5m, query: '" +
          query + "'}]}\n");
  EXPECT_EQ(rfc_metric(text).provider.compare->control.source->query,
            "rate(http_requests_total{variant=\"primary\"}[10m])");
  const std::string dynamic =
      app("      - name: ANALYSIS\n        with: {duration: 30m, dynamic: {metrics: []}}\n");
  const auto problems = lint_pipecd(one_document(dynamic));
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems.at(1).field, "spec.pipeline.stages[0].with.dynamic");
  EXPECT_EQ(errors(dynamic), 0u);
}

}  // namespace
}  // namespace slipway::analysis
