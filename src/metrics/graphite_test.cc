#include <cmath>

#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Graphite : public ProviderTest {
 protected:
  ProviderSpec spec() { return {.type = "graphite", .address = server_.url("/base/")}; }
  std::string line(std::string text, std::optional<Range> range = {}) {
    EXPECT_TRUE(ask(spec(), {.text = std::move(text), .range = range}));
    std::string request = server_.requests.back();
    return request.substr(0, request.find(" HTTP/"));
  }
};

TEST_F(Graphite, RendersTheQuerySortedAndAsJson) {
  server_.answer(200,
                 R"([{"target":"t","datapoints":[[null,1],[2.5,1600000000],["3","1600000060"]]}])");
  auto answer = ask(spec(), {.text = "target=a(b, 'c d')&from=-5min"});
  EXPECT_EQ(text_of(answer), "target=t 2.5@1600000000 3@1600000060");
  EXPECT_EQ(
      server_.requests.at(0),
      request_text("GET /base/render?format=json&from=-5min&target=a%28b%2C+%27c+d%27%29", ""));
}

TEST_F(Graphite, ReadsTheQueryAsAnUrl) {
  server_.answer(200, "[]");
  EXPECT_EQ(line("target=b&target=a&format=csv"), "GET /base/render?format=json&target=b&target=a");
  EXPECT_EQ(line("target=a%20b&x=1;2&y=%zz&z=1#frag"),
            "GET /base/render?format=json&target=a+b&z=1");
  Range range{.from = at_seconds(100), .to = at_seconds(200)};
  EXPECT_EQ(line("target=a", range), "GET /base/render?format=json&from=100&target=a&until=200");
  EXPECT_EQ(line("target=a&from=-1h", range),
            "GET /base/render?format=json&from=-1h&target=a&until=200");
}

TEST_F(Graphite, SignsInWithBasicOnceASecretIsNamed) {
  ProviderSpec one = spec();
  one.credentials = Credentials{};
  EXPECT_EQ(refusal(one), "graphite credentials does not contain a username");
  one.credentials = Credentials{{"username", "user"}};
  EXPECT_EQ(refusal(one), "graphite credentials does not contain a password");
  one.credentials = Credentials{{"username", "user"}, {"password", "pass"}};
  server_.answer(200, "[]");
  EXPECT_EQ(online(one), "online");
  EXPECT_EQ(server_.requests.at(0), request_text("GET /base/render?format=json&target=test",
                                                 "Authorization: Basic dXNlcjpwYXNz\n"));
  EXPECT_EQ(refusal({.type = "graphite", .address = ":::"}),
            "graphite address ::: is not a valid URL; write http://HOST or https://HOST");
}

TEST_F(Graphite, TellsErrors) {
  server_.answer(400, "Missing required parameter 'target'");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            "invalid: error response: Status 400 Bad Request: Missing required parameter 'target'");
}

TEST(GraphiteAnswer, IsStrictAboutPoints) {
  const std::pair<std::string, std::string> cases[] = {
      {"[]", "nothing"},
      {R"([{"target":"a","datapoints":[[null,1]]}])", "target=a"},
      {R"([{"target":"a"},{"target":"b","datapoints":[[1,null]]}])", "target=a; target=b 1@0"},
      {"{}", "invalid: error unmarshaling result: the answer is a list of targets, found {}"},
      {R"([{"datapoints":[[1]]}])",
       "invalid: error unmarshaling result: error unmarshaling data point: it is [value, seconds], "
       "found [1]"},
      {R"([{"datapoints":[[true,1]]}])",
       "invalid: error unmarshaling result: error unmarshaling value: it is a number or null, "
       "found "
       "[true,1]"},
      {R"([{"datapoints":[[1,"x"]]}])",
       R"(invalid: error unmarshaling result: error unmarshaling timestamp: it is in seconds, found [1,"x"])"},
      {"[1]", "invalid: error unmarshaling result: a target is an object, found 1"},
  };
  for (const auto& [body, want] : cases) EXPECT_EQ(text_of(parse_graphite_answer(body)), want);
  auto odd = parse_graphite_answer(R"([{"datapoints":[[NaN,1],[Infinity,2]]}])");
  ASSERT_TRUE(odd);
  EXPECT_TRUE(std::isnan(odd->series[0].points[0].value));
  EXPECT_TRUE(std::isinf(odd->series[0].points[1].value));
}

}  // namespace
}  // namespace slipway::metrics
