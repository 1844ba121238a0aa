#include "metrics/http_kube_connection.h"
#include "metrics/recording_testing.h"

// What every provider makes of a source that refuses, throttles, breaks off or talks nonsense: the
// same codes, messages that name the status, and no credential in any of them.
namespace slipway::metrics {
namespace {

using namespace testing;

// What the spec signs in with, or a token that a service has issued for it.
const std::string kSecret = "s3cret-in-use-now";
// As a proxy that explains itself has it.
const std::string kEcho = "<p>denied for s3cret-in-use-now</p>";

class Failures : public ProviderTest, public ::testing::WithParamInterface<std::string> {
 protected:
  Failures() {
    tokens_.answer(200, R"({"access_token":"s3cret-in-use-now","expires_in":3599})");
    environment_["GCE_METADATA_HOST"] = tokens_.host();
    environment_["HOME"] = "/nowhere";
  }

  // How a user would name the source; credentials in the keys that the type documents.
  ProviderSpec spec(const RecordingServer& server) const {
    static const std::map<std::string, Credentials, std::less<>> kKeys = {
        {"cloudwatch", {{"aws_access_key_id", "AKID"}, {"aws_secret_access_key", kSecret}}},
        {"datadog", {{"datadog_api_key", kSecret}, {"datadog_application_key", kSecret}}},
        {"datadog_v2", {{"api-key", kSecret}, {"app-key", kSecret}}},
        {"dynatrace", {{"dynatrace_token", kSecret}}},
        {"externalmetrics", {{"token", kSecret}}},
        {"google_logs", {{"project", "p"}}},
        {"graphite", {{"username", "u"}, {"password", kSecret}}},
        {"influxdb", {{"token", kSecret}, {"org", "o"}}},
        {"newrelic", {{"newrelic_account_id", "5"}, {"newrelic_query_key", kSecret}}},
        {"newrelic_nerdgraph", {{"personal-api-key", kSecret}, {"account-id", "42"}}},
        {"prometheus", {{"token", kSecret}}},
        {"skywalking", {{"username", "u"}, {"password", kSecret}}},
        {"splunk", {{"sf_token_key", kSecret}}},
        {"stackdriver", {{"project", "p"}}},
        {"wavefront", {{"token", kSecret}}},
        {"web", {{"token", kSecret}}},
    };
    ProviderSpec one{.type = GetParam(), .address = server.url("/"), .region = "eu-west-1"};
    if (auto keys = kKeys.find(GetParam()); keys != kKeys.end()) one.credentials = keys->second;
    if (GetParam() == "datadog_v2") {
      one.type = "datadog";
      one.api_version = "v2";
    }
    if (GetParam() == "newrelic_nerdgraph") {
      one.type = "newrelic";
      one.credentials->emplace("base-url-nerdgraph", server.url("/graphql"));
    }
    if (GetParam() == "http_check") one.headers = {{"X-Api-Key", kSecret}};
    return one;
  }
  static std::string query_text() {
    static const std::map<std::string, std::string, std::less<>> kTexts = {
        {"cloudwatch", "[]"},
        {"externalmetrics", "ns/m"},
        {"graphite", "target=a"},
        {"http_check", "GET"},
        {"keptn", "keptnmetric/ns/m"},
        {"newrelic", "SELECT 1 FROM x"},
        {"newrelic_nerdgraph", "SELECT 1 FROM x"},
        {"web", "{$.a}"},
    };
    auto text = kTexts.find(GetParam());
    return text == kTexts.end() ? "q" : text->second;
  }

  // What comes of the query; then, whether the source counts as online.
  std::pair<Result<Answer>, Result<>> ask_all(RecordingServer& server) {
    ProviderSpec at_cluster{.type = "keptn", .address = server.url()};
    auto kube = make_http_kube_connection(*HttpSource::make(at_cluster, connections_),
                                          *parse_url(server.url()), kSecret);
    Connections connections(
        *loop_, [this](const std::string& name) { return environment_[name]; }, kube.get());
    auto provider = make_provider(spec(server), connections);
    EXPECT_TRUE(provider) << provider.error().text();
    if (!provider) return {fail(provider.error()), fail(provider.error())};
    auto answer = run_to_end(*loop_, (*provider)->query({.text = query_text(), .timeout = 5s}));
    return {std::move(answer), run_to_end(*loop_, (*provider)->is_online())};
  }

