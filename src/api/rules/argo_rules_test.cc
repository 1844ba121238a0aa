#include "api/rules/argo_rules.h"

#include <gtest/gtest.h>

#include "base/yaml.h"

namespace slipway::api::argo {
namespace {

json::Value from_yaml(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents.has_value() && documents->size() == 1) << text;
  return documents && !documents->empty() ? documents->front().value : json::Value();
}

std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> result;
  for (const Cause& cause : findings.causes) result.push_back(cause.field + ": " + cause.message);
  return result;
}

// A Rollout whose canary strategy is `canary`.
Rollout rollout_with(std::string_view canary) {
  json::Value document = from_yaml(R"(
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
  strategy: {})");
  document.at("spec").at("strategy").get_object()["canary"] = from_yaml(canary);
  const Result<Rollout> rollout = decode<Rollout>(document);
  EXPECT_TRUE(rollout.has_value()) << rollout.error().text();
  return rollout.value_or(Rollout{});
}

struct CanaryCase {
  std::string_view canary, finding;
};

const CanaryCase kRefused[] = {
    {"steps: [{setWeight: 101}]",
     "spec.strategy.canary.steps[0].setWeight: Invalid value: 101: SetWeight needs to be between "
     "0 and 100"},
    {"steps: [{pause: {duration: -5}}]",
     "spec.strategy.canary.steps[0].pause.duration: Invalid value: -5: Duration needs to be "
     "greater than 0"},
    {"steps: [{pause: {duration: soon}}]",
     "spec.strategy.canary.steps[0].pause.duration: Invalid value: \"soon\": Duration needs to be "
     "greater than 0"},
    {"steps: [{}]",
     "spec.strategy.canary.steps[0]: Invalid value: \"step.Experiment: true step.Pause: true "
     "step.SetWeight: true "
     "step.Analysis: true step.SetCanaryScale: true step.SetHeaderRoute: true "
     "step.SetMirrorRoute: true "
     "step.Plugin: true\": Step must have one of the following set: experiment, setWeight, "
     "setCanaryScale, plugin or "
     "pause"},
    {"steps: [{setWeight: 1, pause: {}}]",
     "spec.strategy.canary.steps[0]: Invalid value: \"step.Experiment: false step.Pause: true "
     "step.SetWeight: true "
     "step.Analysis: false\": Step must have one of the following set: experiment, setWeight, "
     "setCanaryScale, plugin "
     "or pause"},
    {"steps: [{setCanaryScale: {weight: 5}}]",
     "spec.strategy.canary.steps[0].setCanaryScale: Required value: SetCanaryScale requires "
     "TrafficRouting to be set"},
    {"{maxSurge: 0, maxUnavailable: 0}",
     "spec.strategy.canary.maxSurge: Invalid value: 0: MaxSurge and MaxUnavailable both can not "
     "be zero"},
    {"{maxSurge: 10x, maxUnavailable: 0}",
     "spec.strategy.canary.maxSurge: Invalid value: \"10x\": a valid percent string must be a "
     "numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is "
     "'[0-9]+%')"},
    {"{maxUnavailable: -1}",
     "spec.strategy.canary.maxUnavailable: Invalid value: -1: must be greater than or equal to 0"},
    {"{maxSurge: 0%, maxUnavailable: 0}",
     "spec.strategy.canary.maxSurge: Invalid value: \"0%\": MaxSurge and MaxUnavailable both can "
     "not be zero"},
    {"{maxSurge: \"0\", maxUnavailable: \"0\"}",
     "spec.strategy.canary.maxSurge: Invalid value: \"0\": MaxSurge and MaxUnavailable both can "
     "not be zero"},
    {"{canaryService: a, stableService: a}",
     "spec.strategy.canary.stableService: Invalid value: \"a\": This rollout uses the same "
     "service for the stable and "
     "canary services, but two different services are required."},
    {"{canaryService: a, trafficRouting: {smi: {}}}",
     "spec.strategy.canary.stableService: Invalid value: \"\": Canary service and Stable service "
     "must to be set to use "
     "Traffic Routing"},
    {"scaleDownDelaySeconds: 5",
     "spec.strategy.canary.scaleDownDelaySeconds: Invalid value: 5: Canary scaleDownDelaySeconds "
     "can only be used with "
     "traffic routing"},
    {"{canaryService: a, stableService: b, trafficRouting: {istio: {virtualService: {name: v}}, "
     "maxTrafficWeight: 1000}}",
     "spec.strategy.canary.trafficRouting.maxTrafficWeight: Invalid value: 1000: Canary "
     "maxTrafficWeight in traffic "
     "routing only supported in Nginx and Plugins"},
    {"{canaryService: a, stableService: b, trafficRouting: {gatewayAPI: {httpRoute: r}, "
     "plugins: {argoproj-labs/gatewayAPI: {httpRoute: r}}}}",
     "spec.strategy.canary.trafficRouting.gatewayAPI: Forbidden: plugins[argoproj-labs/gatewayAPI] "
     "names routes too; write one of them"},
    {"{canaryService: a, stableService: b, trafficRouting: {gatewayAPI: {namespace: edge}}}",
     "spec.strategy.canary.trafficRouting.gatewayAPI: Required value: names no route; write "
     "httpRoute: NAME"},
    {"{canaryService: a, trafficRouting: {gatewayAPI: {httpRoute: r}}}",
     "spec.strategy.canary.stableService: Invalid value: \"\": Canary service and Stable service "
     "must to be set to use Traffic Routing"},
    {"antiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: {weight: 101}}",
     "spec.strategy.canary.antiAffinity.preferredDuringSchedulingIgnoredDuringExecution.weight: "
     "Invalid value: 101: "
     "AntiAffinity weight must be between 1-100"},
    {"{canaryService: a, stableService: b, trafficRouting: {istio: {virtualService: {name: v}}, "
     "managedRoutes: [{name: h}]}, "
     "steps: [{setHeaderRoute: {name: g, match: [{headerName: x, headerValue: {exact: "
     "yes-please}}]}}]}",
     "spec.strategy.canary.steps[0].setHeaderRoute: Invalid value: \"g\": Steps define a route "
     "that does not exist in "
     "spec.strategy.canary.trafficRouting.managedRoutes"},
    {"steps: [{experiment: {templates: [{name: x, specRef: canary, weight: 5}]}}]",
     "spec.strategy.canary.steps[0].experiment.templates[0].weight: Invalid value: 5: Experiment "
     "template weight cannot "
     "be set unless TrafficRouting is enabled"},
    {"{canaryService: a, stableService: b, trafficRouting: {smi: {}}, steps: [{setWeight: 60}, "
     "{experiment: {templates: [{name: x, specRef: canary, weight: 30}, {name: z, specRef: stable, "
     "weight: 30}]}}]}",
     "spec.strategy.canary.steps[1].experiment.templates: Invalid value: 60: Weights of the "
     "templates and the SetWeight of 60 before them need to be at most 100 together"},
    {"{canaryService: a, stableService: b, trafficRouting: {gatewayAPI: {httpRoute: r}}, steps: "
     "[{experiment: {templates: [{name: x, specRef: canary, weight: 120}]}}]}",
     "spec.strategy.canary.steps[0].experiment.templates: Invalid value: 120: Weights of the "
     "templates and the SetWeight of 0 before them need to be at most 100 together"},
    {"steps: [{experiment: {templates: [{name: x, specRef: both}]}}]",
     "spec.strategy.canary.steps[0].experiment.templates[0].specRef: Invalid value: \"both\": "
     "Invalid template step SpecRef: must be canary or stable"},
    {"steps: [{analysis: {args: [{name: x, valueFrom: {fieldRef: {fieldPath: "
     "metadata.owner}}}]}}]",
     "spec.strategy.canary.steps[0].analysis.args[0].valueFrom.fieldRef.fieldPath: Invalid "
     "value: \"metadata.owner\": "
     "Analyses arguments must refer to valid object metadata supported by downwardAPI"},
};

