#include "analysis/asking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/schema/codec.h"

namespace slipway::analysis {
namespace {

using api::argo::CompareSide;
using api::argo::MetricProvider;
using std::chrono::minutes;
using std::chrono::seconds;

const Time kNow = parse_time("2026-03-01T12:00:00Z").value();

MetricProvider provider(std::string_view text) {
  auto decoded = api::decode<MetricProvider>(json::read(text).value());
  EXPECT_TRUE(decoded) << decoded.error().text();
  return decoded.value_or(MetricProvider{});
}

std::string secret_text(const SecretNeed& need) {
  std::string text = (need.own ? "own/" : need.ns.empty() ? "" : need.ns + "/") + need.name;
  for (const auto& name : need.unless_set) text += " unless " + name;
  return text;
}

// "type address | query | timeout [| window/step] [| secret]", or what is wrong.
std::string asked(std::string_view text) {
  auto asking = asking_of(provider(text), minutes(1));
  if (!asking) return asking.error().text();
  auto query = query_of(*asking, kNow);
  if (!query) return query.error().text();
  std::string out = fmt::format("{} {} | {} | {}", asking->spec.type, asking->spec.address,
                                query->text, format_duration(query->timeout));
  if (query->range)
    out += fmt::format(" | {}/{}", format_duration(query->range->to - query->range->from),
                       format_duration(query->range->step));
  if (asking->secret) out += " | " + secret_text(*asking->secret);
  return out;
}

TEST(Asking, EveryProviderIsAskedAsItsManifestSays) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"x({"prometheus":{"address":"http://p","query":"up"}})x", "prometheus http://p | up | 30s"},
      {R"x({"prometheus":{"address":"http://p","query":"up","timeout":7}})x",
       "prometheus http://p | up | 7s"},
      {R"x({"prometheus":{"address":"http://p","query":"up","timeout":-1}})x",
       "prometheus timeout should not be negative"},
      {R"x({"prometheus":{"address":"http://p","query":"up","rangeQuery":
          {"start":"now() - duration(\"1h\")","end":"now()","step":"5m"}}})x",
       "prometheus http://p | up | 30s | 1h0m0s/5m0s"},
      {R"x({"prometheus":{"address":"http://p","query":"up","rangeQuery":
          {"start":"1","end":"now()","step":"5m"}}})x",
       "failed to parse rangeQuery.start as time: expected time.Time, but got int"},
      {R"x({"prometheus":{"address":"http://p","query":"up","rangeQuery":
          {"start":"now()","end":"now()","step":"5"}}})x",
       "failed to parse rangeQuery.step as duration: \"5\" is not a duration; write 10s, 5m or "
       "1h"},
      {R"x({"web":{"url":"http://w/x","jsonPath":"{$.a}","timeoutSeconds":3}})x",
       "web http://w/x | {$.a} | 3s"},
      {R"x({"web":{"url":"http://w/x"}})x", "web http://w/x |  | 10s"},
      {R"x({"datadog":{"query":"q"}})x",
       "datadog  | q | 10s | 5m0s/0s | own/datadog unless DD_API_KEY unless DD_APP_KEY unless "
       "DD_ADDRESS"},
      {R"x({"datadog":{"query":"q","interval":"2m","secretRef":{"name":"dd","namespaced":true}}})x",
       "datadog  | q | 10s | 2m0s/0s | dd"},
      {R"x({"datadog":{"query":"q","secretRef":{"name":"dd"}}})x",
       "datadog  | q | 10s | 5m0s/0s | own/dd"},
      {R"x({"datadog":{"query":"q","secretRef":{"namespaced":true}}})x",
       "secretRef.name is required when secretRef.namespaced is true"},
      {R"x({"datadog":{"interval":"5m"}})x",
       "Must have either a query or queries. Please review the Analysis Template."},
      {R"x({"wavefront":{"address":"w.example","query":"ts(x)"}})x",
       "wavefront w.example | ts(x) | 30s | own/wavefront-api-tokens"},
      {R"x({"newRelic":{"query":"SELECT 1"}})x", "newrelic  | SELECT 1 | 5s | own/newrelic"},
      {R"x({"newRelic":{"profile":"nr","query":"SELECT 1","timeout":9}})x",
       "newrelic  | SELECT 1 | 9s | own/nr"},
      {R"x({"graphite":{"address":"http://g","query":"target=a b"}})x",
       "graphite http://g | target=ab | 10s"},
      {R"x({"influxdb":{"profile":"in","query":"from(x)"}})x",
       "influxdb  | from(x) | 30s | own/in"},
      {R"x({"skywalking":{"address":"http://s","query":"query {}"}})x",
       "skywalking http://s | query {} | 30s | 5m0s/0s"},
      {R"x({"cloudWatch":{"metricDataQueries":[{"id":"a","expression":"b"}]}})x",
       R"(cloudwatch  | [{"id":"a","expression":"b"}] | 30s | 5m0s/0s)"},
      {R"x({"source":{"type":"dynatrace","address":"http://d","query":"q","reading":"flagger",
          "interval":"1m","secretRef":{"name":"dt","namespace":"other"}}})x",
       "dynatrace http://d | q | 5s | 10m0s/0s | other/dt"},
      {R"x({"source":{"type":"prometheus","address":"http://p","query":"q","reading":"pipecd",
          "window":"10m","step":"1m","timeout":"4s"}})x",
       "prometheus http://p | q | 4s | 10m0s/1m0s"},
      {R"x({"source":{"type":"prometheus","query":"q","reading":"keptn"}})x",
       "reading \"keptn\" is not argo, flagger or pipecd"},
      {R"x({"source":{"type":"prometheus","query":"q","window":"soon"}})x",
       "source.window: \"soon\" is not a duration; write 10s, 5m or 1h"},
      {R"x({"traffic":{"service":"web","metric":"errors"}})x",
       "traffic web | errors | 30s | 1m0s/1m0s"},
      {R"x({"traffic":{"service":"web","metric":"errors","window":"5m"}})x",
       "traffic web | errors | 30s | 5m0s/5m0s"},
      {R"x({"traffic":{"service":"web","metric":"errors","window":"soon"}})x",
       "traffic.window: \"soon\" is not a duration; write 10s, 5m or 1h"},
      {R"x({"plugin":{"org/x":{"a":1}}})x",
       "plugin \"org/x\" is a program of Argo Rollouts, which slipway cannot run; ask its source "
       "with provider.web or provider.source"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(asked(text), expected) << text;
}

