#include "analysis/flagger/compile_flagger.h"

#include <gtest/gtest.h>

#include "analysis/run_rules.h"
#include "base/yaml.h"

namespace slipway::analysis {
namespace {

using api::argo::Metric;
using api::argo::SourceMetric;

std::vector<json::Value> manifests(std::string_view text) {
  std::vector<json::Value> out;
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << documents.error().text();
  for (auto& document : *documents) out.push_back(std::move(document.value));
  return out;
}

// The last of the manifests is the Canary.
Result<Compiled> compile(std::string_view text, const FlaggerOptions& options = {}) {
  auto all = manifests(text);
  const json::Value canary = all.back();
  auto compiled = compile_flagger(canary, find_metric_template_in(std::move(all)), options);
  // What is compiled can be run.
  if (compiled && !compiled->spec.metrics.empty()) {
    auto rules = rules_of(compiled->spec);
    EXPECT_TRUE(rules) << rules.error().text();
  }
  return compiled;
}

// The documents of Flagger's proposal for metric templates.
constexpr std::string_view kLatency = R"(
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata:
  name: latency
spec:
  provider:
    type: prometheus
    address: http://linkerd-prometheus.linkerd:9090
  query: |
    histogram_quantile(
        0.99,
        sum(
            rate(
                response_latency_ms_bucket{
                    namespace="{{ namespace }}",
                    deployment=~"{{ target }}",
                    direction="inbound"
                    }[{{ interval }}]
                )
            ) by (le)
        )
---
)";
constexpr std::string_view kConnections = R"(
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata:
  name: max-db-con
  namespace: flagger
spec:
  provider:
    type: influxdb
    address: http://influx.db:8086
    # secret must contain two keys: org and token
    secretRef:
      name: influx-auth
  # influxdb v2 query (flux lang)
  query: |
    from(bucket: "connections")
      |> filter(fn: (r) => r._client =~ /{{ target }}-{{ namespace }}-.*/)
      |> range(start: -{{ interval }})
      |> count()
---
)";
constexpr std::string_view kCanary = R"(
apiVersion: flagger.app/v1beta1
kind: Canary
metadata:
  name: podinfo
  namespace: dev
spec:
  targetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: podinfo
  canaryAnalysis:
    metrics:
      - name: "max database connections"
        templateRef:
          name: max-db-con
          # namespace is optional
          # when not specified, the canary namespace will be used
          namespace: flagger
        threshold: 100
        interval: 1m
)";

TEST(CompileFlagger, CompilesTheProposalsCanary) {
  auto compiled = compile(std::string(kConnections) + std::string(kCanary));
  ASSERT_TRUE(compiled) << compiled.error().text();
  EXPECT_EQ(compiled->name, "podinfo");
  ASSERT_EQ(compiled->spec.metrics.size(), 1u);
  const Metric& metric = compiled->spec.metrics[0];
  EXPECT_EQ(metric.name, "max database connections");
  EXPECT_EQ(metric.interval.text, "1m0s");
  EXPECT_EQ(metric.failure_limit, api::IntOrString::of(0));
  const SourceMetric& source = *metric.provider.source;
  EXPECT_EQ(source.type, "influxdb");
  EXPECT_EQ(source.address, "http://influx.db:8086");
  EXPECT_EQ(source.reading, "flagger");
  EXPECT_EQ(source.interval.text, "1m");
  EXPECT_EQ(source.secret_ref->name, "influx-auth");
  EXPECT_EQ(source.secret_ref->ns, "flagger");
  EXPECT_EQ(source.query,
            "from(bucket: \"connections\")\n"
            "  |> filter(fn: (r) => r._client =~ /podinfo-dev-.*/)\n"
            "  |> range(start: -1m)\n"
            "  |> count()\n");
  // Below the threshold passes; so does a value equal to it.
  EXPECT_EQ(metric.check->expected->max, 100);
  EXPECT_FALSE(metric.check->expected->min);
  EXPECT_EQ(metric.check->no_data, "Fail");
  EXPECT_TRUE(metric.check->errors_fail);
}

TEST(CompileFlagger, FindsATemplateWithoutNamespaceFromTheCanarysOwn) {
  auto compiled = compile(std::string(kLatency) + R"(
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: podinfo, namespace: test}
spec:
  targetRef: {kind: Deployment, name: podinfo}
  analysis:
    interval: 30s
    threshold: 5
    stepWeight: 10
    maxWeight: 50
    metrics:
      - {name: latency, templateRef: {name: latency}, thresholdRange: {max: 500}, interval: 2m}
)");
  ASSERT_TRUE(compiled) << compiled.error().text();
  const Metric& metric = compiled->spec.metrics.at(0);
  EXPECT_NE(metric.provider.source->query.find("namespace=\"test\",\n"), std::string::npos);
  EXPECT_NE(metric.provider.source->query.find("}[2m]"), std::string::npos);
  EXPECT_FALSE(metric.provider.source->secret_ref);
  EXPECT_EQ(metric.interval.text, "30s");
  EXPECT_EQ(metric.consecutive_success_limit, api::IntOrString::of(5));
  EXPECT_EQ(metric.failure_limit, api::IntOrString::of(4));
  EXPECT_FALSE(metric.count);
}

