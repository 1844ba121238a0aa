#include "cli/analyze_plan.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

constexpr std::string_view kTemplate = R"(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: errors}
spec:
  args: [{name: app}]
  metrics:
  - name: errors
    provider: {prometheus: {address: 'http://p', query: 'e{a="{{args.app}}"}'}}
)";
constexpr std::string_view kOuter = R"(
---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: outer}
spec:
  templates: [{templateName: errors}]
)";
constexpr std::string_view kRun = R"(
---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisRun
metadata: {name: now, namespace: shop}
spec:
  metrics:
  - name: up
    provider: {prometheus: {address: 'http://p', query: up}}
)";
constexpr std::string_view kCanary = R"(
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: web}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  service: {port: 80}
  analysis:
    interval: 30s
    threshold: 2
    iterations: 3
    metrics: [{name: frob, interval: 1m, threshold: 1, query: 'x{t="{{ target }}"}'}]
)";
constexpr std::string_view kSecret = R"(
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {token: t}
)";

std::vector<Manifest> manifests_of(std::string_view text) {
  std::vector<Manifest> manifests;
  auto documents = yaml::read(text);
  SLIPWAY_ASSERT(documents.has_value());
  for (auto& document : *documents) manifests.push_back({"f.yaml", std::move(document)});
  return manifests;
}

std::string names(const Result<AnalysisPlan>& plan) {
  if (!plan) return plan.error().text();
  std::string text;
  for (const auto& run : plan->runs) text += run.ns + "/" + run.compiled.name + " ";
  return text;
}

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) text += part;
  return text;
}

TEST(AnalyzePlan, RunsWhatAsksForAnAnalysis) {
  const PlanOptions web{.args = {{"app", "web"}}};
  const struct {
    std::string text;
    std::string names;
  } cases[] = {
      {join({kTemplate}), "default/errors "},
      {join({kTemplate, kOuter}), "default/outer "},
      {join({kTemplate, kRun}), "shop/now "},
      {join({kTemplate, kCanary}), "default/web "},
      {join({kRun, kCanary, kRun}), "shop/now default/web shop/now-2 "},
  };
  for (const auto& c : cases)
    EXPECT_EQ(names(plan_analysis(manifests_of(c.text), web)), c.names) << c.text;
}

TEST(AnalyzePlan, TemplatesThatReferToEachOtherInACircleAreOneAnalysis) {
  const auto linked = [](const std::string& name, const std::string& to) {
    return fmt::format(
        "---\napiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {{name: {0}}}\n"
        "spec:\n  templates: [{{templateName: {1}}}]\n  metrics: [{{name: {0}, provider: "
        "{{prometheus: {{address: 'http://p', query: up}}}}}}]\n",
        name, to);
  };
  EXPECT_EQ(names(plan_analysis(manifests_of(linked("top", "sub") + linked("sub", "top")), {})),
            "default/top ");
  EXPECT_EQ(names(plan_analysis(manifests_of(linked("a", "b") + linked("b", "a") +
                                             linked("c", "a") + linked("d", "d")),
                                {})),
            "default/c default/d ");
}

TEST(AnalyzePlan, SaysWhatIsMissingAndWhere) {
  const auto missing = plan_analysis(manifests_of(kTemplate), {});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("f.yaml:"), std::string::npos) << missing.error().text();
  EXPECT_NE(missing.error().text().find("--arg"), std::string::npos) << missing.error().text();
  const auto nothing = plan_analysis(manifests_of(kSecret), {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(nothing.error().message.starts_with("nothing to analyse"));
}

TEST(AnalyzePlan, WarnsAtTheFieldAndOfQueriesWithoutAValue) {
  const auto plan = plan_analysis(manifests_of(R"(apiVersion: pipecd.dev/v1beta1
kind: KubernetesApp
spec:
  name: web
  pipeline:
    stages:
    - name: ANALYSIS
      with:
        duration: 20m
        metrics:
        - {strategy: PREVIOUS, provider: p, interval: 1m, query: 'a{b="{{ .AppArgs.b }}"}'}
---
apiVersion: pipecd.dev/v1beta1
kind: Piped
spec: {analysisProviders: [{name: p, type: PROMETHEUS, config: {address: 'http://p'}}]}
)"),
                                  {});
  ASSERT_TRUE(plan) << plan.error().text();
  const auto& warnings = plan->runs.at(0).warnings;
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_TRUE(
      warnings[0].starts_with("f.yaml:11: spec.pipeline.stages[0].with.metrics[0]: warning:"
                              " has no earlier analysis"))
      << warnings[0];
  EXPECT_EQ(warnings[1],
            "f.yaml:1: warning: metrics-0: experiment asks with b=\"<no value>\": an argument it "
            "names is not given, or has another name");
}

TEST(AnalyzePlan, RefusesWhatCanNeverBeJudged) {
  const std::string run(kRun);
  const auto wrong = run + "    failureLimit: abc\n";
  EXPECT_EQ(names(plan_analysis(manifests_of(wrong), {})),
            "f.yaml:10: spec.metrics[0].failureLimit: \"abc\" is not a whole number; write 3");
  const std::string inner = std::string(kTemplate) + "    successCondition: result <\n";
  const auto plan =
      plan_analysis(manifests_of(inner + std::string(kOuter)), {.args = {{"app", "web"}}});
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().text().find("metric \"errors\": successCondition: \"result <\" is no "),
            std::string::npos)
      << plan.error().text();
}

TEST(AnalyzePlan, SaysWhichArgumentsNobodyAskedFor) {
  PlanOptions options{.args = {{"app", "web"}, {"ap", "web"}}};
  const auto plan = plan_analysis(manifests_of(kTemplate), options);
  ASSERT_TRUE(plan) << plan.error().text();
  ASSERT_EQ(plan->notes.size(), 1U);
  EXPECT_EQ(plan->notes[0],
            "warning: --arg ap: no analysis of these files has an argument of that name");
  // Other dialects have arguments of their own.
  EXPECT_TRUE(plan_analysis(manifests_of(kCanary), options)->notes.empty());
}

TEST(AnalyzePlan, TakesSecretsAlong) {
  const auto plan = plan_analysis(manifests_of(join({kRun, kSecret})), {});
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->secrets.size(), 1U);
}

TEST(AnalyzePlan, ReadsArguments) {
  const auto args = parse_args({"a=b=c", "d="});
  ASSERT_TRUE(args);
  EXPECT_EQ(*args, (std::map<std::string, std::string>{{"a", "b=c"}, {"d", ""}}));
  for (const char* wrong : {"a", "=b", ""}) {
    const auto refused = parse_args({wrong});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "--arg");
  }
}

}  // namespace
}  // namespace slipway::cli
