#include <cmath>

#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

constexpr std::string_view kForm = "Content-Type: application/x-www-form-urlencoded\n";
const std::string kHundred =
    R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{"a":"b"},"value":[1545905245.458,"100"]}]}})";

class Prometheus : public ProviderTest {
 protected:
  ProviderSpec spec() { return {.type = "prometheus", .address = server_.url()}; }
};

TEST_F(Prometheus, PostsAnInstant) {
  server_.answer(200, kHundred);
  auto answer = ask(spec(), {.text = "sum(x) > 1", .at = at_seconds(1700000000)});
  EXPECT_EQ(text_of(answer), "a=b 100@1545905245");
  EXPECT_EQ(answer->shape, Answer::Shape::kVector);
  EXPECT_EQ(server_.requests.at(0), request_text("POST /api/v1/query", std::string(kForm),
                                                 "query=sum%28x%29+%3E+1&time=1700000000"));
}

TEST_F(Prometheus, LeavesTheTimeToTheServerUnlessToldOne) {
  server_.answer(200, kHundred);
  ASSERT_TRUE(ask(spec(), {.text = "x"}));
  EXPECT_EQ(server_.requests.at(0),
            request_text("POST /api/v1/query", std::string(kForm), "query=x"));
}

TEST_F(Prometheus, PostsARangeAndKeepsThePathOfTheAddress) {
  server_.answer(
      200,
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"1"],[61,"NaN"]]}]}})");
  ProviderSpec with_path{.type = "prometheus", .address = server_.url("/prom/?x=1")};
  Range range{.from = at_seconds(1700000000), .to = at_seconds(1700000060) + 250ms, .step = 1500ms};
  auto answer = ask(with_path, {.text = "x", .range = range});
  ASSERT_TRUE(answer) << answer.error().text();
  ASSERT_EQ(answer->series.size(), 1U);
  EXPECT_TRUE(std::isnan(answer->series[0].points.at(1).value));
  EXPECT_EQ(server_.requests.at(0),
            request_text("POST /prom/api/v1/query_range", std::string(kForm),
                         "end=1700000060.25&query=x&start=1700000000&step=1.5"));
}

TEST_F(Prometheus, AsksAgainByGetWherePostIsNotAllowed) {
  for (int status : {403, 405, 501}) {
    RecordingServer server(*loop_);
    server.answer(status, "no");
    server.answer(200, kHundred);
    auto answer = ask({.type = "prometheus", .address = server.url()}, {.text = "a b"});
    EXPECT_EQ(text_of(answer), "a=b 100@1545905245") << status;
    EXPECT_EQ(server.requests.at(1), request_text("GET /api/v1/query?query=a+b", ""));
  }
}

TEST_F(Prometheus, SignsInWithTokenBasicHeadersOrAddress) {
  server_.answer(200, kHundred);
  auto headers_of = [this](ProviderSpec with) {
    EXPECT_TRUE(ask(std::move(with), {.text = "x"}));
    return server_.requests.back();
  };
  ProviderSpec token = spec();
  token.credentials = Credentials{{"token", "t0ken"}, {"username", "u"}, {"password", "p"}};
  token.headers = {{"X-Scope-OrgID", "42"}, {"Authorization", "replaced"}};
  EXPECT_EQ(headers_of(token), request_text("POST /api/v1/query",
                                            "X-Scope-OrgID: 42\n" + std::string(kForm) +
                                                "Authorization: Bearer t0ken\n",
                                            "query=x"));
  ProviderSpec secret = spec();
  secret.credentials = Credentials{{"username", "user"}, {"password", "pass"}};
  ProviderSpec named = spec();
  named.basic = BasicAuth{"user", "pass"};
  ProviderSpec address{.type = "prometheus", .address = "http://user:pass@" + server_.host()};
  for (const ProviderSpec& one : {named, address, secret}) {
    std::string got = headers_of(one);
    EXPECT_NE(got.find("Authorization: Basic dXNlcjpwYXNz\n"), std::string::npos) << got;
    EXPECT_EQ(got.find("Authorization"), got.rfind("Authorization"));
  }
}

