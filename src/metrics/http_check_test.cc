#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class HttpCheck : public ProviderTest {
 protected:
  std::string value(const Result<Answer>& answer) {
    if (!answer) return text_of(answer);
    return std::to_string(static_cast<int>(answer->series.at(0).points.at(0).value));
  }
};

TEST_F(HttpCheck, TheValueIsTheStatus) {
  for (const int status : {200, 204, 404, 500, 503}) {
    RecordingServer server(*loop_);
    server.answer(status, "");
    EXPECT_EQ(value(ask({.type = "http_check", .address = server.url("/healthz?x=1")}, {})),
              std::to_string(status));
    EXPECT_EQ(server.requests.at(0), request_text("GET /healthz?x=1", ""));
  }
}

TEST_F(HttpCheck, SendsMethodAndHeaders) {
  server_.answer(200, "");
  ProviderSpec spec{
      .type = "http_check", .address = server_.url("/p"), .headers = {{"X-A", "b"}, {"X-C", "d"}}};
  EXPECT_EQ(value(ask(spec, {.text = "post"})), "200");
  EXPECT_EQ(server_.requests.at(0), request_text("POST /p", "X-A: b\nX-C: d\n"));
}

TEST_F(HttpCheck, HoldsTheWholeBodyAgainstWhatIsExpected) {
  const std::tuple<std::string, std::string, bool> cases[] = {
      {"ok", "ok", true},      {"ok\n", "ok", true},
      {"ok", "ok\n", true},    {"a\nb", "a\nb", true},
      {"not ok", "ok", false}, {"", "ok", false},
      {"OK", "ok", false},     {R"({"s":"bad"})", "{}", false},
  };
  for (const auto& [body, expected, same] : cases) {
    RecordingServer server(*loop_);
    server.answer(200, body);
    auto answer =
        ask({.type = "http_check", .address = server.url()}, {.text = "GET\n" + expected});
    EXPECT_EQ(answer.has_value(), same) << body;
  }
}

TEST_F(HttpCheck, SaysWhatTheBodyIs) {
  server_.answer(200, R"({"status":"unhealthy"})");
  auto answer = ask({.type = "http_check", .address = server_.url()}, {.text = "GET\nhealthy"});
  EXPECT_EQ(text_of(answer),
            R"(invalid: status 200, and the response is "{"status":"unhealthy"}", )"
            R"(expected "healthy")");
}

TEST_F(HttpCheck, RefusesWhatCannotBeAsked) {
  EXPECT_EQ(text_of(ask({.type = "http_check", .address = server_.url()}, {.text = "FETCH"})),
            "invalid: method \"FETCH\" is not GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS");
  EXPECT_NE(refusal({.type = "http_check", .address = "ftp://x"}), "made");
  EXPECT_NE(refusal({.type = "http_check"}), "made");
}

TEST_F(HttpCheck, AnEndpointThatIsNotThereIsUnavailable) {
  auto answer = ask({.type = "http_check", .address = "http://127.0.0.1:1"}, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace slipway::metrics