TEST(CompileFlagger, KnowsEveryVariableOfTheProposal) {
  auto compiled = compile(R"(
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: all, namespace: ns}
spec:
  provider: {type: prometheus, address: http://p}
  query: '{{ name }} {{ namespace }} {{ target }} {{ service }} {{ ingress }} {{ route }} {{ interval }} {{ variables.a }} {{ index variables "b-c" }}'
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: c, namespace: ns}
spec:
  targetRef: {kind: Deployment, name: t}
  service: {name: s, port: 80}
  ingressRef: {kind: Ingress, name: i}
  routeRef: {kind: ApisixRoute, name: r}
  analysis:
    iterations: 1
    metrics:
      - {name: m, threshold: 1, templateRef: {name: all}, templateVariables: {a: "1", b-c: "2"}}
)");
  ASSERT_TRUE(compiled) << compiled.error().text();
  EXPECT_EQ(compiled->spec.metrics[0].provider.source->query, "c ns t s i r 1m 1 2");
  EXPECT_EQ(compiled->spec.metrics[0].provider.source->interval.text, "1m");
}

std::string canary_with(std::string_view metrics, std::string_view spec = "") {
  return std::string(R"(
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: podinfo, namespace: test}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: podinfo}
  )") + std::string(spec) +
         R"(
  analysis:
    stepWeight: 50
    metrics:
)" + std::string(metrics);
}

TEST(CompileFlagger, AsksForBuiltinMetricsInTheirUnits) {
  const struct {
    std::string_view provider, metric;
    std::optional<double> min, max;
  } cases[] = {
      {"istio", "{name: request-success-rate, threshold: 99}", 99, {}},
      {"istio", "{name: request-success-rate, thresholdRange: {min: 99.5, max: 100}}", 99.5, 100},
      {"istio", "{name: request-duration, threshold: 500}", {}, 500},
      {"kubernetes", "{name: request-duration, thresholdRange: {max: 500}}", {}, 0.5},
      {"kubernetes", "{name: request-success-rate, thresholdRange: {min: 99}}", 99, {}},
      {"istio", "{name: request-success-rate, thresholdRange: {}}", {}, {}},
      {"istio", "{name: mine, query: up, threshold: 3}", {}, 3},
      {"istio", "{name: mine, query: up}", {}, 0},
  };
  for (const auto& row : cases) {
    auto compiled = compile(canary_with("      - " + std::string(row.metric),
                                        "provider: " + std::string(row.provider)));
    ASSERT_TRUE(compiled) << compiled.error().text();
    const auto& expected = *compiled->spec.metrics.at(0).check->expected;
    EXPECT_EQ(expected.min, row.min) << row.metric;
    EXPECT_EQ(expected.max, row.max) << row.metric;
  }
}

TEST(CompileFlagger, AsksTheCanarysMetricsServerForBuiltinAndInlineMetrics) {
  const std::string text = canary_with(R"(
      - {name: request-success-rate, threshold: 99}
      - {name: not found, query: 'x{ns="{{ namespace }}"}[{{ interval }}]', threshold: 5, interval: 30s}
)",
                                       "metricsServer: http://prom.mine:9090");
  auto compiled = compile(text);
  ASSERT_TRUE(compiled) << compiled.error().text();
  ASSERT_EQ(compiled->spec.metrics.size(), 2u);
  for (const Metric& metric : compiled->spec.metrics) {
    EXPECT_EQ(metric.provider.source->type, "prometheus");
    EXPECT_EQ(metric.provider.source->address, "http://prom.mine:9090");
  }
  EXPECT_EQ(compiled->spec.metrics[1].provider.source->query, R"(x{ns="test"}[30s])");
  auto global = compile(canary_with("      - {name: request-duration, threshold: 1}"),
                        {.mesh_provider = "smi:linkerd", .metrics_server = "http://global"});
  ASSERT_TRUE(global);
  EXPECT_EQ(global->spec.metrics[0].provider.source->address, "http://global");
  EXPECT_NE(global->spec.metrics[0].provider.source->query.find("response_latency_ms_bucket"),
            std::string::npos);
}

