#include "http/client.h"

#include <gmock/gmock.h>

#include "async/wait_all.h"
#include "http/certificate.h"
#include "http/loopback_testing.h"
#include "http/set_certificate.h"

namespace slipway::http::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class ClientTest : public Loopback {
 protected:
  void SetUp() override {
    Time now = loop_->clock().now();
    authority_ = make_authority("test", now).value();
    auto pair = make_certificate(authority_, local_names(), now).value();
    listen({.certificate_pem = pair.certificate_pem, .key_pem = pair.key_pem});
    client_ = make_client(*loop_, {.ca_pem = authority_.certificate_pem});
  }

  Result<Response> send(ClientRequest request, std::stop_token stop = {}) {
    return run_to_end(*loop_, client_->send(std::move(request), std::move(stop)));
  }

  KeyPair authority_;
  std::unique_ptr<Client> client_;
};

TEST_F(ClientTest, SpeaksPlainAndTlsToOnePort) {
  for (std::string scheme : {"http", "https"}) {
    auto response = send({.method = "PUT", .url = url("/echo?a=b", scheme), .body = "text"});
    ASSERT_TRUE(response) << response.error().text();
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, "text");
    EXPECT_EQ(response->headers.get("x-method"), "PUT");
    EXPECT_EQ(response->headers.get("X-Tls"), scheme == "https" ? "yes" : "no");
    EXPECT_EQ(response->headers.get("X-Type"), "");
  }
}

TEST_F(ClientTest, ReusesItsConnection) {
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(send({.url = url("/hello", "https")}));
  EXPECT_EQ(server_->counters().connections_total, 1u);
}

TEST_F(ClientTest, SendsEveryMethodWithOrWithoutBody) {
  for (std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
    for (std::string body : {std::string(), std::string(2'000'000, 'x')}) {
      auto response = send({.method = method, .url = url("/echo", "https"), .body = body});
      ASSERT_TRUE(response) << response.error().text();
      EXPECT_EQ(response->headers.get("X-Method"), method);
      EXPECT_EQ(response->body == body, true) << method;
    }
  }
  auto head = send({.method = "HEAD", .url = url("/big?size=77")});
  ASSERT_TRUE(head) << head.error().text();
  EXPECT_EQ(head->headers.get("Content-Length"), "77");
  EXPECT_EQ(head->body, "");
}

TEST_F(ClientTest, AnyStatusIsAnAnswer) {
  EXPECT_EQ(send({.url = url("/absent")})->status, 404);
  EXPECT_EQ(send({.url = url("/none")})->status, 204);
  EXPECT_EQ(
      send({.method = "POST", .url = url("/echo"), .body = std::string(4'000'000, 'x')})->status,
      413);
}

TEST_F(ClientTest, SendsAPathAsItIs) {
  for (const char* path : {"/echo/..", "/absent/../echo", "/./echo"})
    EXPECT_EQ(send({.url = url(path)})->status, 404) << path;
}

TEST_F(ClientTest, FollowsRedirectsOnlyWhenAsked) {
  EXPECT_EQ(send({.url = url("/moved")})->status, 302);
  auto followed = send({.url = url("/moved"), .follow_redirects = true});
  EXPECT_EQ(followed->status, 200);
  EXPECT_EQ(followed->body, "hello\n");
}

TEST_F(ClientTest, UnpacksLargeAnswersThatCameCompressed) {
  for (std::string scheme : {"http", "https"}) {
    auto big = send({.url = url("/big?size=3000000", scheme)});
    ASSERT_TRUE(big) << big.error().text();
    EXPECT_EQ(big->headers.get("Content-Encoding"), "gzip");
    EXPECT_EQ(big->body == std::string(3'000'000, 'b'), true);
    auto parts = send({.url = url("/parts?count=30000", scheme)});
    ASSERT_TRUE(parts) << parts.error().text();
    EXPECT_EQ(parts->headers.get("Content-Encoding"), "gzip");
    EXPECT_THAT(parts->body, EndsWith("part 29998\npart 29999\n"));
    auto small = send({.url = url("/parts?count=1000", scheme)});
    EXPECT_FALSE(small->headers.has("Content-Encoding"));
    EXPECT_THAT(small->body, EndsWith("part 999\n"));
  }
}

