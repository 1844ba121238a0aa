#include "cli/lint_document.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace slipway::cli
