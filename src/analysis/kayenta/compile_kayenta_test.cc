#include "analysis/kayenta/compile_kayenta.h"

#include <gtest/gtest.h>

#include "analysis/run_rules.h"

namespace slipway::analysis {
namespace {

using namespace std::chrono_literals;
using api::argo::Metric;

const Time kNow = *parse_time("2026-03-01T12:00:00Z");

constexpr std::string_view kConfig = R"x({
  "name": "Shop_canary,1", "configVersion": "1", "applications": ["shop"],
  "judge": {"name": "NetflixACAJudge-v1.0", "judgeConfigurations": {}},
  "metrics": [
    {"name": "errors", "groups": ["Errors"], "scopeName": "default",
     "query": {"type": "prometheus",
               "customInlineTemplate": "PromQL:sum(rate(e{v=\"${scope}\"}[1m]))"},
     "analysisConfigurations": {"canary": {"direction": "increase", "critical": true}}},
    {"name": "cpu", "groups": ["System"], "scopeName": "hosts",
     "query": {"type": "datadog", "metricName": "avg:cpu"}}],
  "classifier": {"groupWeights": {"Errors": 60, "System": 40},
                 "scoreThresholds": {"pass": 90, "marginal": 70}}})x";

Result<Compiled> compile(std::map<std::string, std::string> args, std::string_view text = kConfig) {
  auto options = kayenta_options(args, kNow);
  if (!options) return std::unexpected(options.error());
  auto compiled = compile_kayenta(*json::read(text), *options);
  // What is compiled can be run.
  if (compiled) {
    auto rules = rules_of(compiled->spec);
    EXPECT_TRUE(rules) << rules.error().text();
  }
  return compiled;
}

std::map<std::string, std::string> usual() {
  return {{"controlScope", "v1"},
          {"experimentScope", "v2"},
          {"hosts.controlScope", "host:a"},
          {"address", "http://prometheus:9090"}};
}

TEST(CompileKayenta, AsksBothScopesOfEveryMetric) {
  auto compiled = compile(usual());
  ASSERT_TRUE(compiled) << compiled.error().text();
  EXPECT_EQ(compiled->name, "shop-canary-1");
  ASSERT_EQ(compiled->spec.metrics.size(), 1u);
  const Metric& metric = compiled->spec.metrics[0];
  EXPECT_EQ(metric.name, "Shop_canary,1");
  EXPECT_EQ(metric.initial_delay.text, "1h0m0s");
  EXPECT_EQ(metric.count, api::IntOrString::of(1));
  const auto& score = *metric.provider.score;
  EXPECT_EQ(score.pass, 90);
  EXPECT_EQ(score.marginal, 70);
  EXPECT_EQ(score.window.text, "1h0m0s");
  EXPECT_EQ(score.step.text, "1m0s");
  EXPECT_TRUE(json::same(score.config.value, *json::read(kConfig)));
  ASSERT_EQ(score.pairs.size(), 2u);
  EXPECT_EQ(score.pairs[0].name, "errors");
  EXPECT_EQ(score.pairs[0].control.source->query, R"x(sum(rate(e{v="v1"}[1m])))x");
  EXPECT_EQ(score.pairs[0].experiment.source->query, R"x(sum(rate(e{v="v2"}[1m])))x");
  EXPECT_EQ(score.pairs[0].control.source->type, "prometheus");
  EXPECT_EQ(score.pairs[0].control.source->address, "http://prometheus:9090");
  EXPECT_EQ(score.pairs[1].control.source->query, "avg:cpu{host:a}");
  EXPECT_EQ(score.pairs[1].experiment.source->query, "avg:cpu{v2}");
}

TEST(CompileKayenta, StopsAtMarginalBeforeTheLastLook) {
  auto args = usual();
  args["lifetime"] = "60";
  args["interval"] = "10m";
  args["pass"] = "95";
  args["step"] = "30";
  auto compiled = compile(args);
  ASSERT_TRUE(compiled) << compiled.error().text();
  ASSERT_EQ(compiled->spec.metrics.size(), 2u);
  const Metric& before = compiled->spec.metrics[0];
  EXPECT_EQ(before.name, "Shop_canary,1 so far");
  EXPECT_EQ(before.count, api::IntOrString::of(5));
  EXPECT_EQ(before.interval.text, "10m0s");
  EXPECT_EQ(before.provider.score->pass, 70);
  EXPECT_TRUE(before.provider.score->window.empty());
  EXPECT_EQ(before.provider.score->step.text, "30s");
  const Metric& last = compiled->spec.metrics[1];
  EXPECT_EQ(last.initial_delay.text, "1h0m0s");
  EXPECT_EQ(last.provider.score->pass, 95);
}

TEST(CompileKayenta, LooksBackAtTwoTimes) {
  auto args = usual();
  args["start"] = "2026-03-01T09:00:00Z";
  args["end"] = "2026-03-01T10:00:00Z";
  args["controlOffset"] = "24h";
  auto compiled = compile(args);
  ASSERT_TRUE(compiled) << compiled.error().text();
  const Metric& metric = compiled->spec.metrics.at(0);
  EXPECT_TRUE(metric.initial_delay.empty());
  EXPECT_EQ(metric.provider.score->pairs[0].experiment.ago.text, "2h0m0s");
  EXPECT_EQ(metric.provider.score->pairs[0].control.ago.text, "26h0m0s");
}

