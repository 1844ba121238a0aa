#include "analysis/pipecd/lint_pipecd.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/pipecd/advice.h"
#include "analysis/pipecd/pipecd_testing.h"

namespace slipway::analysis {
namespace {

using namespace pipecd::testing;
using Lines = std::vector<std::string>;

Lines lint_text(const std::string& text) {
  Lines lines;
  for (const api::Problem& problem : lint_pipecd(one_document(text)))
    lines.push_back(fmt::format(
        "{}{}: {}: {}", problem.severity == api::Problem::Severity::kWarning ? "warning " : "",
        problem.line, problem.field, problem.message));
  return lines;
}

// Whether one of the lines begins with and holds these.
bool says(const Lines& lines, std::string_view begin, std::string_view part) {
  for (const std::string& line : lines)
    if (line.starts_with(begin) && line.find(part) != std::string::npos) return true;
  return false;
}

const std::string kMetric = "spec.pipeline.stages[0].with.metrics[0]";

TEST(LintPipecd, ThreeMistakesGetThreeMessagesWithLineAndField) {
  EXPECT_EQ(
      lint_text(R"(apiVersion: pipecd.dev/v1beta1
kind: KubernetesApp
spec:
  name: shop
  pipline: {}
  pipeline:
    stages:
    - name: ANALYSIS
      with:
        duration: "90"
        metrics:
        - provider: prom
          interval: 5m
          failureLimit: "1"
          expected: {max: 1}
          query: q
)"),
      (Lines{"5: spec.pipline: PipeCD knows no such field; did you mean pipeline?",
             "10: spec.pipeline.stages[0].with.duration: \"90\" is not a duration; write 10s, 5m "
             "or 1h",
             "14: spec.pipeline.stages[0].with.metrics[0].failureLimit: \"1\" is no number; "
             "write it without quotes"}));
}

TEST(LintPipecd, KeysMayBeWrittenInAnyCase) {
  EXPECT_EQ(lint_text(stage("{Provider: prom, INTERVAL: 5m, failurelimit: 1, expected: {MAX: 1}, "
                            "query: q}")),
            Lines{});
}

TEST(LintPipecd, UnknownKeysAreWarningsInAStageAndErrorsInATemplate) {
  const Lines in_stage =
      lint_text(stage("{provider: prom, interval: 5m, expected: {max: 1}, query: q, treshold: 1}"));
  EXPECT_TRUE(says(in_stage, "warning 10: " + kMetric + ".treshold", "knows no such field"));
  EXPECT_EQ(in_stage.size(), 1u);
  const Lines in_template = lint_text(R"(apiVersion: pipecd.dev/v1beta1
kind: AnalysisTemplate
spec:
  metrics:
    a.b: {provider: prom, interval: 5m, expected: {max: 1}, query: q, treshold: 1}
)");
  ASSERT_EQ(in_template.size(), 1u);
  EXPECT_TRUE(says(in_template, "5: spec.metrics[a.b].treshold", "knows no such field"));
}

TEST(LintPipecd, SaysWhatPipecdRefuses) {
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {"{interval: 5m, expected: {max: 1}, query: q}", "provider", "is missing"},
      {"{provider: p, interval: 5m, expected: {max: 1}}", "query", "is missing"},
      {"{provider: p, expected: {max: 1}, query: q}", "interval", "is missing"},
      {"{provider: p, interval: 0s, expected: {max: 1}, query: q}", "interval", "is missing"},
      {"{provider: p, interval: -1m, expected: {max: 1}, query: q}", "interval", "is negative"},
      {"{provider: p, interval: 5d, expected: {max: 1}, query: q}", "interval", "5d"},
      {"{provider: p, interval: true, expected: {max: 1}, query: q}", "interval", "no duration"},
      {"{provider: p, interval: 5m, expected: {max: '1'}, query: q}", "expected.max", "no number"},
      {"{provider: p, interval: 5m, failureLimit: 1.5, expected: {max: 1}, query: q}",
       "failureLimit", "whole number"},
      {"{provider: p, interval: 5m, deviation: UP, expected: {max: 1}, query: q}", "deviation",
       "EITHER, HIGH or LOW"},
      {"{provider: p, interval: 5m, query: q}", "expected", "THRESHOLD needs min or max"},
      {"{provider: p, interval: 5m, expected: {min: 2, max: 1}, query: q}", "expected",
       "at least 2 and at most 1"},
      {"{provider: p, interval: 5m, expected: {max: 1}, query: '{{ .Args.x }}'}", "query",
       "cannot be rendered"},
      {"{provider: p, interval: 5m, expected: {max: 1}, query: q, canaryArgs: {a: [1]}}",
       "canaryArgs.a", "one value"},
      {"{strategy: CANARY_BASELINE, provider: p, interval: 5m, query: '{{.Variant}}', method: x}",
       "method", "is no method"},
      {"{strategy: PREVIOUS, provider: p, interval: 5m, query: q, method: counts}", "exposure",
       "is missing"},
  };
  for (const auto& [metric, field, message] : cases)
    EXPECT_TRUE(says(lint_text(stage(metric)), "10: " + kMetric + "." + field + ": ", message))
        << metric << "\n"
        << fmt::format("{}", fmt::join(lint_text(stage(metric)), "\n"));
}

TEST(LintPipecd, StagesHaveKnownNamesAndADuration) {
  const Lines lines = lint_text(application(
      "    - {name: K8S_SYNC}\n    - {}\n    - {name: ANALYSIS}\n    - {name: WAIT, wit: 1}\n"));
  EXPECT_TRUE(says(lines, "7: spec.pipeline.stages[0].name", "unsupported stage name: K8S_SYNC"));
  EXPECT_TRUE(says(lines, "8: spec.pipeline.stages[1].name", "is missing"));
  EXPECT_TRUE(says(lines, "9: spec.pipeline.stages[2].with.duration", "is missing"));
  EXPECT_TRUE(says(lines, "warning 10: spec.pipeline.stages[3].wit", "did you mean with?"));
}

TEST(LintPipecd, WithPluginsAnApplicationMayHaveStagesOfTheirs) {
  for (const char* kind : {"Application", "KubernetesApp"})
    EXPECT_EQ(lint_text(std::string("apiVersion: pipecd.dev/v1beta1\nkind: ") + kind +
                        "\nspec: {plugins: {kubernetes_multicluster: {}}, pipeline: {stages: "
                        "[{name: K8S_MULTI_SYNC}]}}"),
              Lines{})
        << kind;
}

TEST(LintPipecd, WarnsOfWhatAStrategyPassesOver) {
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {"{strategy: PREVIOUS, provider: p, interval: 10m, query: q, expected: {max: 1}}", "expected",
       "serves THRESHOLD only"},
      {"{provider: p, interval: 5m, query: q, expected: {max: 1}, deviation: HIGH}", "deviation",
       "serves comparisons only"},
      {"{strategy: CANARY_PRIMARY, provider: p, interval: 10m, query: '{{.Variant}}'}", "strategy",
       "write CANARY_BASELINE"},
      {"{strategy: CANARY_BASELINE, provider: p, interval: 10m, query: '{{.Variant}}'}", "strategy",
       "no baseline runs here"},
      {"{strategy: CANARY_BASELINE, provider: p, interval: 10m, query: q}", "query",
       "the same for both variants"},
      {"{strategy: PREVIOUS, provider: p, interval: 10m, query: 'rate(x[10m])'}", "query",
       "the range [10m] is longer than the 1m between points"},
      {"{strategy: PREVIOUS, provider: p, interval: 2m, query: q, method: mann-whitney}",
       "interval", "3 points a side, of which mann-whitney can never fail"},
      {"{strategy: PREVIOUS, provider: p, interval: 20m, query: q}", "", ""},
      {"{provider: p, interval: 60, expected: {max: 1}, query: q}", "interval",
       "60 nanoseconds; write 60s"},
      {"{provider: p, interval: 1h, expected: {max: 1}, query: q}", "interval",
       "nothing is ever evaluated"},
      {"{template: {name: a, args: {b: 1}}, query: q}", "template.args", "appArgs"},
      {"{template: {name: a}, query: q}", "query", "is the template's"},
  };
  for (const auto& [metric, field, message] : cases) {
    const Lines lines = lint_text(stage(metric));
    if (field.empty()) {
      EXPECT_EQ(lines, Lines{}) << metric;
      continue;
    }
    EXPECT_TRUE(says(lines, "warning 10: " + kMetric + "." + field + ": ", message))
        << metric << "\n"
        << fmt::format("{}", fmt::join(lines, "\n"));
  }
}

