#include "api/lint/lint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/lint/lint_report.h"

namespace slipway::api {
namespace {

std::vector<std::string> lint_text(std::string_view text) {
  static const std::unique_ptr<Registry> registry = Registry::make();
  const auto documents = yaml::read(text);
  EXPECT_TRUE(documents.has_value()) << text;
  std::vector<std::string> lines;
  if (!documents) return lines;
  for (const yaml::Document& document : *documents)
    for (const Problem& problem : lint(document, *registry))
      lines.push_back(fmt::format("{}{}: {}: {}",
                                  problem.severity == Problem::Severity::kWarning ? "warning " : "",
                                  problem.line, problem.field, problem.message));
  return lines;
}
using Lines = std::vector<std::string>;

TEST(Lint, ThreeMistakesGetThreeMessagesWithLineAndField) {
  EXPECT_EQ(lint_text(R"(apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: web
spec:
  replicas: many
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        imag: web:1
  strategy:
    canary:
      steps:
      - setWeight: 120
)"),
            (Lines{"6: spec.replicas: must be of type integer, and is \"many\"",
                   "15: spec.template.spec.containers[0].imag: unknown field \"imag\"; did you "
                   "mean \"image\"?",
                   "19: spec.strategy.canary.steps[0].setWeight: Invalid value: 120: SetWeight "
                   "needs to be between 0 and "
                   "100"}));
}

TEST(Lint, AGoodManifestHasNoProblems) {
  EXPECT_EQ(lint_text(R"(apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: errors}
spec:
  args: [{name: service}]
  metrics:
  - name: errors
    interval: 1m
    count: 5
    failureLimit: 2
    provider:
      prometheus: {address: http://prometheus, query: 'errors{service="{{ args.service }}"}'}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: m}
spec: {provider: {type: prometheus, address: http://p}, query: "up"}
)"),
            Lines{});
}

TEST(Lint, SaysWhatWasFoundInPlaceOfWhatIsRight) {
  EXPECT_EQ(lint_text("apiVersion: [v1]\nkind: Pod\n"),
            Lines{"1: apiVersion: must be of type string, and is a list"});
  EXPECT_EQ(lint_text("apiVersion: v1\nkind: 3\n"),
            Lines{"2: kind: must be of type string, and is 3"});
  EXPECT_EQ(lint_text("apiVersion: v1\nkind: Pod\nmetadata: x\n"),
            Lines{"3: metadata: must be of type object, and is \"x\""});
  EXPECT_EQ(lint_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: [b]}\n"),
            Lines{"4: data.a: must be of type string, and is a list"});
  EXPECT_EQ(
      lint_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: y}\n"),
      Lines{"4: data.a: must be of type string, and is true, as YAML also reads y, yes, on, n, "
            "no and off; put quotes around text"});
}

TEST(Lint, StopsWhereNobodyReadsOn) {
  std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
  for (int i = 0; i < 50'000; ++i) text += "u" + std::to_string(i) + ": 1\n";
  const Lines problems = lint_text(text);
  ASSERT_EQ(problems.size(), LintReport::kMaxProblems + 1);
  EXPECT_TRUE(std::ranges::any_of(problems, [](const std::string& line) {
    return line.ends_with("has more problems than these 1000; mend them first");
  }));
}

TEST(Lint, NeverShowsWhatIsInASecret) {
  const std::string secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n";
  const Lines base64{"4: data.a: must be base64 text; what is not goes under stringData"};
  for (const char* data : {"{a: topsecret!}", "{a: 4815}", "{a: [topsecret]}", "{a: yes}"})
    EXPECT_EQ(lint_text(secret + "data: " + data + "\n"), base64) << data;
  EXPECT_EQ(lint_text(secret + "stringData: {pin: 48151623}\n"),
            Lines{"4: stringData.pin: must be of type string; put quotes around it"});
  EXPECT_EQ(lint_text(secret + "stringData: topsecret\n").size(), 1U);
  EXPECT_FALSE(lint_text(secret + "stringData: topsecret\n")[0].contains("topsecret"));
  EXPECT_FALSE(lint_text(secret + "data: topsecret\n")[0].contains("topsecret"));
}

TEST(Lint, APauseThatIsNoDurationIsCalledThat) {
  EXPECT_EQ(lint_text(R"(apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: w}]}}
  strategy:
    canary:
      steps:
      - pause: {duration: 10x}
      - pause: {duration: "30"}
      - pause: {duration: 1h}
      - pause: {duration: 20}
)"),
            Lines{"10: spec.strategy.canary.steps[0].pause.duration: \"10x\" is not a duration; "
                  "write 10s, 5m or 1h"});
}

struct Case {
  std::string_view spec;
  Lines problems;
};

TEST(Lint, AnalysisTemplates) {
  const Case cases[] = {
      {"{metrics: [{name: m, interval: 10, provider: {web: {url: u}}}]}",
       {"4: spec.metrics[0].interval: must be of type string, and is 10"}},
      {"{metrics: [{name: m, provider: {prometeus: {query: up}}}]}",
       {"4: spec.metrics[0].provider.prometeus: unknown field \"prometeus\"; did you mean "
        "\"prometheus\"?"}},
      {"{metrics: [{name: m, provdier: {web: {url: u}}}]}",
       {"4: spec.metrics[0].provdier: unknown field \"provdier\"; did you mean \"provider\"?"}},
      {"{metrics: [{provider: {web: {}}}]}",
       {"4: spec.metrics[0].provider.web.url: Required value",
        "4: spec.metrics[0].name: Required value"}},
      {"{metrics: [{name: m, provider: {web: {url: '{{args.host}}'}}}]}",
       {"4: spec.metrics[0].provider.web.url: failed to resolve {{args.host}}: spec.args does not "
        "declare it"}},
      {"{metrics: [{name: m, provider: {web: {url: u}}}], dryRun: [{metricName: x}]}",
       {"4: spec.dryRun[0]: Rule didn't match any metric name(s)"}},
      {"{templates: [{templateName: other}]}", {}},
      {"{}", {"4: spec.metrics: no metrics specified"}},
      {"{metrics: [{name: m, provider: {job: {spec: {template: {spec: {containers: [{name: a, "
       "image: b}]}}}}}}]}",
       {"4: spec.metrics[0].provider.job.spec.template.spec.restartPolicy: Required value: valid "
        "values: \"OnFailure\", "
        "\"Never\""}},
      {"{metrics: [{name: m, provider: {job: {spec: {template: {spec: {restartPolicy: Never, "
       "containers: [{name: a, image: b, "
       "resources: {requests: {memory: x}}}]}}}}}}]}",
       {}},
  };
  for (const Case& c : cases) {
    const Lines got =
        lint_text(fmt::format("apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: "
                              "{{name: t}}\nspec: {}\n",
                              c.spec));
    if (c.spec.find("memory: x") != std::string_view::npos) {
      ASSERT_EQ(got.size(), 1u);
      EXPECT_TRUE(got[0].find("requests") != std::string::npos) << got[0];
    } else {
      EXPECT_EQ(got, c.problems) << c.spec;
    }
  }
}

TEST(Lint, ABadDurationIsNamedOnce) {
  const Lines got = lint_text(
      "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: t}\nspec:\n  "
      "metrics:\n  - name: m\n"
      "    interval: 5 minutes\n    provider: {web: {url: u}}\n");
  ASSERT_EQ(got.size(), 1u);
  EXPECT_TRUE(got[0].starts_with("7: spec.metrics[0].interval: ")) << got[0];
}

TEST(Lint, ExperimentsReferToTheirOwnTemplates) {
  EXPECT_EQ(lint_text(R"(apiVersion: argoproj.io/v1alpha1
kind: Experiment
metadata: {name: e}
spec:
  templates:
  - name: canary
    selector: {matchLabels: {app: web}}
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
  analyses:
  - name: a
    templateName: t
    args:
    - {name: x, value: "{{templates.canary.podTemplateHash}}"}
    - {name: other, value: "{{templates.baseline.podTemplateHash}}"}
)"),
            (Lines{"warning 9: spec.analyses: without duration, an analysis that succeeds ends the "
                   "experiment only when it "
                   "is requiredForCompletion; none is",
                   "14: spec.analyses[0].args[1].value: failed to resolve "
                   "{{templates.baseline.podTemplateHash}}"}));
}

TEST(Lint, UnknownKindsArePassedOver) {
  EXPECT_EQ(
      lint_text(
          "apiVersion: networking.istio.io/v1beta1\nkind: VirtualService\nmetadata: {name: v}\n"),
      Lines{"warning 2: kind: VirtualService of networking.istio.io/v1beta1 is not a kind known "
            "here; passed over"});
}

TEST(Lint, ADocumentMustSayWhatItIs) {
  EXPECT_EQ(lint_text("metadata: {name: v}\n"),
            (Lines{"1: apiVersion: apiVersion is missing", "1: kind: kind is missing"}));
  EXPECT_EQ(lint_text("just text\n"),
            Lines{"1: : a manifest is an object with apiVersion and kind"});
}

TEST(Lint, BuiltInKindsFollowKubernetesRules) {
  EXPECT_EQ(lint_text(R"(apiVersion: v1
kind: Service
metadata: {name: 8web}
spec:
  ports:
  - {port: 70000}
  - {name: b, port: 80}
)")
                .size(),
            3u);
  EXPECT_EQ(
      lint_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a b: x}\n").size(),
      1u);
}

TEST(Lint, RepeatedKeysAreMistakes) {
  const Lines got =
      lint_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: x, a: y}\n");
  ASSERT_EQ(got.size(), 1u);
  EXPECT_TRUE(got[0].find("repeated") != std::string::npos) << got[0];
}

TEST(Lint, LooksIntoListsAndNamesFieldsFromTheBeginningOfTheDocument) {
  EXPECT_EQ(lint_text(R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b}
  dta: {}
- apiVersion: v1
  kind: List
  items:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {name: c}
    spec:
      replicas: many
      replicas: some
      selector: {matchLabels: {app: c}}
      template:
        metadata: {labels: {app: c}}
        spec: {containers: [{name: c, image: c}]}
- 7
)"),
            (Lines{"10: items[1].dta: unknown field \"dta\"; did you mean \"data\"?",
                   "19: items[2].items[0].spec.replicas: this key is repeated; the last value wins",
                   "24: items[3]: a manifest is an object with apiVersion and kind"}));
}

TEST(Lint, ItemsOfAListOfOneKindNeedNotSayWhatTheyAre) {
  EXPECT_EQ(lint_text("apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n"
                      "  dta: {}\n"),
            Lines{"5: items[0].dta: unknown field \"dta\"; did you mean \"data\"?"});
}

TEST(Lint, AnEmptyListHasNoProblems) {
  EXPECT_EQ(lint_text("apiVersion: v1\nkind: List\nitems: []\n"), Lines{});
}

}  // namespace
}  // namespace slipway::api