TEST_F(ClientTest, CarriesManyPartsUncompressed) {
  ClientRequest request{.url = url("/parts?count=30000", "https")};
  request.headers.add("Accept-Encoding", "identity");
  auto parts = send(request);
  ASSERT_TRUE(parts) << parts.error().text();
  EXPECT_FALSE(parts->headers.has("Content-Encoding"));
  EXPECT_EQ(parts->body.size(), std::stoul(std::string(parts->headers.get("Content-Length"))));
  EXPECT_THAT(parts->body, EndsWith("part 29998\npart 29999\n"));
}

TEST_F(ClientTest, FailuresHaveACodeAndNoSecrets) {
  RawClient used(*loop_, server_->port());
  struct Case {
    const char* name;
    ClientRequest request;
    ErrorCode code;
  };
  for (Case& c : std::vector<Case>{
           {"no server",
            {.url = "http://user:secret@127.0.0.1:1/x?token=secret"},
            ErrorCode::kUnavailable},
           {"no URL", {.url = "::: secret"}, ErrorCode::kInvalid},
           {"another scheme", {.url = "file:///etc/secret"}, ErrorCode::kInvalid},
           {"slow", {.url = url("/slow?token=secret"), .timeout = 50ms}, ErrorCode::kTimeout},
           {"large", {.url = url("/big?size=2000"), .max_body = 1000}, ErrorCode::kTooLarge},
           {"large packed",
            {.url = url("/big?size=2000000"), .max_body = 1'000'000},
            ErrorCode::kTooLarge}}) {
    auto response = send(c.request);
    ASSERT_FALSE(response) << c.name;
    EXPECT_EQ(response.error().code, c.code) << c.name << ": " << response.error().text();
    if (c.request.url.starts_with("http")) {
      EXPECT_THAT(response.error().message, Not(HasSubstr("secret"))) << c.name;
    }
  }
}

TEST_F(ClientTest, AStopEndsARequest) {
  std::stop_source source;
  auto timer = loop_->clock().call_after(20ms, [&source] { source.request_stop(); });
  auto response = send({.url = url("/slow")}, source.get_token());
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kCancelled);
  auto again = send({.url = url("/hello")}, source.get_token());
  EXPECT_EQ(again.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(send({.url = url("/hello")}));
}

TEST_F(ClientTest, AsksNoProxyForThisMachine) {
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  auto response = send({.url = url("/hello")});
  unsetenv("http_proxy");
  EXPECT_TRUE(response) << response.error().text();
}

TEST_F(ClientTest, ManyAtOnce) {
  std::vector<Task<Result<Response>>> tasks;
  for (int i = 0; i < 100; ++i)
    tasks.push_back(client_->send({.url = url("/hello", i % 2 ? "http" : "https")}, {}));
  for (auto& response : run_to_end(*loop_, wait_all(*loop_, std::move(tasks)))) {
    ASSERT_TRUE(response) << response.error().text();
    EXPECT_EQ(response->body, "hello\n");
  }
}

Task<Result<>> note_answer(Client& client, std::string url, std::vector<std::string>& bodies) {
  auto response = co_await client.send({.url = std::move(url)}, {});
  bodies.push_back(response ? response->body : response.error().text());
  co_return Result<>();
}

TEST_F(ClientTest, ASlowAnswerHoldsUpNobodyElse) {
  for (std::string scheme : {"http", "https"}) {
    const auto fresh = make_client(*loop_, {.ca_pem = authority_.certificate_pem});
    std::vector<std::string> bodies;
    std::vector<Task<Result<>>> tasks;
    for (const char* path : {"/slow", "/hello", "/hello"})
      tasks.push_back(note_answer(*fresh, url(path, scheme), bodies));
    (void)run_to_end(*loop_, wait_all(*loop_, std::move(tasks)));
    EXPECT_THAT(bodies, ::testing::ElementsAre("hello\n", "hello\n", "slow")) << scheme;
  }
}

