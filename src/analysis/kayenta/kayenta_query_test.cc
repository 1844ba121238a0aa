#include "analysis/kayenta/kayenta_query.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

const KayentaScope kScope{
    .scope = "app-v1", .location = "eu-west1", .extended = {{"zone", "b"}, {"project", "shop"}}};

Result<KayentaQuery> built(std::string_view query, std::string_view templates = "{}",
                           const KayentaScope& scope = kScope) {
  const json::Value named = *json::read(templates);
  return kayenta_query(json::read(query)->get_object(), &named, scope, 60, "metrics[0].query");
}

TEST(ExpandVariables, PutsInWhatTheScopeSays) {
  const struct {
    std::string_view text, out;
  } cases[] = {
      {"${scope}/${location}", "app-v1/eu-west1"},
      {"$\\{scope}", "app-v1"},
      {"${ zone }", "b"},
      {"${none!\"x\"} ${none!'y'} ${zone!\"x\"}", "x y b"},
      {"{scope} $scope", "{scope} $scope"},
      {"", ""},
  };
  for (const auto& row : cases) {
    auto out = expand_variables(row.text, kScope, {});
    ASSERT_TRUE(out) << out.error().text();
    EXPECT_EQ(*out, row.out);
  }
}

TEST(ExpandVariables, DoesNotLookAgainAtWhatItPutIn) {
  auto out = expand_variables("${scope}", {.scope = "${location}"}, {});
  ASSERT_TRUE(out);
  EXPECT_EQ(*out, "${location}");
}

TEST(ExpandVariables, NamesTheVariablesThereAre) {
  auto out = expand_variables("${zoen}", kScope, {});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().message, "${zoen} has no value; known are: location, project, scope, zone");
  EXPECT_EQ(expand_variables("${scope", kScope, {}).error().message, "\"${\" without \"}\"");
}

TEST(KayentaQuery, IsBuiltAsKayentaBuildsIt) {
  const struct {
    std::string_view query, provider, text;
  } cases[] = {
      {R"x({"type":"prometheus","metricName":"cpu","customInlineTemplate":"app=\"${scope}\""})x",
       "prometheus", R"x(avg(cpu{app="app-v1"}))x"},
      {R"x({"type":"prometheus","metricName":"cpu","customFilterTemplate":"mine",
           "labelBindings":["env=\"prod\""],"groupByFields":["code","le"]})x",
       "prometheus", R"x(avg(cpu{pod=~"app-v1-.*",env="prod"}) by (code,le))x"},
      {R"x({"type":"prometheus","customInlineTemplate":"PromQL:sum(rate(x{v=\"${scope}\"}[1m]))"})x",
       "prometheus", R"x(sum(rate(x{v="app-v1"}[1m])))x"},
      {R"x({"type":"prometheus","metricName":"cpu","customInlineTemplate":"a=\"1\"",
           "customFilterTemplate":"mine"})x",
       "prometheus", R"x(avg(cpu{a="1"}))x"},
      {R"x({"type":"prometheus","metricName":"cpu","resourceType":"gce_instance",
           "labelBindings":["x=\"y\""]})x",
       "prometheus",
       R"x(avg(cpu{x="y",instance=~"app-v1-.{4}",zone=~".+/projects/shop/zones/eu-west1-.{1}"}))x"},
      {R"x({"type":"prometheus","metricName":"cpu","resourceType":"aws_ec2_instance"})x",
       "prometheus", R"x(avg(cpu{asg_groupName="app-v1",zone=~"eu-west1.{1}"}))x"},
      {R"x({"type":"prometheus","metricName":"cpu","labelBindings":["v=\"${scope}\""]})x",
       "prometheus", R"x(avg(cpu{v="app-v1"}))x"},
      {R"x({"type":"datadog","metricName":"avg:cpu"})x", "datadog", "avg:cpu{app-v1}"},
      {R"x({"type":"datadog","metricName":"hits","tags":["a:b"],"metricType":"COUNT"})x", "datadog",
       "sum:hits{app-v1,a:b}.as_count()"},
      {R"x({"type":"datadog","metricName":"x","customInlineTemplate":"sum:e{v:${scope}}"})x",
       "datadog", "sum:e{v:app-v1}"},
      {R"x({"type":"graphite","metricName":"servers.$scope.cpu&x"})x", "graphite",
       R"x(target=template(servers.$scope.cpu%26x,scope%3D"app-v1",location%3D"eu-west1"))x"},
      {R"x({"type":"wavefront","metricName":"cpu","aggregate":"avg"})x", "wavefront",
       "avg(ts(cpu, app-v1))"},
      {R"x({"type":"signalfx","metricName":"cpu","queryPairs":[{"key":"v","value":"1"}],
           "aggregationMethod":"max"})x",
       "splunk", "data('cpu', filter=filter('v', '1')).max().publish()"},
      {R"x({"type":"influxdb","customInlineTemplate":"from(bucket: \"${scope}\")"})x", "influxdb",
       R"x(from(bucket: "app-v1"))x"},
      {R"x({"type":"stackdriver","customInlineTemplate":"fetch k8s_container::x"})x", "stackdriver",
       "fetch k8s_container::x"},
  };
  for (const auto& row : cases) {
    auto query = built(row.query, R"x({"mine":"pod=~\"${scope}-.*\""})x");
    ASSERT_TRUE(query) << row.query << ": " << query.error().text();
    EXPECT_EQ(query->provider, row.provider);
    EXPECT_EQ(query->text, row.text);
  }
}