TEST(ArgoRollout, RefusesWhatItsControllerRefuses) {
  for (const CanaryCase& c : kRefused) {
    Findings findings;
    validate_rollout(rollout_with(c.canary), findings);
    EXPECT_EQ(texts(findings), std::vector<std::string>{std::string(c.finding)}) << c.canary;
  }
}

TEST(ArgoRollout, TakesWhatItsControllerTakes) {
  for (const std::string_view canary :
       {"{}", "{maxSurge: \"25\", maxUnavailable: \"0\"}",
        "steps: [{setWeight: 0}, {pause: {}}, {pause: {duration: 1h}}, {setWeight: 100}]",
        "steps: [{plugin: {name: a/b}}, {analysis: {args: [{name: x, valueFrom: {fieldRef: "
        "{fieldPath: \"metadata.labels['k']\"}}}]}}]",
        "{canaryService: a, stableService: b, trafficRouting: {nginx: {stableIngress: i}, "
        "maxTrafficWeight: 1000}, steps: [{setWeight: 1000}]}",
        "{canaryService: a, stableService: b, trafficRouting: {gatewayAPI: {httpRoutes: [{name: "
        "r}]}, managedRoutes: [{name: h}], maxTrafficWeight: 1000}, steps: [{setHeaderRoute: "
        "{name: h, match: [{headerName: x, headerValue: {exact: beta}}]}}, {experiment: "
        "{templates: "
        "[{name: x, specRef: canary, weight: 5}]}}]}",
        "{canaryService: a, stableService: b, trafficRouting: {smi: {}}, steps: [{setWeight: 60}, "
        "{setWeight: 40}, {experiment: {templates: [{name: x, specRef: canary, weight: 60}]}}, "
        "{setWeight: 100}, {experiment: {templates: [{name: x, specRef: canary, weight: 0}]}}]}",
        "{pingPong: {pingService: a, pongService: b}, trafficRouting: {gatewayAPI: {httpRoute: "
        "r}}}",
        "{trafficRouting: {plugins: {x: {}}}, dynamicStableScale: true, steps: [{setCanaryScale: "
        "{replicas: 1}}]}"}) {
    Findings findings;
    validate_rollout(rollout_with(canary), findings);
    EXPECT_TRUE(findings.empty()) << canary << ": " << texts(findings)[0];
  }
}

