#include "analysis/argo/compile_argo.h"

#include <gtest/gtest.h>

#include <map>

#include "base/yaml.h"

namespace slipway::analysis {
namespace {

using namespace api::argo;

Metric named(std::string name) { return {.name = std::move(name)}; }
Argument argument(std::string name, std::optional<std::string> value = {}) {
  return {.name = std::move(name), .value = std::move(value)};
}
Argument secret(std::string name) {
  return {.name = std::move(name),
          .value_from = ValueFrom{.secret_key_ref = SecretKeyRef{"s", "k"}}};
}

// Templates by name; those of the cluster have a * before it.
struct Templates {
  std::map<std::string, AnalysisTemplateSpec> held = {};
  int asked = 0;

  FindTemplate find() {
    return [this](const AnalysisTemplateRef& wanted) -> Result<AnalysisTemplateSpec> {
      ++asked;
      const auto found =
          held.find((wanted.cluster_scope.value_or(false) ? "*" : "") + wanted.template_name);
      if (found == held.end()) return template_not_found(wanted);
      return found->second;
    };
  }
  Result<AnalysisRunSpec> compose(const ArgoRequest& request) {
    return compose_run(request, find());
  }
};

std::vector<std::string> names_of(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.push_back(metric.name);
  return names;
}

TEST(ComposeRun, PutsTemplatesOfTheNamespaceBeforeThoseOfTheCluster) {
  Templates templates{.held = {{"*wide", {.metrics = {named("c")}}},
                               {"one", {.metrics = {named("a")}}},
                               {"two", {.metrics = {named("b")}}}}};
  auto run = templates.compose({.templates = {{"wide", true}, {"one"}, {"two", false}}});
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(names_of(run->metrics), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(ComposeRun, FollowsReferencesOnceEachAndSurvivesCycles) {
  Templates templates{
      .held = {{"a", {.metrics = {named("a")}, .templates = {{"b"}, {"w", true}}}},
               {"b", {.metrics = {named("b")}, .templates = {{"a"}, {"c"}}}},
               {"c", {.metrics = {named("c")}, .templates = {{"c"}}}},
               {"*w", {.metrics = {named("w")}, .templates = {{"a"}, {"w", true}}}}}};
  auto run = templates.compose({.templates = {{"a"}, {"c"}}});
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(names_of(run->metrics), (std::vector<std::string>{"a", "b", "c", "w"}));
  EXPECT_EQ(templates.asked, 4);
}

TEST(ComposeRun, RefusesMoreTemplatesThanItsLimit) {
  Templates templates;
  for (std::size_t i = 0; i <= kMaxTemplates; ++i)
    templates.held[std::to_string(i)] = {.templates = {{std::to_string(i + 1)}}};
  auto run = templates.compose({.templates = {{"0"}}});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "more than 200 templates in one analysis");
}

TEST(ComposeRun, SaysWhatArgoSaysOfTemplatesThatDoNotFit) {
  const struct {
    AnalysisTemplateSpec one, two;
    std::string message;
  } cases[] = {
      {{.metrics = {named("foo")}},
       {.metrics = {named("foo")}},
       "two metrics have the same name 'foo'"},
      {{.dry_run = {{"x.*"}}},
       {.dry_run = {{"x.*"}}},
       "two Dry-Run metric rules have the same name 'x.*'"},
      {{.measurement_retention = {{"m", 1}}},
       {.measurement_retention = {{"m", 2}}},
       "two Measurement Retention metric rules have the same name 'm'"},
      {{.args = {argument("foo", "true")}},
       {.args = {argument("foo", "false")}},
       "Argument `foo` specified multiple times with different values: 'true', 'false'"},
      {{.args = {argument("foo")}}, {}, "args.foo was not resolved"},
  };
  for (const auto& row : cases) {
    Templates templates{.held = {{"one", row.one}, {"two", row.two}}};
    auto run = templates.compose({.templates = {{"one"}, {"two"}}});
    ASSERT_FALSE(run) << row.message;
    EXPECT_EQ(run.error().message, row.message);
    EXPECT_EQ(run.error().code, ErrorCode::kInvalid);
  }
}

TEST(ComposeRun, NamesTheTemplateThatIsNotThere) {
  Templates templates{.held = {{"a", {.templates = {{"gone", true}}}}}};
  auto run = templates.compose({.templates = {{"a"}}});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(run.error().message, "clusteranalysistemplate.argoproj.io \"gone\" not found");
  EXPECT_EQ(templates.compose({.templates = {{"b"}}}).error().message,
            "analysistemplate.argoproj.io \"b\" not found");
}

TEST(ComposeRun, PutsTheCallersRulesBeforeTheTemplates) {
  Templates templates{.held = {{"a", {.dry_run = {{"t"}}, .measurement_retention = {{"t", 3}}}}}};
  auto run = templates.compose(
      {.templates = {{"a"}}, .dry_run = {{"mine"}}, .measurement_retention = {{"mine", 1}}});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->dry_run[0].metric_name, "mine");
  EXPECT_EQ(run->dry_run[1].metric_name, "t");
  EXPECT_EQ(run->measurement_retention[0].metric_name, "mine");
  auto twice = templates.compose({.templates = {{"a"}}, .dry_run = {{"t"}}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().message, "two Dry-Run metric rules have the same name 't'");
}

TEST(ComposeRun, MergesArgumentsAsArgoDoes) {
  // Declared without value, then with one: the later declaration counts, whole.
  Templates templates{.held = {{"a", {.args = {argument("x"), argument("y", "1"), secret("s")}}},
                               {"b", {.args = {argument("x", "2"), argument("y")}}}}};
  auto run = templates.compose(
      {.templates = {{"a"}, {"b"}}, .args = {argument("y", "9"), argument("extra", "0")}});
  ASSERT_TRUE(run) << run.error().text();
  ASSERT_EQ(run->args.size(), 3u);
  EXPECT_EQ(run->args[0].value, "2");
  EXPECT_EQ(run->args[1].value, "9");
  EXPECT_TRUE(run->args[2].value_from);
}

TEST(ComposeRun, TakesAGivenValueInsteadOfTheTemplatesSecret) {
  Templates templates{.held = {{"a", {.args = {secret("token"), argument("plain", "1")}}}}};
  auto run =
      templates.compose({.templates = {{"a"}}, .args = {argument("token", "t"), secret("plain")}});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->args[0].value, "t");
  EXPECT_FALSE(run->args[0].value_from);
  EXPECT_TRUE(run->args[1].value_from);
}

std::vector<json::Value> manifests(std::string_view text) {
  std::vector<json::Value> out;
  for (auto& document : *yaml::read(text)) out.push_back(std::move(document.value));
  return out;
}

constexpr std::string_view kManifests = R"(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: errors, namespace: shop}
spec:
  args: [{name: service}, {name: limit, value: "0.05"}]
  metrics:
    - name: errors
      interval: 1m
      count: 5
      successCondition: result[0] < {{args.limit}}
      provider: {prometheus: {address: http://p, query: 'e{service="{{args.service}}"}'}}
  templates: [{templateName: base, clusterScope: true}]
---
apiVersion: argoproj.io/v1alpha1
kind: ClusterAnalysisTemplate
metadata: {name: base}
spec:
  metrics: [{name: up, provider: {web: {url: "http://x"}}}]
---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: errors, namespace: other}
spec: {metrics: [{name: else, provider: {web: {url: "http://x"}}}]}
---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisRun
metadata: {name: run}
spec:
  args: [{name: service}]
  metrics: [{name: m, provider: {web: {url: "http://{{args.service}}"}}}]
)";

TEST(CompileArgo, ComposesATemplateOfAManifestWithWhatItRefersTo) {
  const auto all = manifests(kManifests);
  auto compiled = compile_argo(all[0], {argument("service", "carts"), argument("typo", "1")},
                               find_template_in(all, "shop"));
  ASSERT_TRUE(compiled) << compiled.error().text();
  EXPECT_EQ(compiled->name, "errors");
  EXPECT_EQ(names_of(compiled->spec.metrics), (std::vector<std::string>{"errors", "up"}));
  EXPECT_EQ(compiled->spec.args[0].value, "carts");
  ASSERT_EQ(compiled->warnings.size(), 1u);
  EXPECT_EQ(compiled->warnings[0], "nothing declares the argument \"typo\"; it is not used");
}

TEST(CompileArgo, LooksForTemplatesInTheNamespaceOfWhoAsks) {
  const auto all = manifests(kManifests);
  auto run = compose_run({.templates = {{"errors"}}}, find_template_in(all, "other"));
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_EQ(names_of(run->metrics), std::vector<std::string>{"else"});
  EXPECT_FALSE(compose_run({.templates = {{"errors"}}}, find_template_in(all, "third")));
}

TEST(CompileArgo, GivesARunItsArguments) {
  const auto all = manifests(kManifests);
  auto compiled = compile_argo(all[3], {argument("service", "carts")}, find_template_in({}));
  ASSERT_TRUE(compiled) << compiled.error().text();
  EXPECT_EQ(compiled->name, "run");
  EXPECT_EQ(compiled->spec.args[0].value, "carts");
  auto without = compile_argo(all[3], {}, find_template_in({}));
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().message, "args.service was not resolved");
}

TEST(CompileArgo, RefusesOtherKindsAndWhatCannotBeRead) {
  auto other =
      compile_argo(json::Object{{"apiVersion", "v1"}, {"kind", "Pod"}}, {}, find_template_in({}));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().where, "kind");
  const auto bad = manifests(
      "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: a}\n"
      "spec: {metrics: 3}\n");
  auto compiled = compile_argo(bad[0], {}, find_template_in({}));
  ASSERT_FALSE(compiled);
  ASSERT_FALSE(compiled.error().causes.empty());
  EXPECT_EQ(compiled.error().causes[0].field, "spec.metrics");
}

}  // namespace
}  // namespace slipway::analysis