// The manifest may leave the address to the environment.
TEST_F(Prometheus, SignsForAwsWhereTheAddressIsOneOfTheirs) {
  server_.answer(200, kHundred);
  environment_["AWS_ACCESS_KEY_ID"] = "AKID";
  environment_["AWS_SECRET_ACCESS_KEY"] = "secret";
  const std::string theirs = server_.url("/aps-workspaces/x");
  const auto is_signed = [this](const std::string& address, const std::string& otherwise) {
    environment_["ARGO_ROLLOUTS_PROMETHEUS_ADDRESS"] = otherwise;
    ProviderSpec one{.type = "prometheus", .address = address};
    one.sigv4 = SigV4{.region = "eu-west-1"};
    EXPECT_TRUE(ask(std::move(one), {.text = "x"}));
    return server_.requests.back().contains("/eu-west-1/aps/aws4_request");
  };
  EXPECT_TRUE(is_signed(theirs, ""));
  EXPECT_TRUE(is_signed("", theirs));
  EXPECT_FALSE(is_signed(server_.url(), theirs));
  EXPECT_FALSE(is_signed("", server_.url()));
}

TEST_F(Prometheus, RefusesSpecsWithTheDialectsWords) {
  EXPECT_EQ(refusal({.type = "prometheus"}), "prometheus address is not configured");
  EXPECT_EQ(refusal({.type = "prometheus", .address = ":::"}),
            "prometheus address ::: is not a valid URL; write http://HOST or https://HOST");
  EXPECT_EQ(refusal({.type = "prometheus", .address = "ftp://x"}),
            "prometheus address ftp://x is not a valid URL: unsupported protocol scheme \"ftp\"; "
            "write http://HOST or https://HOST");
  ProviderSpec half = spec();
  half.credentials = Credentials{{"username", "u"}};
  EXPECT_EQ(refusal(half), "prometheus credentials does not contain a password");
  half.credentials = Credentials{};
  EXPECT_EQ(refusal(half), "prometheus credentials does not contain a username");
  half.credentials = Credentials{{"ca.crt", "x"}};
  EXPECT_EQ(refusal(half), "made");
  half.credentials.reset();
  half.oauth2 = OAuth2{.token_url = "http://x", .client_id = "", .client_secret = "y"};
  EXPECT_EQ(refusal(half), "missing mandatory parameter in metric for OAuth2 setup");
  EXPECT_EQ(refusal({.type = "signoz"}),
            "provider type \"signoz\" is not known; it is one of cloudwatch, datadog, dynatrace, "
            "externalmetrics, google_logs, graphite, http_check, influxdb, keptn, newrelic, "
            "prometheus, skywalking, splunk, stackdriver, wavefront, web");
  environment_["ARGO_ROLLOUTS_PROMETHEUS_ADDRESS"] = "http://prometheus:9090";
  EXPECT_EQ(refusal({.type = "prometheus"}), "made");
}

TEST_F(Prometheus, TellsErrorsApart) {
  const std::tuple<int, std::string, std::string> cases[] = {
      {400, R"({"status":"error","errorType":"bad_data","error":"parse error"})",
       "invalid: bad_data: parse error"},
      {422, R"({"status":"error","errorType":"execution","error":"too many samples"})",
       "invalid: execution: too many samples"},
      {503, R"({"status":"error","errorType":"timeout","error":"query timed out"})",
       "timeout: timeout: query timed out"},
      {503, "upstream gone",
       "unavailable: error response: Status 503 Service Unavailable: upstream gone"},
      {429, "slow down",
       "too_many_requests: error response: Status 429 Too Many Requests: slow down"},
      {401, "", "unauthorized: error response: Status 401 Unauthorized"},
      {404, "page", "not_found: error response: Status 404 Not Found: page"},
      {200, R"({"status":"error","errorType":"internal","error":"x"})", "unavailable: internal: x"},
  };
  for (const auto& [status, body, want] : cases) {
    RecordingServer server(*loop_);
    server.answer(status, body);
    std::string got = text_of(ask({.type = "prometheus", .address = server.url()}, {.text = "x"}));
    if (want.ends_with(':')) got.resize(std::min(got.size(), want.size()));
    EXPECT_EQ(got, want) << status;
  }
}