TEST(CompileFlagger, AsksInFlaggersOrderAndTwiceWhereFlaggerDoes) {
  auto compiled = compile(std::string(kLatency) + canary_with(R"(
      - {name: latency, templateRef: {name: latency}, threshold: 5}
      - {name: request-duration, templateRef: {name: latency}, threshold: 5}
      - {name: request-success-rate, threshold: 99, query: up}
)"));
  ASSERT_TRUE(compiled) << compiled.error().text();
  std::vector<std::string> names;
  for (const Metric& metric : compiled->spec.metrics) names.push_back(metric.name);
  EXPECT_EQ(names, (std::vector<std::string>{"request-duration", "request-success-rate",
                                             "request-success-rate #2", "latency",
                                             "request-duration #2"}));
}

TEST(CompileFlagger, GivesAllOfATemplatesProvider) {
  auto compiled = compile(R"(
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: m}
spec:
  provider:
    type: prometheus
    address: https://p
    region: eu-west-1
    insecureSkipVerify: true
    headers: {X-Scope-OrgID: [a, b]}
    secretRef: {name: auth}
  query: up
---
)" + canary_with("      - {name: m, templateRef: {name: m}, threshold: 1}"));
  ASSERT_TRUE(compiled) << compiled.error().text();
  const SourceMetric& source = *compiled->spec.metrics.at(0).provider.source;
  EXPECT_TRUE(source.insecure_skip_verify);
  EXPECT_EQ(source.region, "eu-west-1");
  ASSERT_EQ(source.headers.size(), 2u);
  EXPECT_EQ(source.headers[1].key, "X-Scope-OrgID");
  EXPECT_EQ(source.headers[1].value, "b");
  EXPECT_EQ(source.secret_ref->ns, "test");
}

TEST(CompileFlagger, RefusesWhatItCannotAsk) {
  const std::string wrong_type = R"(
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: m}
spec: {provider: {type: TYPE, address: http://p}, query: 'QUERY'}
---
)";
  auto with = [&](std::string type, std::string query) {
    std::string text = wrong_type;
    text.replace(text.find("TYPE"), 4, type);
    text.replace(text.find("QUERY"), 5, query);
    return text + canary_with("      - {name: m, templateRef: {name: m}, threshold: 1}");
  };
  const struct {
    std::string text, where, message;
  } cases[] = {
      {canary_with("      - {name: mine, threshold: 1}"), "spec.analysis.metrics[0]",
       "no usable metrics template and query were configured"},
      {canary_with("      - {name: mine, query: '{{ nonsense }}'}"),
       "spec.analysis.metrics[0].query", "function \"nonsense\" not defined"},
      {canary_with("      - {name: mine, query: up, interval: soon}"),
       "spec.analysis.metrics[0].interval", "soon"},
      {canary_with("      - {name: m, templateRef: {name: gone}}"),
       "spec.analysis.metrics[0].templateRef", "metrictemplate.flagger.app \"gone\" not found"},
      {with("prometeus", "up"), "spec.provider.type", "\"prometeus\" is not a provider; write"},
      {with("prometheus", "{{ variables.zz }}"), "spec.analysis.metrics[0].templateRef",
       "map has no entry for key \"zz\""},
  };
  for (const auto& row : cases) {
    auto compiled = compile(row.text);
    ASSERT_FALSE(compiled) << row.message;
    EXPECT_EQ(compiled.error().where, row.where);
    EXPECT_NE(compiled.error().message.find(row.message), std::string::npos)
        << compiled.error().message;
  }
}

TEST(CompileFlagger, KeepsToItsNamespaceWhenTold) {
  auto compiled =
      compile(std::string(kConnections) + std::string(kCanary), {.cross_namespace = false});
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().where, "spec.canaryAnalysis.metrics[0].templateRef.namespace");
}

TEST(CompileFlagger, HasNothingToCheckWithoutMetricsOrAnalysis) {
  for (const std::string_view spec :
       {"skipAnalysis: true, analysis: {metrics: [{name: request-duration}]}", "provider: istio",
        "analysis: {interval: 1m}"}) {
    auto compiled = compile(
        "{apiVersion: flagger.app/v1beta1, kind: Canary, metadata: {name: c}, "
        "spec: {targetRef: {name: t}, " +
        std::string(spec) + "}}");
    ASSERT_TRUE(compiled) << compiled.error().text();
    EXPECT_TRUE(compiled->spec.metrics.empty()) << spec;
    EXPECT_EQ(compiled->warnings.size(), 1u) << spec;
  }
}

TEST(CompileMetricTemplate, RendersOneByItself) {
  const auto all = manifests(kLatency);
  auto metric = compile_metric_template(*find_metric_template_in(all)("any", "latency"),
                                        {{"namespace", "n"}, {"target", "t"}});
  ASSERT_TRUE(metric) << metric.error().text();
  EXPECT_EQ(metric->name, "latency");
  EXPECT_EQ(metric->provider.source->type, "prometheus");
  EXPECT_NE(metric->provider.source->query.find("namespace=\"n\""), std::string::npos);
}

}  // namespace
}  // namespace slipway::analysis
