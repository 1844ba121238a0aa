#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Dynatrace : public ProviderTest {
 protected:
  ProviderSpec spec() {
    return {.type = "dynatrace",
            .address = server_.url(),
            .credentials = Credentials{{"dynatrace_token", "dt0c01"}}};
  }
};

TEST_F(Dynatrace, AsksForOneValueOfTheWindow) {
  server_.answer(
      200,
      R"({"result":[{"metricId":"m","data":[{"dimensionMap":{"host":"a"},"timestamps":[1700000600000],"values":[1.5]},{"timestamps":[1700000600000],"values":[null]}]}]})");
  Range range{.from = at_seconds(1700000000), .to = at_seconds(1700000600), .step = 0s};
  auto answer = ask(spec(), {.text = "builtin:x:avg", .range = range});
  EXPECT_EQ(text_of(answer), "metricId=m host=a 1.5@1700000600; metricId=m");
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /api/v2/metrics/query?from=1700000000000&metricSelector=builtin%3Ax"
                         "%3Aavg&resolution=Inf&to=1700000600000",
                         "Authorization: Api-Token dt0c01\n"));
  range.step = 90s;
  ASSERT_TRUE(ask(spec(), {.text = "m", .range = range}));
  EXPECT_NE(server_.requests.at(1).find("&resolution=2m&"), std::string::npos);
}

TEST_F(Dynatrace, IsOnlineWhenMetricsAreListed) {
  server_.answer(200, "{}");
  EXPECT_EQ(online(spec()), "online");
  EXPECT_EQ(server_.requests.at(0),
            request_text("GET /api/v2/metrics?pageSize=1", "Authorization: Api-Token dt0c01\n"));
  EXPECT_EQ(refusal({.type = "dynatrace"}), "dynatrace endpoint is not set");
  EXPECT_EQ(refusal({.type = "dynatrace", .address = "http://x"}),
            "dynatrace credentials does not contain dynatrace_token");
}

TEST(DynatraceAnswer, IsCheckedLevelByLevel) {
  const std::pair<std::string, std::string> cases[] = {
      {"{}", "nothing"},
      {R"({"result":[]})", "nothing"},
      {R"({"result":[{"data":[]}]})", "nothing"},
      {R"({"result":[{"metricId":"m","data":[{"values":[]}]}]})", "metricId=m"},
      {R"({"result":7})", "invalid: error unmarshaling result: result is a list, found 7"},
      {R"({"result":[{"data":7}]})",
       "invalid: error unmarshaling result: data are a list, found 7"},
      {R"({"result":[{"data":[{"values":["x"]}]}]})",
       "invalid: error unmarshaling result: a value is a number or null, found \"x\""},
  };
  for (const auto& [body, want] : cases) EXPECT_EQ(text_of(parse_dynatrace_answer(body)), want);
}

}  // namespace
}  // namespace slipway::metrics
