#include "analysis/argo/lint_argo_advice.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

std::vector<std::string> linted(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents) << documents.error().text();
  std::vector<const yaml::Document*> all;
  for (const auto& document : *documents) all.push_back(&document);
  std::vector<std::string> out;
  for (const auto& document : *documents)
    for (const api::Problem& problem : lint_argo_advice(document, all)) {
      EXPECT_EQ(problem.severity, api::Problem::Severity::kWarning);
      out.push_back(problem.field + ": " + problem.message);
    }
  return out;
}

std::string comparing(std::string_view metric, std::string_view query, std::string_view compare) {
  return "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: t}\n"
         "spec:\n  metrics:\n    - {name: m, " +
         std::string(metric) +
         ", provider: {compare: {control: {prometheus: {address: a, query: '" + std::string(query) +
         "'}}, experiment: {prometheus: {address: a, query: '" + std::string(query) + "'}}" +
         std::string(compare) + "}}}\n";
}

std::string only(const std::vector<std::string>& problems) {
  if (problems.size() == 1) return problems[0];
  std::string all = "(" + std::to_string(problems.size()) + ")";
  for (const std::string& problem : problems) all += "\n" + problem;
  return all;
}

TEST(LintArgoAdvice, WarnsOfPointsThatOverlap) {
  EXPECT_EQ(only(linted(comparing("interval: 10m, count: 6", "rate(x[5m])", ", step: 1m"))),
            "spec.metrics[0].provider.compare.step: the query averages over 5m and is asked every "
            "1m: neighbouring points share most of what they say, and 5 of them count as one; "
            "write step: 5m");
  EXPECT_EQ(
      only(linted(comparing("interval: 10m, count: 6", "rate(x[5m])", ", method: mann-whitney"))),
      "spec.metrics[0].provider.compare: the query averages over 5m and is asked every 1m: "
      "neighbouring points share most of what they say, and this method takes them for "
      "independent; write step: 5m");
  for (const std::string_view fine : {", step: 5m", ", step: '{{args.step}}'", ", tau: 5"})
    EXPECT_EQ(linted(comparing("interval: 10m, count: 6", "rate(x[5m])", fine)),
              std::vector<std::string>())
        << fine;
}

TEST(LintArgoAdvice, WarnsOfTooFewPointsEverToFail) {
  EXPECT_EQ(only(linted(comparing("interval: 1m, count: 3", "x", ""))),
            "spec.metrics[0].provider.compare: 4 points in all are too few ever to fail at alpha "
            "0.05; look for longer, more often, or with a smaller step");
  EXPECT_EQ(only(linted(comparing("interval: 2m, count: 100", "x", ", method: mann-whitney"))),
            "spec.metrics[0].provider.compare: 3 points a look are too few ever to fail at alpha "
            "0.05; look for longer, more often, or with a smaller step");
  for (const std::string_view fine :
       {"interval: 1m, count: 10", "interval: 1m", "interval: 1m, count: '{{args.count}}'"})
    EXPECT_EQ(linted(comparing(fine, "x", "")), std::vector<std::string>()) << fine;
  EXPECT_EQ(linted(comparing("interval: 1m, count: 4", "x", ", deviation: HIGH")),
            std::vector<std::string>());
}

TEST(LintArgoAdvice, WarnsOfLooksThatOverlap) {
  EXPECT_EQ(only(linted(comparing("interval: 5m, count: 6", "x", ", window: 10m"))),
            "spec.metrics[0].provider.compare.window: window (10m) is longer than interval (5m): "
            "looks overlap, and the same points are counted again; leave it out");
  EXPECT_EQ(linted(comparing("interval: 5m, count: 6", "x", ", window: 10m, method: kayenta")),
            std::vector<std::string>());
}

TEST(LintArgoAdvice, WarnsOfCountsThatAreExtrapolated) {
  const auto counted = [](std::string_view query, std::string_view compare) {
    return linted(comparing("interval: 10m, count: 6", query, compare));
  };
  const std::string warning =
      "spec.metrics[0].provider.compare: counts by rate or increase over 1m, which stretch what a "
      "few scrapes have seen to the whole range: chance then fails too often; write x - x offset "
      "1m instead, or a range and step of at least 8 scrape intervals";
  for (const std::string_view query : {"sum(rate(x[1m]))", "increase(x[1m])"})
    EXPECT_EQ(only(counted(query, ", method: counts, step: 1m")), warning) << query;
  for (const std::string_view fine :
       {"increase(x[2m])", "x - x offset 1m", "rate(x[{{args.range}}])"})
    EXPECT_EQ(counted(fine, ", method: counts, step: 2m"), std::vector<std::string>()) << fine;
  EXPECT_EQ(counted("rate(x[1m])", ", method: signed-rank, step: 1m"), std::vector<std::string>());
}