class Trust : public ClientTest {};

TEST_F(Trust, OnlyTheRightAuthorityAndNameUnlessToldNotToCheck) {
  auto other = make_authority("other", loop_->clock().now()).value();
  struct Case {
    const char* name;
    Tls tls;
    bool trusted;
  };
  std::string own = authority_.certificate_pem;
  for (Case& c : std::vector<Case>{
           {"own authority", {.ca_pem = own}, true},
           {"another authority", {.ca_pem = other.certificate_pem}, false},
           {"the system's", {}, false},
           {"not checked", {.verify = false}, true},
           {"another name of it", {.ca_pem = own, .server_name = "kubernetes.default.svc"}, true},
           {"a wrong name", {.ca_pem = own, .server_name = "example.com"}, false},
           {"no certificate", {.ca_pem = "garbage"}, false}}) {
    client_ = make_client(*loop_, c.tls);
    auto response = send({.url = url("/hello", "https")});
    EXPECT_EQ(response.has_value(), c.trusted)
        << c.name << (response ? "" : response.error().text());
    if (!response) {
      EXPECT_EQ(response.error().code, ErrorCode::kInvalid) << c.name;
    }
  }
}

TEST_F(Trust, AnotherPlaceToConnectToChangesNeitherNameNorCertificate) {
  const std::string place = fmt::format("127.0.0.1:{}", server_->port());
  const std::string own = authority_.certificate_pem;
  struct Case {
    const char* url;
    Tls tls;
    bool trusted;
  };
  for (const Case& c :
       std::vector<Case>{{"http://web.shop.svc/hello", {}, true},
                         {"http://web.shop:8080/hello", {}, true},
                         {"https://kubernetes.default.svc/hello", {.ca_pem = own}, true},
                         {"https://web.shop.svc/hello", {.ca_pem = own}, false},
                         {"https://web.shop.svc/hello", {.verify = false}, true},
                         {"https://web.shop.svc/hello",
                          {.ca_pem = own, .server_name = "kubernetes.default.svc"},
                          true}}) {
    client_ = make_client(*loop_, c.tls);
    const auto response = send({.url = c.url, .connect_to = place});
    ASSERT_EQ(response.has_value(), c.trusted)
        << c.url << (response ? "" : " " + response.error().text());
    if (response) EXPECT_EQ(response->body, "hello\n") << c.url;
  }
}

TEST_F(Trust, ANewCertificateIsForNewConnectionsAndDropsNone) {
  ASSERT_TRUE(send({.url = url("/hello", "https")}));
  const Time now = loop_->clock().now();
  const auto other = make_authority("other", now).value();
  const auto pair = make_certificate(other, local_names(), now).value();
  for (const KeyPair& bad : {KeyPair{pair.certificate_pem, authority_.key_pem},
                             KeyPair{"garbage", pair.key_pem}, KeyPair{}}) {
    const auto refused = set_certificate(*server_, bad);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  }
  const auto second = make_client(*loop_, {.ca_pem = authority_.certificate_pem});
  EXPECT_TRUE(run_to_end(*loop_, second->send({.url = url("/hello", "https")})));
  ASSERT_TRUE(set_certificate(*server_, pair));
  const auto connections = server_->counters().connections_total;
  EXPECT_TRUE(send({.url = url("/hello", "https")}));
  EXPECT_EQ(server_->counters().connections_total, connections);
  client_ = make_client(*loop_, {.ca_pem = authority_.certificate_pem});
  EXPECT_FALSE(send({.url = url("/hello", "https")}));
  client_ = make_client(*loop_, {.ca_pem = other.certificate_pem});
  EXPECT_TRUE(send({.url = url("/hello", "https")}));
}

