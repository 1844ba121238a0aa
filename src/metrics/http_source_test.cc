#include "metrics/http_source.h"

#include "http/certificate.h"
#include "http/server.h"
#include "metrics/limits.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

constexpr Duration kQuick = std::chrono::seconds(10);

const std::string kOne =
    R"({"status":"success","data":{"resultType":"vector","result":[{"value":[1,"1"]}]}})";

class HttpSourceTest : public ProviderTest {
 protected:
  ProviderSpec spec() { return {.type = "prometheus", .address = server_.url()}; }
};

TEST_F(HttpSourceTest, FollowsRedirectsAndTakesCredentialsOnlyToTheSameHost) {
  RecordingServer other(*loop_);
  other.answer(200, kOne);
  server_.answer(302, "", "Location: /elsewhere\r\n");
  server_.answer(307, "", "Location: " + other.url("/far") + "\r\n");
  ProviderSpec one = spec();
  one.headers = {{"X-Api-Key", "k3y1"}};
  one.credentials = Credentials{{"token", "t0ken"}};
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  EXPECT_EQ(server_.requests.at(1),
            request_text("GET /elsewhere", "X-Api-Key: k3y1\nAuthorization: Bearer t0ken\n"));
  EXPECT_EQ(other.requests.at(0), request_text("GET /far", ""));
}

TEST_F(HttpSourceTest, GoesWhereItsNamesLeadAndAsksByName) {
  std::vector<std::string> asked;
  const std::string place = server_.url().substr(std::string("http://").size());
  Connections connections(
      *loop_, [](const std::string&) { return std::string(); }, nullptr,
      [&](const std::string& host, int port, const std::string& ns) {
        asked.push_back(host + " " + std::to_string(port) + " " + ns);
        return host == "unknown.invalid" ? std::string() : place;
      });
  const auto send = [&](const std::string& url) {
    const auto source = HttpSource::make({.type = "web", .ns = "shop"}, connections);
    return run_to_end(*loop_, source->send({.url = url}, Budget(loop_->clock(), kQuick)));
  };
  server_.answer(302, "", "Location: http://other.default.svc/far\r\n");
  server_.answer(200, kOne);
  ASSERT_TRUE(send("http://web:8080/near"));
  EXPECT_EQ(asked, (std::vector<std::string>{"web 8080 shop", "other.default.svc 80 shop"}));
  EXPECT_NE(server_.requests.at(0).find("\nHost: web:8080\n"), std::string::npos);
  EXPECT_NE(server_.requests.at(1).find("\nHost: other.default.svc\n"), std::string::npos);
  EXPECT_FALSE(send("http://unknown.invalid/"));
  EXPECT_EQ(asked.back(), "unknown.invalid 80 shop");
  EXPECT_EQ(connections.place_of("https://[::1]/x", "shop"), place);
  EXPECT_EQ(asked.back(), "[::1] 443 shop");
  EXPECT_EQ(connections.place_of("ftp://web/", "shop"), "");
}

TEST_F(HttpSourceTest, StopsAtEndlessRedirects) {
  server_.answer(302, "", "Location: /round\r\n");
  EXPECT_EQ(text_of(ask(spec(), {.text = "x"})),
            "invalid: stopped after 10 redirects; give the address they should end at");
  EXPECT_EQ(server_.requests.size(), 11U);
  RecordingServer bad(*loop_);
  bad.answer(302, "", "Location: file:///etc/passwd\r\n");
  EXPECT_EQ(text_of(ask({.type = "prometheus", .address = bad.url()}, {.text = "x"})),
            "invalid: a redirect leads to no http or https address");
}

TEST_F(HttpSourceTest, TakesNoAnswerOverTheLimit) {
  server_.answer_raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1073741824\r\n\r\n" +
                     std::string(kMaxAnswerBytes + 1024 * 1024, 'x'));
  auto answer = ask(spec(), {.text = "x"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kTooLarge) << answer.error().text();
  EXPECT_LT(answer.error().message.size(), 300U);
}