TEST(CompileKayenta, WarnsWhenBothSidesAskTheSame) {
  auto args = usual();
  args["experimentScope"] = "v1";
  auto compiled = compile(args);
  ASSERT_TRUE(compiled);
  ASSERT_EQ(compiled->warnings.size(), 1u);
  EXPECT_EQ(compiled->warnings[0],
            "\"errors\" asks the same of control and experiment, so they cannot differ");
}

TEST(CompileKayenta, TakesKayentasOwnRequest) {
  const std::string text = R"x({"canaryConfig": )x" + std::string(kConfig) + R"x(,
    "executionRequest": {"thresholds": {"pass": 80, "marginal": 50}, "scopes": {"default": {
      "controlScope": {"scope": "c", "location": "eu", "start": "2026-03-01T07:00:00Z",
                       "end": "2026-03-01T08:00:00Z", "step": 60},
      "experimentScope": {"scope": "e", "location": "eu", "start": "2026-03-01T09:00:00Z",
                          "end": "2026-03-01T10:00:00Z", "step": 120}}}}})x";
  EXPECT_TRUE(is_kayenta_config(*json::read(text)));
  auto compiled = compile({{"prometheus.address", "http://p"}}, text);
  ASSERT_TRUE(compiled) << compiled.error().text();
  const auto& score = *compiled->spec.metrics.at(0).provider.score;
  EXPECT_EQ(score.pass, 80);
  EXPECT_EQ(score.step.text, "2m0s");
  EXPECT_EQ(score.pairs[0].control.source->query, R"x(sum(rate(e{v="c"}[1m])))x");
  EXPECT_EQ(score.pairs[0].control.ago.text, "4h0m0s");
  EXPECT_EQ(score.pairs[0].experiment.ago.text, "2h0m0s");
}

TEST(CompileKayenta, TakesAStandaloneRequest) {
  KayentaOptions options{.now = kNow};
  auto read = read_kayenta_request(*json::read(R"x({
    "lifetimeDurationMins": 90, "analysisIntervalMins": 30, "beginAfterMins": 5, "lookbackMins": 0,
    "scopes": [{"scopeName": "default", "controlScope": "c", "controlLocation": "us",
                "experimentScope": "e", "experimentLocation": "us", "step": 60,
                "extendedScopeParams": {"v": 1}}],
    "thresholds": {"pass": 75, "marginal": 50}})x"),
                                   options);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(options.lifetime, 90min);
  EXPECT_EQ(options.interval, 30min);
  EXPECT_EQ(options.begin_after, 5min);
  EXPECT_EQ(options.scopes["default"].control.scope, "c");
  EXPECT_EQ(options.scopes["default"].experiment.location, "us");
  EXPECT_EQ(options.scopes["default"].experiment.extended["v"], "1");
  EXPECT_EQ(options.pass, 75);
}

TEST(CompileKayenta, RefusesWithTheFieldOrArgument) {
  auto with = [](std::string key, std::string value) {
    auto args = usual();
    args[key] = value;
    return args;
  };
  const struct {
    std::map<std::string, std::string> args;
    std::string where;
  } cases[] = {
      {with("lifetime", "soon"), "lifetime"},
      {with("start", "yesterday"), "start"},
      {with("pass", "high"), "pass"},
      {with("interval", "1s"), "interval"},
      {with("controlScope", ""), "metrics[0].query.customInlineTemplate"},
      {{{"controlScope", "a"}, {"experimentScope", "b"}}, "metrics[0].query"},
  };
  for (const auto& row : cases) {
    auto compiled = compile(row.args);
    ASSERT_FALSE(compiled) << row.where;
    EXPECT_EQ(compiled.error().where, row.where) << compiled.error().message;
  }
  EXPECT_EQ(compile(usual(), R"x({"metrics": []})x").error().where, "metrics");
}

TEST(KayentaOptions, GivesOtherArgumentsToTheScopes) {
  auto options =
      kayenta_options({{"env", "prod"}, {"control.pod", "a"}, {"experiment.pod", "b"}}, kNow);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->scopes["default"].control.extended["env"], "prod");
  EXPECT_EQ(options->scopes["default"].control.extended["pod"], "a");
  EXPECT_EQ(options->scopes["default"].experiment.extended["pod"], "b");
}

TEST(KayentaConfig, IsKnownByItsMetrics) {
  EXPECT_TRUE(is_kayenta_config(*json::read(kConfig)));
  for (const std::string_view text : {R"x({"kind":"Canary","metrics":[{"query":{"type":"x"}}]})x",
                                      R"x({"metrics":[{"name":"a"}]})x", R"x([1])x", R"x({})x",
                                      R"x({"metrics":{"query":{"type":"x"}}})x"})
    EXPECT_FALSE(is_kayenta_config(*json::read(text))) << text;
}

}  // namespace
}  // namespace slipway::analysis
