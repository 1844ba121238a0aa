#include "analysis/pipecd/compile_pipecd.h"

#include <gtest/gtest.h>

#include "analysis/pipecd/pipecd_testing.h"
#include "analysis/run_rules.h"

namespace slipway::analysis {
namespace {

using namespace pipecd::testing;
using api::argo::Metric;

// The run's one metric.
Metric only_metric(const std::string& metric, const std::string& duration = "30m",
                   const PipecdOptions& options = {}) {
  auto runs = compile(stage(metric, duration), options);
  EXPECT_TRUE(runs) << runs.error().text();
  if (!runs || runs->size() != 1 || runs->at(0).spec.metrics.size() != 1) return {};
  return runs->at(0).spec.metrics[0];
}

constexpr const char* kThreshold =
    "{provider: prom, interval: 10m, expected: {max: 0.1}, query: 'q{v=\"{{ .Variant.Name }}\"}'}";
constexpr const char* kBaseline =
    "{strategy: CANARY_BASELINE, provider: prom, interval: 10m, deviation: HIGH, query: "
    "'q{v=\"{{ .Variant.Name }}\"}'}";

TEST(CompilePipecd, ThresholdAsksForEveryPointOfTheInterval) {
  const Metric metric = only_metric(kThreshold);
  EXPECT_EQ(metric.name, "metrics-0");
  EXPECT_EQ(metric.interval.text, "10m0s");
  EXPECT_EQ(metric.initial_delay.text, "10m0s");
  EXPECT_EQ(metric.count->number, 2);
  EXPECT_EQ(metric.failure_limit->number, 0);
  const auto& source = metric.provider.source.value();
  EXPECT_EQ(source.type, "prometheus");
  EXPECT_EQ(source.address, "http://prom:9090");
  EXPECT_EQ(source.query, "q{v=\"primary\"}");
  EXPECT_EQ(source.reading, "pipecd");
  EXPECT_EQ(source.window.text, "10m0s");
  EXPECT_EQ(source.step.text, "1m0s");
  EXPECT_EQ(source.timeout.text, "30s");
  EXPECT_EQ(metric.check->expected->max, 0.1);
  EXPECT_FALSE(metric.check->expected->min);
  EXPECT_EQ(metric.check->no_data, "Fail");
  EXPECT_TRUE(metric.check->errors_fail);
}

TEST(CompilePipecd, CountsTheTicksStrictlyBeforeTheEnd) {
  const std::tuple<std::string, std::string, int> cases[] = {
      {"30m", "10m", 2}, {"30m", "5m", 5},  {"31m", "10m", 3},   {"10m1s", "10m", 1},
      {"1h", "90s", 39}, {"25s", "10s", 2}, {"30m", "29m59s", 1}};
  for (const auto& [duration, interval, count] : cases) {
    const Metric metric = only_metric(
        "{provider: prom, interval: " + interval + ", expected: {max: 1}, query: q}", duration);
    ASSERT_TRUE(metric.count) << duration;
    EXPECT_EQ(metric.count->number, count) << duration << " / " << interval;
  }
}

TEST(CompilePipecd, AnIntervalThatIsNotShorterThanTheDurationIsNeverEvaluated) {
  for (const char* duration : {"10m", "9m", "-5m"}) {
    auto runs = compile(stage(kThreshold, duration));
    ASSERT_TRUE(runs);
    ASSERT_EQ(runs->size(), 1u);
    EXPECT_TRUE(runs->at(0).spec.metrics.empty());
    EXPECT_NE(runs->at(0).warnings.at(0).find("never evaluated"), std::string::npos);
  }
}

TEST(CompilePipecd, FailureLimitIsNoHigherThanTheEvaluationsAndNoLowerThanZero) {
  for (const auto& [limit, want] : {std::pair(0, 0), {1, 1}, {2, 2}, {7, 2}, {-3, 0}}) {
    const Metric metric =
        only_metric("{provider: prom, interval: 10m, failureLimit: " + std::to_string(limit) +
                    ", expected: {max: 1}, query: q}");
    EXPECT_EQ(metric.failure_limit->number, want) << limit;
  }
}

TEST(CompilePipecd, SkipOnNoDataPasses) {
  const Metric metric = only_metric(
      "{provider: prom, interval: 5m, skipOnNoData: true, timeout: 1500ms, expected: {min: -1}, "
      "query: q}");
  EXPECT_EQ(metric.check->no_data, "Pass");
  EXPECT_EQ(metric.provider.source->timeout.text, "1.5s");
  EXPECT_EQ(metric.check->expected->min, -1);
}

TEST(CompilePipecd, CanaryStrategiesCompareTheCanaryWithTheOther) {
  for (const auto& [strategy, control] :
       {std::pair("CANARY_BASELINE", "baseline"), std::pair("CANARY_PRIMARY", "primary")}) {
    const Metric metric = only_metric(
        std::string("{strategy: ") + strategy +
        ", provider: prom, interval: 10m, deviation: LOW, query: '{{ .Variant.Name }} "
        "{{ .VariantCustomArgs.a }}', canaryArgs: {a: c}, baselineArgs: {a: b}, primaryArgs: {a: "
        "p}}");
    const auto& compare = metric.provider.compare.value();
    EXPECT_EQ(compare.experiment.source->query, "canary c");
    EXPECT_EQ(compare.control.source->query, std::string(control) + " " + control[0]);
    EXPECT_EQ(compare.deviation, "LOW");
    EXPECT_EQ(compare.method, "stratified-rank");
    EXPECT_TRUE(compare.window.empty());
    EXPECT_EQ(compare.step.text, "1m0s");
    EXPECT_FALSE(compare.margin);
    EXPECT_FALSE(metric.check->expected);
    EXPECT_EQ(metric.check->no_data, "Fail");
    EXPECT_TRUE(metric.check->errors_fail);
  }
}

TEST(CompilePipecd, NoDataIsPassedOverWhereTheMetricSaysSo) {
  for (const char* rest : {"strategy: CANARY_BASELINE", "expected: {max: 1}"}) {
    const auto with = [&](const char* more) {
      return only_metric("{provider: prom, interval: 10m, query: q, " + std::string(rest) + more +
                         "}")
          .check->no_data;
    };
    EXPECT_EQ(with(""), "Fail") << rest;
    EXPECT_EQ(with(", skipOnNoData: true"), "Pass") << rest;
  }
}

TEST(CompilePipecd, AStageTooShortToAccumulateIsJudgedLookByLook) {
  const auto with_query = [](std::string_view rest, const char* duration) {
    return only_metric(
        "{strategy: CANARY_BASELINE, provider: prom, interval: 10m, " + std::string(rest) + "}",
        duration);
  };
  // Two looks at 21 points that share ten minutes: two of them say as much as all.
  const Metric metric = with_query("query: 'rate(x[10m])'", "30m");
  EXPECT_EQ(metric.provider.compare->method, "mann-whitney");
  EXPECT_EQ(metric.provider.compare->window.text, "10m0s");
  EXPECT_EQ(metric.provider.compare->alpha, 0.025);
  const std::string one =
      "{strategy: CANARY_BASELINE, provider: prom, interval: 10m, query: 'rate(x[10m])'}";
  const auto two = compile(stage(one + ", " + one, "30m"), {});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->at(0).spec.metrics.at(1).provider.compare->alpha, 0.0125);
  for (const auto& [rest, duration] :
       {std::pair("query: 'rate(x[1m])'", "30m"), std::pair("query: 'rate(x[10m])'", "60m"),
        std::pair("method: stratified-rank, query: 'rate(x[10m])'", "30m")}) {
    EXPECT_EQ(with_query(rest, duration).provider.compare->method, "stratified-rank") << rest;
  }
}

TEST(CompilePipecd, TheReleasedTestIsAskedForByMethodOrForAll) {
  const std::string named =
      "{strategy: CANARY_BASELINE, provider: prom, interval: 10m, method: mann-whitney, query: q}";
  for (const Metric& metric :
       {only_metric(named), only_metric(kBaseline, "30m", {.compat = true})}) {
    const auto& compare = metric.provider.compare.value();
    EXPECT_EQ(compare.method, "mann-whitney-released");
    EXPECT_FALSE(compare.alpha);
    EXPECT_EQ(compare.window.text, "10m0s");
    EXPECT_EQ(compare.sequential, "none");
    EXPECT_EQ(compare.margin, 0);
  }
  const Metric other = only_metric(
      "{strategy: CANARY_BASELINE, provider: prom, interval: 10m, method: counts, exposure: "
      "'all {{ .Variant }}', alpha: 0.01, margin: 0.2, query: q}",
      "30m", {.compat = true});
  EXPECT_EQ(other.provider.compare->method, "counts");
  EXPECT_EQ(other.provider.compare->experiment.exposure, "all canary");
  EXPECT_EQ(other.provider.compare->control.exposure, "all baseline");
  EXPECT_EQ(other.provider.compare->alpha, 0.01);
  EXPECT_EQ(other.provider.compare->margin, 0.2);
}

const Time kNow = Time(std::chrono::seconds(1'700'100'000));
constexpr const char* kPrevious =
    "{strategy: PREVIOUS, provider: prom, interval: 10m, query: 'q {{ .Variant.Name }}'}";

History recorded(std::string query) {
  RecordedRun run{.application = "shop",
                  .stage = "stage-0",
                  .started = Time(std::chrono::seconds(1'700'000'000)),
                  .metrics = {{.name = "metrics-0",
                               .query = std::move(query),
                               .points = {{1'700'000'060, 1.5}, {1'700'000'120, 2}}}}};
  return {.runs = {run}};
}

TEST(CompilePipecd, PreviousAsksTheSameAsLongAgoAsTheEarlierRunBegan) {
  const History history = recorded("q primary");
  const Metric metric = only_metric(kPrevious, "30m", {.history = &history, .now = kNow});
  const auto& control = metric.provider.compare->control;
  EXPECT_EQ(control.ago.text, "27h46m40s");
  EXPECT_EQ(control.source->query, "q primary");
  EXPECT_EQ(json::write(control.recorded->points.value), "[[1700000060,1.5],[1700000120,2]]");
  EXPECT_TRUE(metric.provider.compare->experiment.ago.empty());
  EXPECT_FALSE(metric.provider.compare->experiment.recorded);
}

TEST(CompilePipecd, SaysThatAStageLastsLongerThanTheRecord) {
  const History history = recorded("q primary");
  auto runs = compile(stage(kPrevious), {.history = &history, .now = kNow});
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->at(0).warnings.size(), 1u);
  EXPECT_NE(runs->at(0).warnings[0].find("lasts longer"), std::string::npos);
  EXPECT_TRUE(
      compile(stage(kPrevious, "15m"), {.history = &history, .now = kNow})->at(0).warnings.empty());
}

TEST(CompilePipecd, ARecordOfAnotherQueryDoesNotServe) {
  const History history = recorded("another");
  auto runs = compile(stage(kPrevious), {.history = &history, .now = kNow});
  ASSERT_TRUE(runs);
  const auto& control = runs->at(0).spec.metrics.at(0).provider.compare->control;
  EXPECT_EQ(control.ago.text, "27h46m40s");
  EXPECT_EQ(json::write(control.recorded->points.value), "[]");
  EXPECT_NE(runs->at(0).warnings.at(0).find("another query"), std::string::npos);
}

TEST(CompilePipecd, WithoutAnEarlierRunThereIsNothingToCompareWithYet) {
  const Metric metric = only_metric(kPrevious, "30m", {.now = kNow});
  const auto& control = metric.provider.compare->control;
  EXPECT_FALSE(control.source);
  EXPECT_TRUE(control.ago.empty());
  EXPECT_EQ(json::write(control.recorded->points.value), "[]");
  EXPECT_EQ(metric.count->number, 2);
  const Metric compat = only_metric(kPrevious, "30m", {.now = kNow, .compat = true});
  EXPECT_EQ(compat.count->number, 1);
}

TEST(CompilePipecd, BlamesTheRangeOnlyWhereThereIsOne) {
  const std::string begin = "{strategy: CANARY_PRIMARY, provider: prom, interval: 1s, query: ";
  const auto few = compile(stage(begin + "q}", "3s"));
  ASSERT_TRUE(few);
  EXPECT_NE(few->at(0).warnings.at(0).find("gives about 3 points a side over the whole stage"),
            std::string::npos);
  const auto shared = compile(stage(begin + "'rate(q[10s])'}", "3s"));
  ASSERT_TRUE(shared);
  EXPECT_NE(shared->at(0).warnings.at(0).find("a shorter range in the query"), std::string::npos);
}

TEST(CompilePipecd, SaysThatAnAnalysisIsRecordedOnlyWhereItIs) {
  const History empty;
  const auto kept = compile(stage(kPrevious), {.history = &empty, .now = kNow});
  EXPECT_NE(kept->at(0).warnings.at(0).find("this one is recorded"), std::string::npos);
  const auto lost = compile(stage(kPrevious), {.now = kNow});
  EXPECT_NE(lost->at(0).warnings.at(0).find("not recorded for the next: give --history FILE"),
            std::string::npos);
}

TEST(CompilePipecd, AnEarlierStageOfTheSameDeploymentIsNotThePast) {
  const History history = recorded("q primary");
  const std::string text = application(
      "    - {name: WAIT}\n    - name: ANALYSIS\n      with: "
      "{duration: 30m, metrics: [" +
      std::string(kPrevious) + "]}\n");
  auto runs = compile(text, {.history = &history, .now = kNow});
  ASSERT_TRUE(runs) << runs.error().text();
  EXPECT_EQ(runs->at(0).stage, "stage-1");
  EXPECT_FALSE(runs->at(0).spec.metrics.at(0).provider.compare->control.source);
}

TEST(CompilePipecd, LogsAndHttpsAreHeldAgainstARange) {
  auto runs = compile(application(R"(
    - name: ANALYSIS
      id: check
      with:
        duration: 10m
        logs:
          - {provider: logs, interval: 1m, query: 'severity>=ERROR', failureLimit: 1}
        https:
          - url: https://canary.example.com/healthz
            method: head
            headers: [{key: X-A, value: one}, {key: x-a, value: two}]
            expectedCode: 204
            expectedResponse: fine
            interval: 2m
)"));
  ASSERT_TRUE(runs) << runs.error().text();
  const Compiled& run = runs->at(0);
  EXPECT_EQ(run.name, "shop-check");
  EXPECT_EQ(run.application, "shop");
  ASSERT_EQ(run.spec.metrics.size(), 2u);
  const Metric& log = run.spec.metrics[0];
  EXPECT_EQ(log.name, "log-0");
  EXPECT_EQ(log.provider.source->type, "google_logs");
  EXPECT_EQ(log.provider.source->query, "severity>=ERROR");
  EXPECT_EQ(log.provider.source->window.text, "1m0s");
  EXPECT_EQ(log.provider.source->files.at("serviceAccountKey"), "/keys/google.json");
  EXPECT_EQ(log.check->expected->max, 0);
  EXPECT_EQ(log.count->number, 9);
  const Metric& http = run.spec.metrics[1];
  EXPECT_EQ(http.name, "http-0");
  EXPECT_EQ(http.provider.source->type, "http_check");
  EXPECT_EQ(http.provider.source->query, "head\nfine");
  ASSERT_EQ(http.provider.source->headers.size(), 1u);
  EXPECT_EQ(http.provider.source->headers[0].value, "two");
  EXPECT_EQ(http.check->expected->min, 204);
  EXPECT_EQ(http.check->expected->max, 204);
}

TEST(CompilePipecd, ATemplatesEntryIsTheWholeCheckButForItsArguments) {
  const Metric metric = only_metric(
      "{template: {name: errors, appArgs: {job: 08}}, strategy: PREVIOUS, timeout: 5s}");
  EXPECT_EQ(metric.name, "errors");
  EXPECT_EQ(metric.provider.source->query, "errors{job=\"08\", app=\"shop\"}");
  EXPECT_EQ(metric.provider.source->timeout.text, "5s");
  EXPECT_EQ(metric.check->expected->max, 0.01);
  EXPECT_EQ(error_of(stage("{template: {name: none}}")),
            "spec.pipeline.stages[0].with.metrics[0].template.name: no AnalysisTemplate has an "
            "entry \"none\" under metrics");
}

TEST(CompilePipecd, KeysNeverStandInTheRun) {
  auto runs = compile(stage("{provider: dog, interval: 5m, expected: {max: 1}, query: 'avg:x'}"));
  ASSERT_TRUE(runs) << runs.error().text();
  const Compiled& run = runs->at(0);
  const auto& source = run.spec.metrics.at(0).provider.source.value();
  EXPECT_EQ(source.type, "datadog");
  EXPECT_EQ(source.address, "https://api.datadoghq.eu");
  EXPECT_EQ(source.files.at("datadog_application_key"), "/keys/app");
  ASSERT_EQ(run.secrets.size(), 1u);
  EXPECT_EQ(run.secrets[0].data.at("datadog_api_key"), "sesame");
  EXPECT_EQ(source.secret_ref->name, run.secrets[0].name);
  const std::string spec = json::write(json::Value(api::encode(run.spec)));
  EXPECT_EQ(spec.find("sesame"), std::string::npos);
  EXPECT_EQ(spec.find("c2VzYW1l"), std::string::npos);
}

TEST(CompilePipecd, EveryRunIsOneThatCanBeCarriedOut) {
  const std::string metrics[] = {kThreshold, kBaseline, kPrevious, "{template: {name: errors}}",
                                 "{provider: prom, interval: 20m, failureLimit: 9, expected: {max: "
                                 "1}, query: q}"};
  for (const std::string& one : metrics) {
    auto runs = compile(stage(one), {.now = kNow});
    ASSERT_TRUE(runs) << one;
    const auto rules = rules_of(runs->at(0).spec);
    EXPECT_TRUE(rules) << one << ": " << rules.error().text();
    // And survives being stored.
    const json::Object stored = api::encode(runs->at(0).spec);
    auto again = api::decode<api::argo::AnalysisRunSpec>(stored);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(json::write(json::Value(api::encode(*again))), json::write(json::Value(stored)));
  }
}

TEST(CompilePipecd, SaysWhatCannotBeRun) {
  const std::pair<std::string, std::string> cases[] = {
      {"{provider: none, interval: 5m, expected: {max: 1}, query: q}",
       "provider: the piped configuration has no analysis provider \"none\"; it has prom, dog, "
       "logs"},
      {"{provider: logs, interval: 5m, expected: {max: 1}, query: q}",
       "provider: the provider \"logs\" is STACKDRIVER, which has logs and no metrics"},
      {"{provider: prom, interval: 5m, query: q}", "expected: is missing"},
      {"{provider: prom, interval: 5m, expected: {max: 1}, query: '{{ .Nope.x }}'}",
       "query: template: AnalysisTemplate"},
      {"{provider: prom, interval: 60, expected: {max: 1}, query: q}", "interval: 60ns would make"},
      {"{strategy: BEST, provider: prom, interval: 5m, query: q}",
       "strategy: \"BEST\" is no strategy"},
      {"{strategy: PREVIOUS, provider: prom, interval: 5m, query: q, deviation: high}",
       "deviation: \"high\" is no deviation; write EITHER, HIGH or LOW"},
  };
  for (const auto& [metric, want] : cases) {
    const std::string error = error_of(stage(metric));
    EXPECT_NE(error.find("spec.pipeline.stages[0].with.metrics[0]." + want), std::string::npos)
        << error;
  }
  EXPECT_EQ(error_of("apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec: {pipeline: "
                     "{stages: [{name: ANALYSIS, with: {duration: 30m, metrics: [" +
                     std::string(kPrevious) + "]}}]}}"),
            "spec.name: is missing; PREVIOUS is recorded by the application's name: write it, or "
            "give --arg App.Name=NAME");
}

TEST(CompilePipecd, TheApplicationsNameMayBeAnArgument) {
  const std::string text =
      "apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec: {input: {namespace: prod}, "
      "pipeline: {stages: [{name: ANALYSIS, with: {duration: 30m, metrics: [{provider: prom, "
      "interval: 5m, expected: {max: 1}, query: '{{ .App.Name }} {{ .AppArgs.Name }} "
      "{{ .K8s.Namespace }} {{ .AppCustomArgs.x }}'}]}}]}}";
  auto runs = compile(text, {.args = {{"App.Name", "cart"}, {"x", "7"}}});
  ASSERT_TRUE(runs) << runs.error().text();
  EXPECT_EQ(runs->at(0).application, "cart");
  EXPECT_EQ(runs->at(0).spec.metrics.at(0).provider.source->query, "cart cart prod 7");
}

TEST(CompilePipecd, PluginApplicationsHaveArgumentsForAllStages) {
  const std::string text = R"(
apiVersion: pipecd.dev/v1beta1
kind: Application
spec:
  name: shop
  plugins: {analysis: {appCustomArgs: {k8sNamespace: prod, a: one, b: two}}}
  pipeline:
    stages:
      - {name: SOME_PLUGINS_STAGE}
      - name: ANALYSIS
        timeout: 1h
        skipOn: {paths: [docs]}
        with:
          duration: 30m
          metrics:
            - provider: prom
              interval: 5m
              expected: {max: 1}
              query: '{{ .K8s.Namespace }} {{ .AppCustomArgs.a }} {{ .AppCustomArgs.b }}'
              template: {appArgs: {b: three}}
)";
  auto runs = compile(text);
  ASSERT_TRUE(runs) << runs.error().text();
  EXPECT_EQ(runs->at(0).spec.metrics.at(0).provider.source->query, "prod one three");
}

TEST(CompilePipecd, RendersEveryQueryForEachVariant) {
  const auto document = one_document(stage(kBaseline));
  auto queries = render_pipecd_queries(document, {}, {});
  ASSERT_TRUE(queries);
  ASSERT_EQ(queries->size(), 2u);
  EXPECT_EQ(queries->at(0).variant, "canary");
  EXPECT_EQ(queries->at(0).text, "q{v=\"canary\"}");
  EXPECT_EQ(queries->at(1).text, "q{v=\"baseline\"}");
  EXPECT_EQ(queries->at(1).field, "spec.pipeline.stages[0].with.metrics[0].query");
  auto one = render_pipecd_queries(document, {}, {.variant = "primary"});
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ(one->at(0).text, "q{v=\"primary\"}");
}

TEST(CompilePipecd, KnowsItsDocuments) {
  const auto app = one_document("APIVERSION: pipecd.dev/v1beta1\nkind: ECSApp");
  EXPECT_TRUE(is_pipecd_application(app));
  EXPECT_FALSE(is_pipecd_template(app));
  EXPECT_FALSE(is_pipecd_application(one_document("apiVersion: v1\nkind: KubernetesApp")));
  EXPECT_TRUE(is_piped_config(one_document("apiVersion: pipecd.dev/v1beta1\nkind: Piped")));
}

}  // namespace
}  // namespace slipway::analysis