TEST_F(Prometheus, IsOnlineWhenVectorOneIsOne) {
  server_.answer(
      200, R"({"status":"success","data":{"resultType":"vector","result":[{"value":[1,"1"]}]}})");
  EXPECT_EQ(online(spec()), "online");
  EXPECT_EQ(server_.requests.at(0),
            request_text("POST /api/v1/query", std::string(kForm), "query=vector%281%29"));
  RecordingServer broken(*loop_);
  broken.answer(502, "bad gateway");
  EXPECT_EQ(online({.type = "prometheus", .address = broken.url()}),
            "running query failed: error response: Status 502 Bad Gateway: bad gateway");
}

std::string parsed(std::string_view data) {
  return text_of(
      parse_prometheus_answer("{\"status\":\"success\",\"data\":" + std::string(data) + "}"));
}

TEST(PrometheusAnswer, IsReadByShape) {
  const std::pair<std::string, std::string> cases[] = {
      {R"({"resultType":"scalar","result":[5,"10"]})", "10@5"},
      {R"({"result":[5,"1e3"]})", "1000@5"},
      {R"({"resultType":"vector","result":[]})", "nothing"},
      {R"({"resultType":"vector","result":null})", "nothing"},
      {R"({})", "nothing"},
      {R"({"resultType":"vector","result":[{"metric":{"x":"y"},"value":[5,"0x1p-2"]},{"value":[5,2]}]})",
       "x=y 0.25@5; 2@5"},
      {R"({"result":[{"values":[[1,"1"],[2,"2"]]}]})", "1@1 2@2"},
      {R"({"resultType":"string","result":[5,"x"]})",
       "invalid: Prometheus metric type not supported: string; use a query that gives numbers"},
      {R"({"resultType":"vector","result":[{"value":[5,"1e400"]}]})",
       R"(invalid: error unmarshaling result: a point's value is a number in quotes, found [5,"1e400"])"},
      {R"({"resultType":"vector","result":[{"value":[5,true]}]})",
       R"(invalid: error unmarshaling result: a point's value is a number in quotes, found [5,true])"},
      {R"({"resultType":"vector","result":[7]})",
       "invalid: error unmarshaling result: a series is an object, found 7"},
      {R"({"resultType":"matrix","result":"x"})",
       "invalid: error unmarshaling result: the result is a list, found \"x\""},
      {R"({"resultType":"vector","result":[{"histogram":[1,{}]}]})",
       "invalid: the query gives a native histogram; make it a number, with histogram_quantile() "
       "for example"},
  };
  for (const auto& [data, want] : cases) EXPECT_EQ(parsed(data), want) << data;
  EXPECT_EQ(text_of(parse_prometheus_answer("<html>")).substr(0, 36),
            "invalid: error unmarshaling result: ");
}

TEST(PrometheusAnswer, KeepsInfinitiesAndWarnings) {
  auto answer = parse_prometheus_answer(
      R"({"status":"success","warnings":["w1","w2"],"data":{"resultType":"vector","result":[{"value":[1,"+Inf"]}]}})");
  ASSERT_TRUE(answer);
  EXPECT_TRUE(std::isinf(answer->series[0].points[0].value));
  EXPECT_EQ(answer->warnings, (std::vector<std::string>{"w1", "w2"}));
}

}  // namespace
}  // namespace slipway::metrics
