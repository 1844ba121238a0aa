#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

std::string event(std::string name, std::string data) {
  return "event: " + name + "\ndata: " + data + "\n\n";
}
const std::string kEnd = event("control-message", R"({"event":"END_OF_CHANNEL"})");

class Splunk : public ProviderTest {
 protected:
  ProviderSpec spec() {
    return {.type = "splunk",
            .address = server_.url(),
            .credentials = Credentials{{"sf_token_key", "sf-token"}}};
  }
};

TEST_F(Splunk, ExecutesAProgram) {
  server_.answer(200, event("control-message", "{\ndata: \"event\":\"STREAM_START\"\ndata: }") +
                          event("metadata", R"({"tsId":"AAA","properties":{"sf_metric":"m"}})") +
                          event("data", R"({"data":[{"tsId":"AAA","value":null}]})") +
                          event("data", R"({"data":[{"tsId":"AAA","value":2.5}],)"
                                        R"("logicalTimestampMs":1700000000000})") +
                          kEnd);
  Range range{.from = at_seconds(1700000000), .to = at_seconds(1700000600)};
  EXPECT_EQ(text_of(ask(spec(), {.text = "data('x').publish()", .range = range})),
            "tsId=AAA sf_metric=m 2.5@1700000000");
  EXPECT_EQ(server_.requests.at(0),
            request_text("POST /v2/signalflow/execute?immediate=true&start=1700000000000&"
                         "stop=1700000600000",
                         "Accept: text/event-stream\nContent-Type: text/plain\nX-SF-Token: "
                         "sf-token\n",
                         "data('x').publish()", false));
}

TEST_F(Splunk, IsOnlineWhenMetricsAreListed) {
  server_.answer(200, "{}");
  EXPECT_EQ(online(spec()), "online");
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /v2/metric?limit=1", "X-SF-Token: sf-token\n"));
  EXPECT_EQ(refusal({.type = "splunk"}), "splunk endpoint is not set");
  EXPECT_EQ(refusal({.type = "splunk", .address = "https://api.us1.signalfx.com"}),
            "splunk credentials does not contain sf_token_key");
  ProviderSpec socket = spec();
  socket.address = "wss://stream.us1.signalfx.com";
  EXPECT_EQ(refusal(socket), "made");
}

TEST(SplunkAnswer, IsAStreamOfEvents) {
  const std::pair<std::string, std::string> cases[] = {
      {kEnd, "nothing"},
      {event("data", R"({"data":[{"tsId":"a","value":1},{"tsId":"b","value":2}]})") + kEnd,
       "tsId=a 1@0; tsId=b 2@0"},
      {event("error", R"({"error":400,"message":"no such function"})"),
       "invalid: error executing query: status 400: no such function"},
      {event("error", R"({"error":401})"),
       R"(unauthorized: error executing query: status 401: {"error":401})"},
      {event("error", R"({"error":403,"message":"no"})"),
       "forbidden: error executing query: status 403: no"},
      {event("error", R"({"error":429,"message":"slow down"})"),
       "too_many_requests: error executing query: status 429: slow down"},
      {event("error", R"({"error":503,"message":"later"})"),
       "unavailable: error executing query: status 503: later"},
      {event("error", R"({"error":7e300,"message":"odd"})"),
       "invalid: error executing query: status 400: odd"},
      {event("data", R"({"data":[]})"), "unavailable: the answer ended before the computation did"},
      {event("data", R"({"data":[{"tsId":"a","value":"x"}]})"),
       "invalid: invalid response: a value is a number, found \"x\""},
      {"<html>", "invalid: error unmarshaling result: no events, '<html>'"},
      {"event: control-message\r\ndata: {\"event\":\"END_OF_CHANNEL\"}\r\n", "nothing"},
  };
  for (const auto& [body, want] : cases) EXPECT_EQ(text_of(parse_splunk_answer(body)), want);
}

}  // namespace
}  // namespace slipway::metrics
