#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Wavefront : public ProviderTest {
 protected:
  ProviderSpec spec() {
    return {.type = "wavefront",
            .address = server_.url(),
            .credentials = Credentials{{"token", "wf-token"}}};
  }
};

TEST_F(Wavefront, AsksForThePointNearestToAnInstant) {
  server_.answer(
      200,
      R"({"warnings":"slow query","timeseries":[{"label":"l","host":"h","data":[[1700000000,12.345]]}]})");
  auto answer = ask(spec(), {.text = "ts(x)", .at = at_seconds(1700000001)});
  EXPECT_EQ(text_of(answer), "label=l host=h 12.345@1700000000");
  EXPECT_EQ(answer->warnings, std::vector<std::string>{"slow query"});
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /api/v2/chart/api?e=1700000001000&g=s&i=true&p=1&q=ts%28x%29&"
                         "s=1700000001000",
                         "Authorization: Bearer wf-token\n"));
}

TEST_F(Wavefront, AsksForAWindow) {
  server_.answer(200, "{}");
  Range range{.from = at_seconds(100), .to = at_seconds(200)};
  EXPECT_EQ(text_of(ask(spec(), {.text = "x", .range = range})), "nothing");
  EXPECT_TRUE(server_.requests.at(0).starts_with(
      "GET /api/v2/chart/api?e=200000&g=s&i=false&q=x&s=100000 HTTP/1.1\n"));
}

TEST_F(Wavefront, FindsTheTokenByAddress) {
  EXPECT_EQ(refusal({.type = "wavefront",
                     .address = "example.wavefront.com",
                     .credentials = Credentials{{"example.wavefront.com", "tok1"}}}),
            "made");
  EXPECT_EQ(refusal({.type = "wavefront",
                     .address = "example.wavefront.com",
                     .credentials = Credentials{{"other.wavefront.com", "tok1"}}}),
            "API token not found");
}

TEST_F(Wavefront, TellsErrors) {
  server_.answer(406, "no");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            "invalid: error response: Status 406 Not Acceptable: no");
  EXPECT_EQ(online(spec()), "error response: Status 406 Not Acceptable: no");
  EXPECT_EQ(text_of(parse_wavefront_answer(
                R"({"errorType":"QuerySyntaxError","errorMessage":"near x"})")),
            "invalid: QuerySyntaxError: near x");
  EXPECT_EQ(text_of(parse_wavefront_answer(R"({"timeseries":[{"data":[[1]]}]})")),
            "invalid: error unmarshaling result: a point is [seconds, value], found [1]");
}

}  // namespace
}  // namespace slipway::metrics