TEST(Asking, SignsInToPrometheusAsTheManifestSays) {
  auto asking = asking_of(provider(R"x({"prometheus":{"address":"https://p","query":"up",
      "insecure":true,"headers":[{"key":"X-Scope-OrgID","value":"a"}],
      "authentication":{"basicAuth":{"username":"u","password":"pw"},
        "oauth2":{"tokenUrl":"http://t","clientId":"c","clientSecret":"s","scopes":["r"]},
        "sigv4":{"region":"eu-west-1","roleArn":"arn"}}}})x"),
                          {});
  ASSERT_TRUE(asking);
  EXPECT_TRUE(asking->spec.insecure);
  EXPECT_EQ(asking->spec.headers, (metrics::Labels{{"X-Scope-OrgID", "a"}}));
  ASSERT_TRUE(asking->spec.basic);
  EXPECT_EQ(asking->spec.basic->password, "pw");
  EXPECT_EQ(asking->spec.oauth2, (metrics::OAuth2{"http://t", "c", "s", {"r"}}));
  ASSERT_TRUE(asking->spec.sigv4);
  EXPECT_EQ(asking->spec.sigv4->role_arn, "arn");
  auto plain = asking_of(provider(R"x({"prometheus":{"query":"up",
      "authentication":{"sigv4":{"roleArn":"arn"}}}})x"),
                         {});
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->spec.sigv4) << "no region";
}

TEST(Asking, ATimeoutHasAnEnd) {
  auto asking = asking_of(
      provider(R"x({"prometheus":{"address":"http://p","query":"up","timeout":1000000}})x"), {});
  ASSERT_TRUE(asking);
  EXPECT_EQ(asking->timeout, minutes(10));
}

TEST(Asking, ASideIsAskedOverTheLooksRange) {
  CompareSide side;
  side.prometheus = {.address = "http://p", .query = "rate(x[1m])"};
  auto asking = asking_of(side, minutes(1));
  ASSERT_TRUE(asking && *asking);
  const metrics::Range range{.from = kNow - minutes(5), .to = kNow, .step = seconds(30)};
  const metrics::Query query = query_over(**asking, range);
  EXPECT_EQ(query.text, "rate(x[1m])");
  EXPECT_EQ(query.at, kNow);
  ASSERT_TRUE(query.range);
  EXPECT_EQ(query.range->from, kNow - minutes(5));
  EXPECT_EQ(query.range->step, seconds(30));
}

TEST(Asking, ASideWithARecordAloneIsNotAsked) {
  CompareSide side;
  side.recorded.emplace();
  auto asking = asking_of(side, minutes(1));
  ASSERT_TRUE(asking);
  EXPECT_FALSE(*asking);
}

}  // namespace
}  // namespace slipway::analysis