TEST(KayentaQuery, AsksNewRelicForATimeSeries) {
  const KayentaScope scope{.scope = "app-v1",
                           .extended = {{"region", "eu"}, {"_scope_key", "asg"}}};
  EXPECT_EQ(
      built(R"x({"type":"newrelic","select":"SELECT count(*) FROM Transaction",
                      "q":"code >= '500'"})x",
            "{}", scope)
          ->text,
      "SELECT count(*) FROM Transaction WHERE code >= '500' AND region LIKE 'eu' AND asg LIKE "
      "'app-v1' TIMESERIES 60 seconds");
  EXPECT_EQ(
      built(R"x({"type":"newrelic","customInlineTemplate":"SELECT x FROM y WHERE a='${scope}'"})x")
          ->text,
      "SELECT x FROM y WHERE a='app-v1' TIMESERIES 60 seconds");
}

TEST(KayentaQuery, RefusesWhatItCannotBuild) {
  const struct {
    std::string_view query, where;
  } cases[] = {
      {R"x({"type":"atlas","q":"name,cpu,:eq"})x", "metrics[0].query.type"},
      {R"x({"metricName":"cpu"})x", "metrics[0].query.type"},
      {R"x({"type":"prometheus","metricName":"cpu","customFilterTemplate":"gone"})x",
       "metrics[0].query.customFilterTemplate"},
      {R"x({"type":"prometheus","metricName":"cpu","customInlineTemplate":"${nobody}"})x",
       "metrics[0].query.customInlineTemplate"},
      {R"x({"type":"prometheus","metricName":"cpu","customFilter":"x"})x",
       "metrics[0].query.customFilter"},
      {R"x({"type":"prometheus","metricName":"cpu"})x", "metrics[0].query"},
      {R"x({"type":"prometheus","metricName":"cpu","resourceType":"vm"})x",
       "metrics[0].query.resourceType"},
      {R"x({"type":"prometheus","customInlineTemplate":"a=\"1\""})x",
       "metrics[0].query.metricName"},
      {R"x({"type":"influxdb","metricName":"cpu","fields":["a"]})x",
       "metrics[0].query.customInlineTemplate"},
      {R"x({"type":"signalfx","metricName":"cpu"})x", "metrics[0].query"},
  };
  for (const auto& row : cases) {
    auto query = built(row.query);
    ASSERT_FALSE(query) << row.query;
    EXPECT_EQ(query.error().where, row.where) << query.error().message;
  }
}

}  // namespace
}  // namespace slipway::analysis