TEST(ArgoRollout, NeedsASelectorThatMatchesAndAStrategy) {
  Findings findings;
  validate_rollout(*decode<Rollout>(from_yaml(R"(
spec:
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}})")),
                   findings);
  EXPECT_EQ(
      texts(findings),
      (std::vector<std::string>{
          "spec.selector: Required value: Rollout has missing field '.spec.selector'",
          "spec.strategy: Required value: Rollout has missing field '.spec.strategy.canary or "
          ".spec.strategy.blueGreen'"}));
  Findings unmatched;
  Rollout rollout = rollout_with("{}");
  rollout.spec.selector->value = from_yaml("matchLabels: {app: other}");
  validate_rollout(rollout, unmatched);
  EXPECT_EQ(
      texts(unmatched),
      std::vector<std::string>{
          "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not "
          "match template `labels`"});
}

TEST(ArgoRollout, BlueGreenNeedsTwoServices) {
  Findings findings;
  Rollout rollout = rollout_with("{}");
  rollout.spec.strategy.canary.reset();
  rollout.spec.strategy.blue_green =
      BlueGreenStrategy{.active_service = "a", .preview_service = "a"};
  validate_rollout(rollout, findings);
  ASSERT_EQ(findings.causes.size(), 1u);
  EXPECT_EQ(findings.causes[0].field, "spec.strategy.blueGreen.activeService");
}

