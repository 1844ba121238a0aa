#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Datadog : public ProviderTest {
 protected:
  ProviderSpec spec() {
    return {.type = "datadog",
            .address = server_.url(),
            .credentials =
                Credentials{{"datadog_api_key", "api1"}, {"datadog_application_key", "app2"}}};
  }
  Query query(std::string text) {
    return {.text = std::move(text),
            .range = Range{.from = at_seconds(1700000000), .to = at_seconds(1700000600)}};
  }
  const std::string keys_ = "DD-API-KEY: api1\nDD-APPLICATION-KEY: app2\n";
};

TEST_F(Datadog, AsksForSeries) {
  server_.answer(
      200,
      R"({"status":"ok","series":[{"scope":"host:a","pointlist":[[1700000000000,1.5],[1700000060000,null],[1700000120000,2]]}]})");
  auto answer = ask(spec(), query("avg:x{y:z} by {host}"));
  EXPECT_EQ(text_of(answer), "scope=host:a 1.5@1700000000 2@1700000120");
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /api/v1/query?from=1700000000&query=avg%3Ax%7By%3Az%7D+by+%7Bhost%7D&"
                         "to=1700000600",
                         keys_));
}

TEST_F(Datadog, AsksForScalarsWithFormulas) {
  server_.answer(
      200, R"({"data":{"attributes":{"columns":[{"name":"q","type":"number","values":[0.5]}]}}})");
  ProviderSpec v2 = spec();
  v2.api_version = "v2";
  v2.credentials = Credentials{{"api-key", "api1"}, {"app-key", "app2"}};
  auto answer = ask(v2, query("avg:x{*}"));
  EXPECT_EQ(text_of(answer), "0.5@1700000600");
  EXPECT_EQ(answer->shape, Answer::Shape::kScalar);
  const std::string begin =
      R"({"data":{"attributes":{"from":1700000000000,"to":1700000600000,"queries":[)";
  EXPECT_EQ(
      server_.requests.at(0),
      request_text(
          "POST /api/v2/query/scalar", "Content-Type: application/json\n" + keys_,
          begin +
              R"({"aggregator":"last","data_source":"metrics","name":"query","query":"avg:x{*}"}],"formulas":[]},"type":"scalar_request"}})"));
  v2.queries = {{"a", "sum:e{*}"}, {"b", "sum:t{*}"}};
  v2.formula = "a / b";
  v2.aggregator = "sum";
  ASSERT_TRUE(ask(v2, query("")));
  EXPECT_EQ(
      server_.requests.at(1),
      request_text(
          "POST /api/v2/query/scalar", "Content-Type: application/json\n" + keys_,
          begin +
              R"({"aggregator":"sum","data_source":"metrics","name":"a","query":"sum:e{*}"},{"aggregator":"sum","data_source":"metrics","name":"b","query":"sum:t{*}"}],"formulas":[{"formula":"a / b"}]},"type":"scalar_request"}})"));
}

TEST_F(Datadog, TellsRefusalsAndThrottlingApart) {
  const std::tuple<int, std::string, std::string, std::string> cases[] = {
      {403, R"({"errors":["Forbidden"]})", "",
       R"(forbidden: received authentication error response code: 403 {"errors":["Forbidden"]})"},
      {429, "limit", "Retry-After: 7\r\n",
       "too_many_requests: received non 2xx response code: 429 limit (asked to wait: 7)"},
      {500, "api1 broke", "", "unavailable: received non 2xx response code: 500 *** broke"},
      {200, R"({"status":"error","error":"bad query"})", "",
       "invalid: There were errors in your query: bad query"},
      {200, R"({"series":[{"pointlist":[[1)", "", "invalid: error unmarshaling result: "},
  };
  for (const auto& [status, body, headers, want] : cases) {
    RecordingServer server(*loop_);
    server.answer(status, body, headers);
    ProviderSpec one = spec();
    one.address = server.url();
    EXPECT_EQ(text_of(ask(one, query("q"))).substr(0, want.size()), want);
  }
}

TEST_F(Datadog, FindsKeysInTheEnvironmentWhenNoSecretIsNamed) {
  ProviderSpec bare{.type = "datadog"};
  EXPECT_EQ(refusal(bare), "datadog credentials does not contain datadog_api_key");
  environment_ = {{"DD_API_KEY", "api1"}, {"DD_APP_KEY", "app2"}, {"DD_ADDRESS", server_.url()}};
  server_.answer(200, "{}");
  EXPECT_EQ(online(bare), "online");
  EXPECT_EQ(server_.requests.at(0), request_text("GET /api/v1/validate", keys_));
}

TEST_F(Datadog, ChecksWhichParametersGoTogether) {
  ProviderSpec one = spec();
  one.api_version = "v3";
  EXPECT_EQ(refusal(one), "datadog apiVersion \"v3\" is not v1 or v2");
  one.api_version = "v1";
  one.aggregator = "sum";
  EXPECT_EQ(refusal(one),
            "Aggregator is not supported in v1. Please review the Analysis Template.");
  one.api_version = "v2";
  one.formula = "a";
  EXPECT_TRUE(refusal(one).starts_with("Formula are only valid when queries are set"));
  one.formula = "";
  one.queries = {{"a", "x"}, {"b", "y"}};
  EXPECT_EQ(refusal(one), "When multiple queries are provided you must include a formula.");
}

TEST(DatadogAnswer, IsMildAboutWhatIsMissing) {
  for (std::string body : {R"({})", R"({"series":null})", R"({"series":[]})"}) {
    EXPECT_EQ(text_of(parse_datadog_v1_answer(body)), "nothing");
  }
  auto empty = parse_datadog_v1_answer(R"({"series":[{"pointlist":[]}]})");
  EXPECT_EQ(empty->series.size(), 1U);
  EXPECT_EQ(text_of(parse_datadog_v1_answer(R"({"series":[{"pointlist":[[1]]}]})")),
            "invalid: Datapoint does not have 2 values: [1]");
  EXPECT_EQ(
      text_of(parse_datadog_v1_answer(R"({"series":[{"pointlist":[[1,"x"]]}]})")),
      R"(invalid: Could not parse JSON body: a point is [milliseconds, value], found [1,"x"])");
  for (std::string body : {R"({"data":{}})", R"({"data":{"attributes":{"columns":[]}}})",
                           R"({"data":{"attributes":{"columns":[{"values":[null]}]}}})"}) {
    EXPECT_EQ(text_of(parse_datadog_v2_answer(body, Time())), "nothing") << body;
  }
}

TEST(DatadogAnswer, NamesTheGroups) {
  auto answer = parse_datadog_v2_answer(
      R"({"data":{"attributes":{"columns":[{"name":"service","type":"group","values":[["web"],["api"]]},{"name":"q","type":"number","values":[1,2]}]}}})",
      at_seconds(9));
  EXPECT_EQ(text_of(answer), "service=web 1@9; service=api 2@9");
  EXPECT_EQ(answer->shape, Answer::Shape::kVector);
  EXPECT_EQ(answer->metadata, (Labels{{"groups", R"([{"service":"web"},{"service":"api"}])"}}));
  EXPECT_EQ(text_of(parse_datadog_v2_answer(R"({"data":{"errors":"bad"}})", Time())),
            "invalid: There were errors in your query: bad");
}

}  // namespace
}  // namespace slipway::metrics
