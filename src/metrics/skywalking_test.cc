#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Skywalking : public ProviderTest {
 protected:
  ProviderSpec spec() { return {.type = "skywalking", .address = server_.url()}; }
};

TEST_F(Skywalking, PostsTheQueryWithADuration) {
  server_.answer(
      200, R"({"data":{"service_sla":{"values":{"values":[{"value":9999},{"value":10000}]}}}})");
  Range range{.from = at_seconds(1700000000), .to = at_seconds(1700000300)};
  auto answer = ask(spec(), {.text = "query q($duration: Duration!)", .range = range});
  EXPECT_EQ(text_of(answer), "9999@0 10000@0");
  EXPECT_EQ(json::write(*answer->document),
            R"({"service_sla":{"values":{"values":[{"value":9999},{"value":10000}]}}})");
  EXPECT_EQ(
      server_.requests.at(0),
      request_text(
          "POST /graphql",
          "Content-Type: application/json; charset=utf-8\nAccept: application/json; "
          "charset=utf-8\n",
          R"json({"query":"query q($duration: Duration!)","variables":{"duration":{"start":"2023-11-14 2213","end":"2023-11-14 2218","step":"MINUTE"}}})json",
          false));
}

TEST_F(Skywalking, TellsErrors) {
  server_.answer(500, "down");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            "unavailable: graphql: server returned a non-200 status code: 500: down");
  EXPECT_EQ(text_of(parse_skywalking_answer(R"({"errors":[{"message":"bad"}]})")),
            "invalid: graphql: bad");
  auto none = parse_skywalking_answer(R"({"data":null})");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->document);
}

}  // namespace
}  // namespace slipway::metrics
