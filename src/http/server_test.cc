#include "http/server.h"

#include <gmock/gmock.h>

#include "http/loopback_testing.h"

namespace slipway::http::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string get(std::string target, std::string extra = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + extra + "\r\n";
}

class ServerTest : public Loopback {
 protected:
  void SetUp() override { listen(); }

  // One request, one answer up to `end` of its body.
  Task<> exchange(std::string request, std::string end, std::string& answer) {
    RawClient client(*loop_, server_->port());
    client.send(request);
    answer = co_await client.read_until(end, 3s);
  }
  std::string exchange(std::string request, std::string end) {
    std::string answer;
    run(exchange(std::move(request), std::move(end), answer));
    return answer;
  }
};

TEST_F(ServerTest, FramesEachKindOfAnswer) {
  EXPECT_EQ(exchange(get("/hello"), "hello\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n");
  EXPECT_EQ(exchange(get("/none"), "\r\n\r\n"), "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(
      exchange(get("/ticks?count=2&ms=1"), "0\r\n\r\n"),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nttttt\r\n5\r\nttttt\r\n0\r\n\r\n");
  EXPECT_EQ(exchange(get("/parts?count=3"), "part 2\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\npart 0\npart 1\npart 2\n");
  EXPECT_EQ(exchange(get("/hello", "Connection: close\r\n"), "hello\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n");
}

TEST_F(ServerTest, AnswersHeadWithTheSizeAlone) {
  std::string head = "HEAD /big?size=1234 HTTP/1.1\r\nHost: x\r\n\r\n";
  EXPECT_EQ(exchange(head + get("/hello"), "hello\n"),
            "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n"
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n");
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  std::string answer = exchange(get("/slow") + get("/hello") + get("/absent"), "/absent\n");
  EXPECT_LT(answer.find("slow"), answer.find("hello"));
  EXPECT_LT(answer.find("hello"), answer.find("404 Not Found"));
  EXPECT_EQ(handler_.gone, 0);
}

TEST_F(ServerTest, SpeaksHttp10WithoutChunks) {
  EXPECT_EQ(exchange("GET /ticks?count=2&ms=1 HTTP/1.0\r\n\r\n", "tttttttttt"),
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ntttttttttt");
  EXPECT_THAT(exchange("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "hello\n"),
              Not(HasSubstr("Connection: close")));
}

TEST_F(ServerTest, ReadsChunkedBodiesAndDropsTrailers) {
  std::string request =
      "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "4;ext=1\r\nbody\r\n3\r\n1\r\n\r\n0\r\nContent-Type: evil\r\n\r\n";
  std::string answer = exchange(request + get("/hello"), "hello\n");
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nbody1\r\nHTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("X-Type: \r\n"));
}

TEST_F(ServerTest, DropsAnEmptyLineBetweenRequests) {
  EXPECT_THAT(exchange(get("/none") + "\r\n" + get("/hello"), "hello\n"), EndsWith("hello\n"));
}

TEST_F(ServerTest, NeverLetsAHeaderBreakTheLine) {
  std::string answer =
      exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: a\tb\r\nContent-Length: 0\r\n\r\n",
               "\r\n\r\n");
  EXPECT_THAT(answer, HasSubstr("X-Type: a b\r\n"));
}

class Steps : public ServerTest {
 protected:
  Task<> all_closed() {
    for (int i = 0; i < 500 && server_->counters().connections_open > 0; ++i) {
      co_await sleep_for(*loop_, 10ms);
    }
    EXPECT_EQ(server_->counters().connections_open, 0u);
  }
  Task<> expect_continue() {
    RawClient client(*loop_, server_->port());
    client.send(
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(co_await client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("body");
    EXPECT_THAT(co_await client.read_until("body"), StartsWith("HTTP/1.1 200 OK"));
    client.send(
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nhere");
    EXPECT_THAT(co_await client.read_until("here"), StartsWith("HTTP/1.1 200 OK"));
  }
  Task<> refuse_before_the_body() {
    RawClient client(*loop_, server_->port());
    client.send(
        "POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: "
        "100-continue\r\n\r\n");
    std::string answer = co_await client.read_to_end(1s);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 403 Forbidden"));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
    RawClient other(*loop_, server_->port());
    other.send(get("/refused") + get("/hello"));
    EXPECT_THAT(co_await other.read_until("hello\n"), HasSubstr("no\nHTTP/1.1 200"));
    EXPECT_EQ(handler_.handled, 1);
  }
  Task<> leave_while_handled() {
    RawClient client(*loop_, server_->port());
    client.send(get("/slow"));
    co_await sleep_for(*loop_, 30ms);
    client.hang_up();
    co_await all_closed();
    EXPECT_EQ(handler_.gone, 1);
  }
  Task<> leave_an_idle_stream() {
    RawClient client(*loop_, server_->port());
    client.send(get("/idle"));
    EXPECT_THAT(co_await client.read_until("\r\n\r\n"), HasSubstr("chunked"));
    EXPECT_EQ(server_->counters().connections_open, 1u);
    client.hang_up();
    co_await all_closed();
  }
  Task<> read_a_broken_stream() {
    RawClient client(*loop_, server_->port());
    client.send(get("/broken"));
    EXPECT_THAT(co_await client.read_to_end(), EndsWith("\r\n\r\n4\r\nhalf\r\n"));
    EXPECT_TRUE(client.closed);
  }
};

TEST_F(Steps, SaysContinueWhenTheBodyWaitsForIt) { run(expect_continue()); }
TEST_F(Steps, RefusesWithTheHeadAloneAndDoesNotReadTheBody) { run(refuse_before_the_body()); }
TEST_F(Steps, NoticesThatTheClientLeftWhileItsRequestIsHandled) { run(leave_while_handled()); }
TEST_F(Steps, NoticesThatTheClientOfAnIdleStreamLeft) { run(leave_an_idle_stream()); }
TEST_F(Steps, AStreamThatFailsHasNoEnd) { run(read_a_broken_stream()); }
class Stopping : public ServerTest {
 protected:
  Task<> stop_with_all_kinds() {
    RawClient idle(*loop_, server_->port());
    RawClient stream(*loop_, server_->port());
    RawClient slow(*loop_, server_->port());
    idle.send(get("/hello"));
    stream.send(get("/idle"));
    slow.send(get("/slow"));
    co_await idle.read_until("hello\n");
    co_await stream.read_until("\r\n\r\n");
    Duration before = loop_->clock().uptime();
    co_await server_->stop(2s);
    EXPECT_LT(loop_->clock().uptime() - before, 1900ms);
    EXPECT_EQ(co_await idle.read_to_end(), "");
    EXPECT_EQ(co_await stream.read_to_end(), "0\r\n\r\n");
    std::string answer = co_await slow.read_to_end();
    EXPECT_THAT(answer, EndsWith("slow"));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
    EXPECT_EQ(handler_.gone, 0);
  }
  Task<> stop_without_grace() {
    RawClient slow(*loop_, server_->port());
    slow.send(get("/slow"));
    co_await sleep_for(*loop_, 30ms);
    co_await server_->stop(0s);
    EXPECT_EQ(handler_.gone, 1);
    EXPECT_EQ(co_await slow.read_to_end(), "");
  }
};

TEST_F(Stopping, EndsStreamsAndLetsRequestsFinish) {
  run(stop_with_all_kinds());
  server_.reset();
}
TEST_F(Stopping, WithoutGraceEndsRequestsToo) {
  run(stop_without_grace());
  server_.reset();
}

TEST_F(ServerTest, SaysWhyItCannotListen) {
  auto second = http::listen(*loop_, {.port = server_->port()}, handler_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message, HasSubstr("Address already in use"));
  auto bad = http::listen(*loop_, {.certificate_pem = "x", .key_pem = "y"}, handler_);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalid);
}

class ManyStreams : public Loopback {
 protected:
  static constexpr std::size_t kStreams = 1000;

  Task<> hold_many() {
    std::vector<std::unique_ptr<RawClient>> watchers;
    for (std::size_t i = 0; i < kStreams; ++i) {
      watchers.push_back(std::make_unique<RawClient>(*loop_, server_->port()));
      watchers.back()->send(get("/idle"));
      if (i % 50 == 0) co_await next_turn(*loop_);
    }
    for (auto& watcher : watchers) {
      EXPECT_THAT(co_await watcher->read_until("\r\n\r\n"), HasSubstr("chunked"));
    }
    EXPECT_EQ(server_->counters().connections_open, kStreams);
    RawClient other(*loop_, server_->port());
    other.send(get("/hello"));
    Duration before = loop_->clock().uptime();
    EXPECT_THAT(co_await other.read_until("hello\n"), EndsWith("hello\n"));
    EXPECT_LT(loop_->clock().uptime() - before, 1s);
    for (std::size_t i = 0; i < kStreams; i += 2) watchers[i]->hang_up();
    for (int i = 0; i < 500 && server_->counters().connections_open > kStreams / 2 + 1; ++i) {
      co_await sleep_for(*loop_, 10ms);
    }
    EXPECT_EQ(server_->counters().connections_open, kStreams / 2 + 1);
  }
};

TEST_F(ManyStreams, AThousandIdleOnesDisturbNobodyAndEndTogether) {
  listen();
  run(hold_many());
}

}  // namespace
}  // namespace slipway::http::testing
