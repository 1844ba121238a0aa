#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Newrelic : public ProviderTest {
 protected:
  ProviderSpec insights() {
    return {.type = "newrelic",
            .address = server_.url(),
            .credentials =
                Credentials{{"newrelic_account_id", "51312"}, {"newrelic_query_key", "qk01"}}};
  }
  ProviderSpec nerdgraph() {
    return {.type = "newrelic",
            .credentials = Credentials{{"personal-api-key", "nrak"},
                                       {"account-id", "42"},
                                       {"base-url-nerdgraph", server_.url("/graphql")}}};
  }
};

TEST_F(Newrelic, AsksInsightsSinceTheWindow) {
  server_.answer(200, R"({"results":[{"result":1.11111}]})");
  Query query{.text = "SELECT 1",
              .range = Range{.from = at_seconds(1700000000), .to = at_seconds(1700000060)}};
  EXPECT_EQ(text_of(ask(insights(), query)), "1.11111@1700000060");
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /v1/accounts/51312/query?nrql=SELECT+1+SINCE+60+seconds+ago",
                         "X-Query-Key: qk01\n"));
  EXPECT_EQ(online(insights()), "online");
}

TEST_F(Newrelic, AsksNerdGraphWithItsKeys) {
  server_.answer(200, R"({"data":{"actor":{"account":{"nrql":{"results":[{"average":2.5}]}}}}})");
  auto answer = ask(nerdgraph(), {.text = "SELECT average(x)", .at = at_seconds(7), .timeout = 5s});
  EXPECT_EQ(text_of(answer), "2.5@7");
  EXPECT_EQ(json::write(*answer->document), R"([{"average":2.5}])");
  EXPECT_EQ(
      server_.requests.at(0),
      request_text(
          "POST /graphql", "Api-Key: nrak\nContent-Type: application/json\n",
          R"json({"query":"query($query: Nrql!, $accountId: Int!, $timeout: Seconds!) { actor { account(id: $accountId) { nrql(query: $query, timeout: $timeout) { results } } } }","variables":{"accountId":42,"query":"SELECT average(x)","timeout":5}})json"));
}

TEST_F(Newrelic, RefusesIncompleteSecrets) {
  ProviderSpec one = insights();
  one.credentials->erase("newrelic_account_id");
  EXPECT_EQ(refusal(one), "newrelic credentials does not contain newrelic_account_id");
  one = insights();
  one.credentials->erase("newrelic_query_key");
  EXPECT_EQ(refusal(one), "newrelic credentials does not contain newrelic_query_key");
  one = nerdgraph();
  (*one.credentials)["account-id"] = "4x";
  EXPECT_EQ(refusal(one), "could not parse account ID: \"4x\" is no number");
  one.credentials->erase("account-id");
  EXPECT_EQ(refusal(one), "account ID or personal API key not found");
  one = nerdgraph();
  (*one.credentials)["region"] = "mars";
  EXPECT_EQ(refusal(one), "newrelic region \"mars\" is not us or eu");
}

TEST_F(Newrelic, NeverShowsAKeyThatIsEchoed) {
  server_.answer(403, "key qk01 is not valid");
  EXPECT_EQ(text_of(ask(insights(), {.text = "x"})),
            "forbidden: error response: Status 403 Forbidden: key *** is not valid");
}

TEST(NewrelicAnswer, OfInsightsIsOneResult) {
  auto read = [](std::string body) { return text_of(parse_insights_answer(body, at_seconds(5))); };
  EXPECT_EQ(read(R"({"results":[{"result":3}]})"), "3@5");
  EXPECT_EQ(read(R"({"results":[]})"), "nothing");
  EXPECT_EQ(read(R"({"results":[{"average":3}]})"), "nothing");
  EXPECT_EQ(read(R"({"results":[{"result":null}]})"), "nothing");
  EXPECT_EQ(read(R"({"results":[{"result":1},{"result":2}]})"), "nothing");
  EXPECT_EQ(read(R"({"error":"NRQL Syntax Error"})"), "invalid: error response: NRQL Syntax Error");
}

TEST(NewrelicAnswer, OfNerdGraphMakesSeriesOfFacets) {
  auto read = [](std::string results) {
    return text_of(parse_nerdgraph_answer(
        R"({"data":{"actor":{"account":{"nrql":{"results":)" + results + "}}}}}", at_seconds(5)));
  };
  EXPECT_EQ(
      read(
          R"([{"facet":"a","count":1,"endTimeSeconds":60},{"facet":"b","count":2,"endTimeSeconds":60},{"facet":"a","count":3,"endTimeSeconds":120}])"),
      "facet=a 1@60 3@120; facet=b 2@60");
  EXPECT_EQ(read(R"([{"x":1,"y":2}])"), "nothing");
  EXPECT_EQ(read("null"), "nothing");
  EXPECT_EQ(read("7"), "invalid: error unmarshaling result: results are a list, found 7");
  EXPECT_EQ(text_of(parse_nerdgraph_answer(
                R"({"data":{"actor":null},"errors":[{"message":"bad NRQL"},{"message":"again"}]})",
                Time())),
            "invalid: graphql: bad NRQL, again");
  EXPECT_EQ(text_of(parse_nerdgraph_answer("[]", Time())),
            "invalid: graphql: the answer has no data, found []");
}

}  // namespace
}  // namespace slipway::metrics