TEST_F(HttpSourceTest, TakesHalfAnswersForNone) {
  server_.answer_raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{\"a\":");
  auto answer = ask(spec(), {.text = "x"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable) << answer.error().text();
}

TEST_F(HttpSourceTest, GivesUpInTimeOrWhenStopped) {
  auto late = ask(spec(), {.text = "x", .timeout = 50ms});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kTimeout) << late.error().text();
  std::stop_source stop;
  auto timer = loop_->clock().call_after(20ms, [&stop] { stop.request_stop(); });
  auto stopped = ask(spec(), {.text = "x", .stop = stop.get_token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST_F(HttpSourceTest, SaysWhenNobodyListens) {
  auto answer =
      ask({.type = "prometheus", .address = "http://user:hunter22@127.0.0.1:1/x?token=abcd"},
          {.text = "x"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().message.find("hunter22"), std::string::npos) << answer.error().message;
  EXPECT_EQ(answer.error().message.find("abcd"), std::string::npos) << answer.error().message;
}

TEST_F(HttpSourceTest, SignsInWithOAuth2AndKeepsTheToken) {
  RecordingServer tokens(*loop_);
  tokens.answer(200, R"({"access_token":"at1-token","token_type":"bearer","expires_in":3600})");
  tokens.answer(200, R"({"access_token":"at2","token_type":"bearer","expires_in":"3600"})");
  server_.answer(200, kOne);
  server_.answer(200, kOne);
  server_.answer(401, "at1-token is revoked");
  server_.answer(200, kOne);
  ProviderSpec one = spec();
  one.oauth2 = OAuth2{.token_url = tokens.url("/token"),
                      .client_id = "my id",
                      .client_secret = "s3cret",
                      .scopes = {"a", "b"}};
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  EXPECT_EQ(tokens.requests.size(), 1U);
  EXPECT_EQ(tokens.requests.at(0),
            request_text("POST /token",
                         "Content-Type: application/x-www-form-urlencoded\nAuthorization: Basic "
                         "bXkraWQ6czNjcmV0\n",
                         "grant_type=client_credentials&scope=a+b"));
  EXPECT_NE(server_.requests.at(1).find("Authorization: Bearer at1-token\n"), std::string::npos);
  EXPECT_EQ(text_of(ask(one, {.text = "x"})),
            "unauthorized: error response: Status 401 Unauthorized: *** is revoked");
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  EXPECT_NE(server_.requests.at(3).find("Authorization: Bearer at2\n"), std::string::npos);
}

TEST_F(HttpSourceTest, OffersOAuth2SecretsInTheFormToo) {
  RecordingServer tokens(*loop_);
  tokens.answer(401, R"({"error":"invalid_client"})");
  tokens.answer(200, R"({"access_token":"at1"})");
  server_.answer(200, kOne);
  ProviderSpec one = spec();
  one.oauth2 =
      OAuth2{.token_url = tokens.url("/token"), .client_id = "id", .client_secret = "s3cret"};
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  EXPECT_TRUE(tokens.requests.at(1).ends_with(
      "\n\nclient_id=id&client_secret=s3cret&grant_type=client_credentials"));
  RecordingServer refusing(*loop_);
  refusing.answer(401, R"({"error":"s3cret is wrong"})");
  one.oauth2->token_url = refusing.url();
  EXPECT_EQ(
      text_of(ask(one, {.text = "x"})),
      R"(unauthorized: oauth2: cannot fetch token: 401 Unauthorized: {"error":"*** is wrong"})");
  RecordingServer silly(*loop_);
  silly.answer(200, R"({"token":"x"})");
  one.oauth2->token_url = silly.url();
  EXPECT_EQ(text_of(ask(one, {.text = "x"})),
            "invalid: oauth2: server response missing access_token");
}

TEST_F(HttpSourceTest, SignsForAwsWhenTold) {
  server_.answer(200, kOne);
  ProviderSpec one = spec();
  one.address = server_.url("/workspaces/aps-workspaces");
  one.sigv4 = SigV4{.region = "eu-central-1"};
  EXPECT_EQ(ask(one, {.text = "x"}).error().code, ErrorCode::kUnauthorized);
  environment_["AWS_ACCESS_KEY_ID"] = "AKID";
  environment_["AWS_SECRET_ACCESS_KEY"] = "secret";
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  EXPECT_NE(server_.requests.at(0).find("/eu-central-1/aps/aws4_request, "
                                        "SignedHeaders=content-type;host;x-amz-date, Signature="),
            std::string::npos);
}

class OneAnswer final : public http::Handler {
 public:
  Task<http::Response> handle(http::Request) override { co_return http::Response{.body = kOne}; }
  std::unique_ptr<http::Response> refuse(const http::Request&) override { return nullptr; }
};

TEST_F(HttpSourceTest, ChecksCertificatesAgainstTheSecretUnlessToldNotTo) {
  Time now = loop_->clock().now();
  auto authority = http::make_authority("test", now);
  auto certificate = http::make_certificate(*authority, {"127.0.0.1"}, now);
  OneAnswer handler;
  auto server = http::listen(
      *loop_, {.certificate_pem = certificate->certificate_pem, .key_pem = certificate->key_pem},
      handler);
  ASSERT_TRUE(server);
  ProviderSpec one{.type = "prometheus",
                   .address = "https://127.0.0.1:" + std::to_string((*server)->port())};
  EXPECT_EQ(ask(one, {.text = "x"}).error().code, ErrorCode::kInvalid);
  one.insecure = true;
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  one.insecure = false;
  one.credentials = Credentials{{"ca.crt", authority->certificate_pem}};
  EXPECT_EQ(text_of(ask(one, {.text = "x"})), "1@1");
  run_to_end(*loop_, (*server)->stop(1s));
}

TEST_F(HttpSourceTest, ClientsAreSharedByTlsSetting) {
  auto plain = connections_.client({});
  EXPECT_EQ(plain, connections_.client({}));
  EXPECT_NE(plain, connections_.client({.verify = false}));
  for (std::size_t i = 0; i <= kMaxClients; ++i) {
    connections_.client({.server_name = std::to_string(i)});
  }
  EXPECT_NE(plain, connections_.client({}));
}

TEST_F(HttpSourceTest, TokensAreForgottenBeforeTheyExpire) {
  Time now = loop_->clock().now();
  connections_.keep_token("a", "1", now + 1h);
  connections_.keep_token("b", "2", now + 10s);
  EXPECT_EQ(connections_.token("a"), "1");
  EXPECT_EQ(connections_.token("b"), std::nullopt);
  for (std::size_t i = 0; i < kMaxTokens; ++i) {
    connections_.keep_token("t" + std::to_string(i), "x", now + 2h);
  }
  EXPECT_EQ(connections_.token("a"), std::nullopt);
  EXPECT_EQ(connections_.token("t0"), "x");
}

TEST(Excerpt, IsShortAndOnOneLine) {
  EXPECT_EQ(excerpt("a\nb\xff\n"), "a b\uFFFD");
  EXPECT_EQ(excerpt(std::string(5000, 'x')).size(), kMaxShownBytes + 3);
}

}  // namespace
}  // namespace slipway::metrics