TEST(LintPipecd, FewPointsOverTheWholeStageAreTooFew) {
  EXPECT_TRUE(
      says(lint_text(stage("{strategy: PREVIOUS, provider: p, interval: 1m, query: q}", "4m")),
           "warning 10: " + kMetric + ".interval: ", "about 4 points a side"));
}

TEST(LintPipecd, ComparesWhoRunsWhenTheStageBegins) {
  const std::string metric =
      "with: {duration: 30m, metrics: [{strategy: CANARY_BASELINE, provider: p, interval: 10m, "
      "query: '{{.Variant}}'}]}";
  const std::string analysis = "    - name: ANALYSIS\n      " + metric + "\n";
  const std::string canary = "    - {name: K8S_CANARY_ROLLOUT, with: {replicas: 20%}}\n";
  const std::string baseline = "    - {name: K8S_BASELINE_ROLLOUT, with: {replicas: 20%}}\n";
  EXPECT_EQ(lint_text(application(canary + baseline + analysis)), Lines{});
  EXPECT_TRUE(says(lint_text(application(baseline + analysis)), "warning", "no canary runs here"));
  EXPECT_TRUE(says(
      lint_text(application(canary + baseline + "    - {name: K8S_BASELINE_CLEAN}\n" + analysis)),
      "warning", "no baseline runs here"));
  EXPECT_TRUE(says(
      lint_text(application(canary + "    - {name: K8S_BASELINE_ROLLOUT, with: {replicas: 1}}\n" +
                            analysis)),
      "warning", "the canary has 20% replicas and the baseline 1"));
}

