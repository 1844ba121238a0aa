#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class Web : public ProviderTest {};

TEST_F(Web, SendsWhatTheManifestSays) {
  server_.answer(200, R"({"a":{"b":[1,2.5]}})");
  ProviderSpec get{.type = "web", .address = server_.url("/x?y=1"), .headers = {{"X-A", "b"}}};
  auto answer = ask(get, {.text = "{$.a.b[1]}"});
  EXPECT_EQ(text_of(answer), "2.5@0");
  EXPECT_EQ(json::write(*answer->document), "2.5");
  EXPECT_EQ(server_.requests.at(0), request_text("GET /x?y=1", "X-A: b\n"));

  ProviderSpec post{
      .type = "web", .address = server_.url("/p"), .method = "POST", .json_body = R"({"q":1})"};
  ASSERT_TRUE(ask(post, {}));
  EXPECT_EQ(server_.requests.at(1),
            request_text("POST /p", "Content-Type: application/json\n", R"({"q":1})"));
  ProviderSpec put{.type = "web", .address = server_.url("/p"), .method = "PUT", .body = "text"};
  ASSERT_TRUE(ask(put, {}));
  EXPECT_EQ(server_.requests.at(2), request_text("PUT /p", "", "text"));
}

TEST_F(Web, RefusesBodiesWhereTheyDoNotBelong) {
  EXPECT_EQ(refusal({.type = "web", .address = "http://x", .body = "b"}),
            "Body/JSONBody can only be used with POST or PUT WebMetric Method types");
  EXPECT_EQ(
      refusal(
          {.type = "web", .address = "http://x", .method = "PUT", .body = "b", .json_body = "{}"}),
      "use either Body or JSONBody; both cannot exists for WebMetric payload");
  EXPECT_EQ(refusal({.type = "web", .address = "http://x", .method = "DELETE"}),
            "method \"DELETE\" is not GET, POST or PUT");
  EXPECT_NE(
      refusal({.type = "web", .address = "bad://url.com"}).find("unsupported protocol scheme"),
      std::string::npos);
}

TEST_F(Web, RefusesOtherStatuses) {
  for (int status : {300, 404, 500}) {
    RecordingServer server(*loop_);
    server.answer(status, "{}");
    auto answer = ask({.type = "web", .address = server.url()}, {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, "received non 2xx response code: " + std::to_string(status));
  }
}

TEST_F(Web, IsOnlineWhenItAnswers) {
  server_.answer_raw("HTTP/1.1 405 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(online({.type = "web", .address = server_.url()}), "online");
  EXPECT_TRUE(server_.requests.at(0).starts_with("HEAD / HTTP/1.1\n"));
}

TEST(WebAnswer, IsWhatThePathFinds) {
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {R"({"a":1,"d":null})", "", R"({"a":1,"d":null})"},
      {R"({"key":[{"key2":{"value":"1"}}]})", "{$.key[0].key2.value}", "\"1\""},
      {R"({"key":[1,2,3]})", "{$.key}", "[1,2,3]"},
      {R"([5])", "{$[0]}", "5"},
      {R"(null)", "{$}", "null"},
  };
  for (const auto& [body, path, want] : cases) {
    auto answer = parse_web_answer(body, path);
    ASSERT_TRUE(answer) << body;
    EXPECT_EQ(json::write(*answer->document), want) << body;
    EXPECT_FALSE(answer->text);
  }
}

TEST(WebAnswer, IsTheBodyWhenThatIsNoJson) {
  for (std::string body : {"OK", "", "{\"a\":NaN}"}) {
    auto answer = parse_web_answer(body, "{$.a}");
    ASSERT_TRUE(answer);
    EXPECT_EQ(*answer->text, body);
    EXPECT_EQ(answer->document->as_string(), body);
  }
}

TEST(WebAnswer, SaysWhatIsNotFound) {
  auto answer = parse_web_answer(R"({"a":1})", "{$.b}");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message,
            R"(Could not find JSONPath in body: {$.b} is not found in {"a":1})");
  EXPECT_EQ(parse_web_answer("{}", "{$[").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace slipway::metrics