class Streams : public ClientTest {
 protected:
  Task<> read_all(std::string path, std::string scheme, std::string& body, int& pieces) {
    auto stream = co_await client_->open({.url = url(path, scheme)}, {});
    if (!stream) {
      ADD_FAILURE() << stream.error().text();
      co_return;
    }
    EXPECT_EQ((*stream)->status(), 200);
    for (;;) {
      auto piece = co_await (*stream)->next(5s, {});
      if (!piece) {
        ADD_FAILURE() << piece.error().text();
        co_return;
      }
      if (piece->empty()) break;
      body += *piece;
      ++pieces;
    }
  }
  // What next() and open() fail with.
  Task<> keep_failure(std::string path, Duration timeout, Duration idle, std::stop_token stop,
                      std::optional<ErrorCode>& failure) {
    auto stream = co_await client_->open({.url = url(path), .timeout = timeout}, stop);
    if (!stream) {
      failure = stream.error().code;
      co_return;
    }
    for (;;) {
      auto piece = co_await (*stream)->next(idle, stop);
      if (!piece) failure = piece.error().code;
      if (!piece || piece->empty()) co_return;
    }
  }
  // The server can be ahead only by what the sockets and the client's buffer hold.
  Task<> read_slowly() {
    auto stream = co_await client_->open({.url = url("/ticks?count=400&ms=0&size=100000")}, {});
    EXPECT_TRUE(stream);
    if (!stream) co_return;
    co_await sleep_for(*loop_, 300ms);
    auto first = co_await (*stream)->next(1s, {});
    EXPECT_TRUE(first && first->size() <= 2 * 1024 * 1024);
    std::size_t total = first->size();
    while (total < 40'000'000) {
      auto piece = co_await (*stream)->next(5s, {});
      if (!piece || piece->empty()) break;
      total += piece->size();
    }
    EXPECT_EQ(total, 40'000'000u);
  }
  Task<> drop_early() {
    {
      auto stream = co_await client_->open({.url = url("/idle", "https")}, {});
      EXPECT_TRUE(stream);
      EXPECT_EQ(server_->counters().connections_open, 1u);
    }
    for (int i = 0; i < 100 && server_->counters().connections_open > 0; ++i)
      co_await sleep_for(*loop_, 5ms);
    EXPECT_EQ(server_->counters().connections_open, 0u);
  }
  Task<> outlive_the_client() {
    auto stream = co_await client_->open({.url = url("/ticks?count=3&ms=20")}, {});
    client_.reset();
    EXPECT_EQ(*co_await (*stream)->next(1s, {}), "ttttt");
  }
};

TEST_F(Streams, GivePiecesAsTheyCome) {
  for (std::string scheme : {"http", "https"}) {
    std::string body;
    int pieces = 0;
    run(read_all("/ticks?count=5&ms=20", scheme, body, pieces));
    EXPECT_EQ(body, std::string(25, 't'));
    EXPECT_EQ(pieces, 5);
  }
}

TEST_F(Streams, FailWithTheReason) {
  std::stop_source source;
  auto timer = loop_->clock().call_after(50ms, [&source] { source.request_stop(); });
  struct Case {
    const char* path;
    Duration timeout, idle;
    std::stop_token stop;
    ErrorCode code;
  };
  for (const Case& c : {Case{"/idle", 5s, 50ms, {}, ErrorCode::kTimeout},
                        Case{"/slow", 50ms, 5s, {}, ErrorCode::kTimeout},
                        Case{"/idle", 5s, 5s, source.get_token(), ErrorCode::kCancelled},
                        Case{"/broken", 5s, 5s, {}, ErrorCode::kUnavailable}}) {
    std::optional<ErrorCode> failure;
    run(keep_failure(c.path, c.timeout, c.idle, c.stop, failure));
    EXPECT_EQ(failure, c.code) << c.path;
  }
}

TEST_F(Streams, HoldTheSenderBackWhenNotRead) { run(read_slowly()); }
TEST_F(Streams, CloseTheirConnectionWhenDroppedEarly) { run(drop_early()); }
TEST_F(Streams, MayOutliveTheirClient) { run(outlive_the_client()); }

}  // namespace
}  // namespace slipway::http::testing