TEST(LintPipecd, ASmallCanaryAgainstThePrimaryIsUnequal) {
  const std::string analysis =
      "    - name: ANALYSIS\n      with: {duration: 30m, metrics: [{strategy: CANARY_PRIMARY, "
      "provider: p, interval: 10m, query: '{{.Variant}}'}]}\n";
  const std::string canary = "    - {name: K8S_CANARY_ROLLOUT, with: {replicas: 10%}}\n";
  EXPECT_TRUE(
      says(lint_text(application(canary + analysis)), "warning", "gets about 9% of the traffic"));
  EXPECT_TRUE(says(
      lint_text(application(canary + "    - {name: K8S_TRAFFIC_ROUTING, with: {canary: 25}}\n" +
                            analysis)),
      "warning", "gets about 25% of the traffic"));
  EXPECT_FALSE(says(
      lint_text(application(canary + "    - {name: K8S_TRAFFIC_ROUTING, with: {canary: 50}}\n" +
                            analysis)),
      "warning", "of the traffic"));
}

TEST(LintPipecd, ProvidersHaveATypeAndWhatItNeeds) {
  const Lines lines = lint_text(R"(apiVersion: pipecd.dev/v1beta1
kind: Piped
spec:
  analysisProviders:
    - {name: a, type: PROMETHEUS, config: {usernameFile: u}}
    - {name: b, type: DATADOG, config: {address: 'https://x', apiKeyData: '!!', apiKeyFile: f}}
    - {name: b, type: NEWRELIC}
  plugins:
    - {name: analysis, config: {analysisProviders: [{name: c, type: X}]}}
)");
  const std::string at = "spec.analysisProviders";
  EXPECT_TRUE(says(lines, "5: " + at + "[0].config.address", "is missing"));
  EXPECT_TRUE(says(lines, "warning 5: " + at + "[0].config", "together only"));
  EXPECT_TRUE(says(lines, "6: " + at + "[1].config.apiKeyFile", "both of"));
  EXPECT_TRUE(says(lines, "6: " + at + "[1].config.apiKeyData", "is no base64"));
  EXPECT_TRUE(says(lines, "6: " + at + "[1].config.applicationKeyFile", "neither of"));
  EXPECT_TRUE(says(lines, "warning 6: " + at + "[1].config.address", "it knows datadoghq.com"));
  EXPECT_TRUE(says(lines, "7: " + at + "[2].type", "\"NEWRELIC\" is no type"));
  EXPECT_TRUE(says(lines, "warning 7: " + at + "[2].name", "an earlier provider"));
  EXPECT_TRUE(says(lines, "9: spec.plugins[0].config.analysisProviders[0].type", "\"X\""));
}

