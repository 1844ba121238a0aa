#include "cli/lint_document.h"

#include <gtest/gtest.h>

#include <sstream>

namespace slipway::cli {
namespace {

std::vector<api::Problem> problems_of(std::string_view text) {
  const auto documents = yaml::read(text);
  SLIPWAY_ASSERT(documents.has_value());
  std::vector<const yaml::Document*> all;
  for (const auto& document : *documents) all.push_back(&document);
  const auto registry = api::Registry::make();
  std::vector<api::Problem> problems;
  for (std::size_t i = 0; i < documents->size(); ++i)
    for (auto& problem : lint_document((*documents)[i], i, all, *registry))
      problems.push_back(std::move(problem));
  return problems;
}

bool has_error(const std::vector<api::Problem>& problems) {
  for (const auto& problem : problems)
    if (problem.severity == api::Problem::Severity::kError) return true;
  return false;
}

TEST(LintDocument, KnowsEveryDialect) {
  const char* wrong[] = {
      "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisRun\nmetadata: {name: a}\nspec: {frob: 1}",
      "apiVersion: flagger.app/v1beta1\nkind: Canary\nmetadata: {name: a}\nspec: {analysis: 3}",
      "apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec: {pipeline: {stages: 3}}",
      R"({"name": "k", "metrics": [{"name": "m", "query": {"type": "frob"}}]})",
      R"({"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "flagger.app/v1beta1",
          "kind": "Canary", "metadata": {"name": "a"}, "spec": {"analysis": 3}}]})",
  };
  for (const char* text : wrong) {
    const auto problems = problems_of(text);
    EXPECT_TRUE(has_error(problems)) << text;
    for (const auto& problem : problems)
      EXPECT_EQ(problem.message.find("passed over"), std::string::npos) << problem.message;
  }
}

TEST(LintDocument, PassesOverWhatNobodyKnows) {
  const auto problems = problems_of("apiVersion: frob.dev/v1\nkind: Frob\nmetadata: {name: a}");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_FALSE(has_error(problems));
}

TEST(LintDocument, NamesRepeatedKeysInEveryDialect) {
  for (const char* text :
       {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\ndata: {}",
        "apiVersion: pipecd.dev/v1beta1\nkind: KubernetesApp\nspec: {}\nspec: {}"}) {
    int repeated = 0;
    for (const auto& problem : problems_of(text))
      repeated += problem.message.find("repeated") != std::string::npos;
    EXPECT_EQ(repeated, 1) << text;
  }
}

std::string rollout(const std::string& canary) {
  return "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: a}\nspec:\n"
         "  selector: {matchLabels: {app: a}}\n"
         "  template:\n    metadata: {labels: {app: a}}\n"
         "    spec: {containers: [{name: a, image: a}]}\n"
         "  strategy:\n    canary:\n      canaryService: c\n      stableService: s\n      " +
         canary + "\n";
}

// `text` as an element of a List, its fields named from there.
std::string listed(const std::string& text) {
  std::string out =
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n"
      "  metadata: {name: first}\n-";
  std::string line;
  for (std::istringstream lines(text); std::getline(lines, line);)
    out += (out.ends_with('-') ? " " : "  ") + line + "\n";
  return out;
}

TEST(LintDocument, WarnsOfRoutersAndStepsThatAreNotThere) {
  struct Case {
    const char *canary, *field, *message;
  };
  const Case cases[] = {
      {"trafficRouting: {alb: {ingress: i, servicePort: 80}}", "trafficRouting.alb",
       "not supported; use istio, nginx, smi or gatewayAPI"},
      {"trafficRouting: {traefik: {weightedTraefikServiceName: t}}", "trafficRouting.traefik",
       "not supported; use istio, nginx, smi or gatewayAPI"},
      {"trafficRouting: {plugins: {my/own: {}}}", "trafficRouting.plugins[my/own]",
       "not supported; use istio, nginx, smi or gatewayAPI"},
      {"steps: [{plugin: {name: a/b}}]", "steps[0].plugin", "step plugins are not supported"},
      {"steps: [{setMirrorRoute: {name: m}}]\n      trafficRouting: {managedRoutes: [{name: m}], "
       "gatewayAPI: {httpRoute: r}}",
       "steps[0].setMirrorRoute", "mirroring is not supported; istio on a cluster has it"},
      {"trafficRouting: {gatewayAPI: {httpRoute: r}}", "", ""},
      {"trafficRouting: {plugins: {argoproj-labs/gatewayAPI: {httpRoute: r}}}", "", ""},
      {"trafficRouting: {istio: {virtualService: {name: v}}}", "", ""},
      {"trafficRouting: {nginx: {stableIngress: i}}", "", ""},
      {"trafficRouting: {smi: {}}", "", ""},
  };
  for (const auto& [canary, field, message] : cases) {
    const std::string text = rollout(canary);
    for (const auto& [where, root] : {std::pair{text, ""}, {listed(text), "items[1]."}}) {
      const auto problems = problems_of(where);
      ASSERT_EQ(problems.size(), *field ? 1U : 0U) << where << (*field ? "" : problems[0].message);
      if (!*field) continue;
      EXPECT_EQ(problems[0].severity, api::Problem::Severity::kWarning);
      EXPECT_EQ(problems[0].field, std::string(root) + "spec.strategy.canary." + field);
      EXPECT_EQ(problems[0].message,
                std::string(message) + "; the Rollout would be Degraded with InvalidSpec");
      EXPECT_GT(problems[0].line, 10) << where;
    }
  }
}

TEST(LintDocument, AnAnalysisWithoutTemplatesIsPointedOut) {
  for (const auto& [canary, field] : {std::pair("steps: [{setWeight: 50}, {analysis: {}}]",
                                                "spec.strategy.canary.steps[1].analysis"),
                                      std::pair("analysis: {}", "spec.strategy.canary.analysis")}) {
    const auto problems = problems_of(rollout(canary));
    ASSERT_EQ(problems.size(), 1U) << canary;
    EXPECT_EQ(problems[0].severity, api::Problem::Severity::kWarning);
    EXPECT_EQ(problems[0].field, field);
    EXPECT_EQ(problems[0].message,
              "has no templates, so nothing is measured and it passes at once");
  }
}

TEST(LintDocument, RoutesOfTheGatewayApiAreNamedOnce) {
  const auto problems = problems_of(
      rollout("trafficRouting: {gatewayAPI: {httpRoute: r}, plugins: {argoproj-labs/gatewayAPI: "
              "{httpRoute: r}}}"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(has_error(problems));
  EXPECT_NE(problems[0].message.find("write one of them"), std::string::npos);
  EXPECT_TRUE(has_error(problems_of(rollout("trafficRouting: {gatewayAPI: {httpRuote: r}}"))));
}

}  // namespace
}  // namespace slipway::cli
