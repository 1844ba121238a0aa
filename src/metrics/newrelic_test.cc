#include "metrics/answer_parsers.h"
#include "metrics/newrelic_window.h"
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
  EXPECT_TRUE(ask(insights(), {.text = "SELECT 1"}));
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /v1/accounts/51312/query?nrql=SELECT+1+SINCE+300+seconds+ago",
                         "X-Query-Key: qk01\n"));
  EXPECT_EQ(online(insights()), "online");
}

TEST_F(Newrelic, AsksInsightsBetweenTwoMomentsOfThePast) {
  server_.answer(200, R"({"results":[{"result":1.11111}]})");
  Query query{
      .text = "SELECT 1",
      .range = Range{.from = at_seconds(1700000000), .to = at_seconds(1700000060), .step = 0s}};
  EXPECT_EQ(text_of(ask(insights(), query)), "1.11111@1700000060");
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /v1/accounts/51312/query?nrql=SELECT+1+SINCE+1700000000000+UNTIL+"
                         "1700000060000",
                         "X-Query-Key: qk01\n"));
}

TEST_F(Newrelic, AsksNerdGraphForARangeInSteps) {
  server_.answer(200, R"({"data":{"actor":{"account":{"nrql":{"results":[
      {"average":2.5,"endTimeSeconds":1700000060},{"average":3,"endTimeSeconds":1700000120}]}}}}})");
  Query query{.text = "SELECT average(x)",
              .range = Range{.from = at_seconds(1700000000), .to = at_seconds(1700000120)}};
  EXPECT_EQ(text_of(ask(nerdgraph(), query)), "2.5@1700000060 3@1700000120");
  EXPECT_TRUE(server_.requests.at(0).contains(
      R"("query":"SELECT average(x) SINCE 1700000000000 UNTIL 1700000120000 TIMESERIES 60 seconds")"))
      << server_.requests.at(0);
}

TEST(NewrelicWindow, IsPutBehindTheQuery) {
  const Time now = at_seconds(1'700'000'000);
  struct Case {
    std::string nrql;
    Duration length, ago, step;
    std::string asked;
  };
  for (const Case& c : {
           Case{"SELECT a", 60s, 0s, 0s, "SELECT a SINCE 60 seconds ago"},
           Case{"SELECT a", 60s, 1s, 60s, "SELECT a SINCE 60 seconds ago"},
           Case{"SELECT a", 10min, 0s, 1min,
                "SELECT a SINCE 600 seconds ago TIMESERIES 60 seconds"},
           Case{"SELECT a", 60s, 1h, 0s, "SELECT a SINCE 1699996340000 UNTIL 1699996400000"},
           // More steps than there may be become longer ones.
           Case{"SELECT a", 24h, 0s, 1s, "SELECT a SINCE 86400 seconds ago TIMESERIES 237 seconds"},
           // As released: a plain query may say it twice, and New Relic decides.
           Case{"SELECT a SINCE today", 60s, 0s, 0s, "SELECT a SINCE today SINCE 60 seconds ago"},
           Case{"SELECT a since today", 60s, 1h, 0s, ""},
           Case{"SELECT a TIMESERIES", 10min, 0s, 1min, ""},
           Case{"SELECT a WHERE b = 'since' AND `until` > 1 AND since.x = 2", 60s, 1h, 0s,
                "SELECT a WHERE b = 'since' AND `until` > 1 AND since.x = 2 SINCE 1699996340000 "
                "UNTIL 1699996400000"},
       }) {
    const auto asked = with_window(
        c.nrql, {.from = now - c.ago - c.length, .to = now - c.ago, .step = c.step}, now);
    EXPECT_EQ(asked ? *asked : "", c.asked) << c.nrql;
  }
  EXPECT_EQ(with_window("SELECT a Since today", {.from = at_seconds(0), .to = at_seconds(9)}, now)
                .error()
                .message,
            "the query says Since itself; leave it out: the window is added to it");
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
  EXPECT_EQ(read(R"({"timeSeries":[{"results":[{"average":1.5}],"endTimeSeconds":60},
      {"results":[{"average":null}],"endTimeSeconds":120},7,{"results":[]},
      {"results":[{"average":2}],"endTimeSeconds":180}],"total":{"results":[{"average":9}]}})"),
            "1.5@60 2@180");
  EXPECT_EQ(read(R"({"timeSeries":[]})"), "nothing");
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