TEST(LintPipecd, OnlyTheFirstDocumentIsReadByPipecd) {
  const auto document = one_document(stage("{template: {name: a}}"));
  EXPECT_TRUE(lint_pipecd(document).empty());
  ASSERT_EQ(lint_pipecd(document, 1).size(), 1u);
  EXPECT_NE(lint_pipecd(document, 1)[0].message.find("first document"), std::string::npos);
}

TEST(LintPipecd, OtherGroupsAreNotItsBusiness) {
  EXPECT_TRUE(lint_pipecd(one_document("apiVersion: v1\nkind: Pod\nspec: {x: 1}")).empty());
  EXPECT_EQ(lint_text("apiVersion: pipecd.dev/v1beta1\nkind: Nonsense"),
            Lines{"2: kind: \"Nonsense\" is no kind of PipeCD's files"});
}

TEST(LongestRange, IsTheLongestInBrackets) {
  using namespace std::chrono;
  const std::pair<const char*, Duration> cases[] = {
      {"rate(x[5m])", minutes(5)},
      {"rate(x[1m]) / rate(y[1h30m])", minutes(90)},
      {"max_over_time(rate(x[1m])[2h:1m])", hours(2)},
      {"x[1d]", hours(24)},
      {"x{a=\"[10m\"}", Duration{}},
      {"up", Duration{}},
      {"x[]", Duration{}},
      {"x[5]", Duration{}},
      {"x[99999999999999999999h]", Duration{}},
      {"x[99999999999999h]", Duration{}},
  };
  for (const auto& [query, want] : cases) EXPECT_EQ(pipecd::longest_range(query), want) << query;
}

TEST(LintPipecd, SaysThatAStageIsTooShortForItsRanges) {
  const std::string begin = "{strategy: PREVIOUS, provider: prom, interval: 10m, query: ";
  const std::string interval = "warning 10: " + kMetric + ".interval: ";
  EXPECT_TRUE(says(lint_text(stage(begin + "'rate(a[10m])'}")), interval,
                   "too short for points that share their range"));
  EXPECT_TRUE(says(lint_text(stage(begin + "'rate(a[10m])', method: signed-rank}")), interval,
                   "gives about 2 points a side that do not share their range"));
  EXPECT_FALSE(says(lint_text(stage(begin + "'rate(a[1m])'}")), interval, ""));
}

TEST(LintPipecd, SaysThatALimitCanNeverBePassed) {
  const std::string begin = "{provider: prom, interval: 10m, query: q, ";
  const auto told = [&](const std::string& rest) {
    return says(lint_text(stage(begin + rest)), "warning 10: " + kMetric + ".failureLimit: ",
                "is not below the 2 evaluations: it can never fail");
  };
  EXPECT_TRUE(told("expected: {max: 1}, failureLimit: 2}"));
  EXPECT_FALSE(told("expected: {max: 1}, failureLimit: 1}"));
  EXPECT_FALSE(told("strategy: PREVIOUS, failureLimit: 2}"));
}

TEST(LintPipecd, AQueryThatNamesAnArgumentNobodyGivesIsDoubted) {
  const std::string begin = "{strategy: CANARY_BASELINE, provider: prom, interval: 5m, ";
  const auto doubted = [&](const std::string& query, const std::string& args) {
    return says(lint_text(stage(begin + args + "query: '" + query + "'}")), "warning",
                "<no value>");
  };
  const std::string given = "canaryArgs: {bar: a}, baselineArgs: {bar: b}, ";
  EXPECT_TRUE(doubted("q{bar=\"{{ .VariantArgs.brr }}\"}", given));
  EXPECT_TRUE(doubted("q{bar=\"{{ .VariantArgs.bar }}\"}", "canaryArgs: {bar: a}, "));
  EXPECT_TRUE(doubted("q{bar=\"{{ .AppArgs.bar }}\"}", given));
  EXPECT_FALSE(doubted("q{bar=\"{{ .VariantArgs.bar }}\"}", given));
  // Of a template, the stage that uses it gives the application's arguments.
  EXPECT_EQ(lint_text(kTemplates), Lines());
}

}  // namespace
}  // namespace slipway::analysis