TEST(ArgoExperiment, NamesTheTemplateAtFault) {
  const Result<Experiment> experiment = decode<Experiment>(from_yaml(R"(
spec:
  progressDeadlineSeconds: 5
  templates:
  - {name: a, selector: {matchLabels: {x: y}}, template: {}, minReadySeconds: 6}
  - {name: a, selector: {}, template: {}}
  - {name: "", selector: {matchLabels: {x: y}}, template: {}})"));
  ASSERT_TRUE(experiment) << experiment.error().text();
  Findings findings;
  validate_experiment(*experiment, "exp", findings);
  EXPECT_EQ(
      texts(findings),
      (std::vector<std::string>{
          "spec.templates[0].minReadySeconds: MinReadySeconds cannot be longer than "
          "ProgressDeadlineSeconds. Check "
          "template index 0",
          "spec.templates[1].selector: This experiment is selecting all pods at index 1. A "
          "non-empty selector is "
          "required.",
          "spec.templates[1].name: Experiment exp has repeated template name 'a' in templates",
          "spec.templates[2].name: Experiment exp has empty template name at index 2"}));
}

struct MetricCase {
  std::string_view metric, finding;
};

TEST(ArgoMetric, LimitsMustFitTogether) {
  const MetricCase cases[] = {
      {"consecutiveSuccessLimit: -1", "consecutiveSuccessLimit must be >= 0"},
      {"failureLimit: -2", "failureLimit must be >= 0, or -1 to be disabled"},
      {"failureLimit: -1", "failureLimit and consecutiveSuccessLimit cannot both be disabled"},
      {"inconclusiveLimit: -1", "inconclusiveLimit must be >= 0"},
      {"consecutiveErrorLimit: -1", "consecutiveErrorLimit must be >= 0"},
      {"{count: 1, failureLimit: 2}",
       "count (1) must be >= failureLimit + consecutiveSuccessLimit (2 + 0) if both >= 0"},
      {"{count: 1, failureLimit: -1, consecutiveSuccessLimit: 2}",
       "count must be >= consecutiveSuccessLimit"},
      {"{count: 1, inconclusiveLimit: 2}", "count must be >= inconclusiveLimit"},
      {"count: 2", "interval must be specified when count > 1"},
      {"{count: \"2\", interval: 5m}", ""},
      {"{count: \"{{args.n}}\", failureLimit: 9}", ""},
      {"interval: \"{{args.i}}\"", ""},
      {"failureLimit: 3", ""},
      {"{count: 5, interval: 1m, failureLimit: 2, consecutiveSuccessLimit: 3}", ""},
  };
  for (const MetricCase& c : cases) {
    json::Value value = from_yaml(c.metric);
    value.get_object()["name"] = "m";
    value.get_object()["provider"] = from_yaml("prometheus: {query: up}");
    Findings findings;
    validate_metrics({*decode<Metric>(value)}, "spec.metrics", findings);
    EXPECT_EQ(findings.empty() ? "" : findings.causes[0].message, c.finding) << c.metric;
    EXPECT_LE(findings.causes.size(), 1u) << c.metric;
  }
}

TEST(ArgoMetric, NeedsExactlyOneProvider) {
  const MetricCase cases[] = {
      {"{}", "no provider specified"},
      {"{web: {url: u}, graphite: {}}", "multiple providers specified"},
      {"plugin: {a: {}, b: {}}", "multiple providers specified"},
      {"plugin: {a: {}}", ""},
      {"compare: {control: {}, experiment: {traffic: {service: s, metric: errors}}}",
       "no provider specified"},
      {"traffic: {service: s, metric: errors}", ""}};
  for (const MetricCase& c : cases) {
    Metric metric{.name = "m", .provider = *decode<MetricProvider>(from_yaml(c.metric))};
    Findings findings;
    validate_metrics({metric}, "spec.metrics", findings);
    EXPECT_EQ(findings.empty() ? "" : findings.causes[0].message, c.finding) << c.metric;
  }
}

TEST(ArgoMetric, RulesForNamesMustMatchOne) {
  const std::vector<Metric> metrics = {{.name = "error-rate"}, {.name = "latency"}};
  Findings findings;
  validate_name_rules(metrics, {{"rate"}, {"*"}}, {{"^lat", 5}, {"x", 1}}, findings);
  EXPECT_EQ(texts(findings),
            (std::vector<std::string>{
                "spec.dryRun[1]: Rule didn't match any metric name(s)",
                "spec.measurementRetention[1]: Rule didn't match any metric name(s)"}));
}

}  // namespace
}  // namespace slipway::api::argo