  void expect_no_secret(const Error& error) {
    EXPECT_EQ(error.text().find(kSecret), std::string::npos) << error.text();
    EXPECT_LT(error.text().size(), 1000U);
  }

  RecordingServer tokens_{*loop_};
};

struct Refusal {
  int status;
  ErrorCode code;
};

TEST_P(Failures, RefusalsAreToldApartAndNamed) {
  const Refusal refusals[] = {{401, ErrorCode::kUnauthorized},
                              {403, ErrorCode::kForbidden},
                              {429, ErrorCode::kTooManyRequests},
                              {503, ErrorCode::kUnavailable}};
  for (const auto& [status, code] : refusals) {
    RecordingServer server(*loop_);
    server.answer(status, kEcho, status > 403 ? "Retry-After: 7\r\n" : "");
    auto [answer, online] = ask_all(server);
    if (GetParam() == "http_check") {  // the status is what it measures
      ASSERT_TRUE(answer) << answer.error().text();
      EXPECT_EQ(answer->series.at(0).points.at(0).value, status);
      continue;
    }
    ASSERT_FALSE(answer) << status;
    // AWS says 403 to keys that it does not know; what they may not do, it names.
    const bool keys = GetParam() == "cloudwatch" && status == 403;
    EXPECT_EQ(answer.error().code, keys ? ErrorCode::kUnauthorized : code) << answer.error().text();
    EXPECT_NE(answer.error().message.find(std::to_string(status)), std::string::npos)
        << answer.error().text();
    if (status > 403)
      EXPECT_TRUE(answer.error().message.ends_with("(asked to wait: 7)")) << answer.error().text();
    expect_no_secret(answer.error());
  }
}

TEST_P(Failures, AServiceThatIsDownIsNotOnline) {
  RecordingServer server(*loop_);
  server.answer(503, kEcho);
  auto [answer, online] = ask_all(server);
  ASSERT_FALSE(online);
  EXPECT_EQ(online.error().code, ErrorCode::kUnavailable) << online.error().text();
  EXPECT_NE(online.error().message.find("503"), std::string::npos) << online.error().text();
  expect_no_secret(online.error());
}

TEST_P(Failures, AHalfAnswerIsNone) {
  const std::string head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
  for (const std::string& rest :
       {"Content-Length: 1000\r\n\r\n" + kEcho,
        "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n40\r\n" + kEcho.substr(0, 20)}) {
    RecordingServer server(*loop_);
    server.answer_raw(head + rest);
    auto [answer, online] = ask_all(server);
    ASSERT_FALSE(answer) << rest;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable) << answer.error().text();
    expect_no_secret(answer.error());
  }
}

TEST_P(Failures, NonsenseIsRefusedOrTakenAsTextWhereTextIsMeant) {
  const std::string nonsense[] = {kEcho,
                                  "{\"status\":\"succ",
                                  "<GetMetricDataRes",
                                  std::string("\0\x80\xff\x1b[2J", 7) + kEcho,
                                  "[[[[[[[[",
                                  "\"x"};
  for (const std::string& body : nonsense) {
    RecordingServer server(*loop_);
    server.answer(200, body);
    auto [answer, online] = ask_all(server);
    if (GetParam() == "http_check" || GetParam() == "web") {
      EXPECT_TRUE(answer) << answer.error().text();
      continue;
    }
    ASSERT_FALSE(answer) << body;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalid) << body << ": " << answer.error().text();
    EXPECT_EQ(answer.error().message.find('\x1b'), std::string::npos);
    expect_no_secret(answer.error());
  }
}

// Each type, and the second way in where there are two.
std::vector<std::string> ways_in() {
  std::vector<std::string> ways = known_provider_types();
  ways.insert(ways.end(), {"datadog_v2", "newrelic_nerdgraph"});
  return ways;
}

INSTANTIATE_TEST_SUITE_P(EveryProvider, Failures, ::testing::ValuesIn(ways_in()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace slipway::metrics