TEST(LintArgoAdvice, BothExposuresMakeACount) {
  const std::string_view text =
      "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: t}\n"
      "spec: {metrics: [{name: m, interval: 10m, count: 6, provider: {compare: {step: 1m,\n"
      "  control: {prometheus: {address: a, query: 'rate(x[1m])'}, exposure: requests},\n"
      "  experiment: {prometheus: {address: a, query: 'rate(x[1m])'}, exposure: requests}}}}]}\n";
  EXPECT_TRUE(only(linted(text)).find("counts by rate or increase over 1m") != std::string::npos)
      << only(linted(text));
}

constexpr std::string_view kRollout = R"(---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec:
  strategy:
    canary:
      steps:
        - setWeight: WEIGHT
        - analysis: {templates: [{templateName: t}]}
)";

std::string rollout_at(std::string_view weight) {
  std::string text(kRollout);
  return text.replace(text.find("WEIGHT"), 6, weight);
}

TEST(LintArgoAdvice, WarnsOfSharesOfUnequalTraffic) {
  const std::string shares =
      comparing("interval: 5m, count: 6", "sum(rate(e[1m])) / sum(rate(r[1m]))", "");
  EXPECT_EQ(only(linted(shares + rollout_at("5"))),
            "spec.metrics[0].provider.compare: compares shares by rank while the Rollout \"web\" "
            "gives the canary 5 % of the traffic: the smaller side scatters more, and fails too "
            "often; write method: counts, the events as query and the requests as exposure");
  EXPECT_EQ(linted(shares + rollout_at("50")), std::vector<std::string>());
  EXPECT_EQ(linted(shares), std::vector<std::string>());
  const std::string plain = comparing("interval: 5m, count: 6", "rate(e{path=\"/a\"}[1m])", "");
  EXPECT_EQ(linted(plain + rollout_at("5")), std::vector<std::string>());
  const std::string counted = comparing("interval: 5m, count: 6", "a / b", ", method: counts");
  EXPECT_EQ(linted(counted + rollout_at("5")), std::vector<std::string>());
}

TEST(LintArgoAdvice, WarnsOfSharesComparedWithStable) {
  const auto problems = linted(comparing("interval: 5m, count: 6", "a{v=\"stable\"} / b", ""));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("compares shares with \"stable\" by rank"), std::string::npos);
}

TEST(LintArgoAdvice, WarnsOfALimitThatCannotBeReached) {
  auto text = [](std::string_view metric) {
    return "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisRun\nmetadata: {name: t}\n"
           "spec: {metrics: [{name: m, " +
           std::string(metric) + ", provider: {web: {url: x}}}]}\n";
  };
  EXPECT_EQ(only(linted(text("interval: 1m, count: 5, failureLimit: 5"))),
            "spec.metrics[0].failureLimit: failureLimit (5) is not below count (5): it can never "
            "fail");
  EXPECT_EQ(linted(text("interval: 1m, count: 5, failureLimit: 4")), std::vector<std::string>());
  EXPECT_EQ(linted(text("interval: 1m, count: '{{args.n}}', failureLimit: 4")),
            std::vector<std::string>());
}

std::string experiment(std::string_view duration, std::string_view metric,
                       std::string_view required = "false") {
  return "apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: t}\n"
         "spec: {metrics: [{name: m, " +
         std::string(metric) +
         ", provider: {web: {url: x}}}]}\n---\napiVersion: argoproj.io/v1alpha1\nkind: "
         "Experiment\nmetadata: {name: e}\nspec: {duration: " +
         std::string(duration) +
         ", analyses: [{name: a, templateName: t, requiredForCompletion: " + std::string(required) +
         "}]}\n";
}

TEST(LintArgoAdvice, WarnsOfAnExperimentThatEndsBeforeItsAnalysis) {
  EXPECT_EQ(
      only(linted(experiment("5m", "interval: 1m, count: 10"))),
      "spec.analyses[0].templateName: metric \"m\" takes 10 measurements, 1m apart, and "
      "the experiment ends after 5m; ask more often, or make the analysis requiredForCompletion");
  EXPECT_EQ(only(linted(experiment("5m", "interval: 10m"))),
            "spec.analyses[0].templateName: metric \"m\" is asked every 10m, and the experiment "
            "ends after 5m: it is measured once");
  EXPECT_EQ(only(linted(experiment("5m", "initialDelay: 5m"))),
            "spec.analyses[0].templateName: metric \"m\" is first measured after 5m, and the "
            "experiment ends after 5m");
  EXPECT_EQ(linted(experiment("1h", "interval: 1m, count: 10")), std::vector<std::string>());
  EXPECT_EQ(linted(experiment("5m", "interval: 1m, count: 10", "true")),
            std::vector<std::string>());
}

TEST(LintArgoAdvice, PassesOverOtherKinds) {
  EXPECT_EQ(linted("{apiVersion: v1, kind: Pod, spec: {metrics: 3}}"), std::vector<std::string>());
  EXPECT_EQ(
      linted("{apiVersion: argoproj.io/v1alpha1, kind: AnalysisTemplate, spec: {metrics: 3}}"),
      std::vector<std::string>());
}

}  // namespace
}  // namespace slipway::analysis
