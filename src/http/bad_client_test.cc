// Clients that are slow, broken or hostile, over real sockets.
#include <gmock/gmock.h>

#include "http/certificate.h"
#include "http/loopback_testing.h"

namespace slipway::http::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kGet = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";

class BadClient : public Loopback {
 protected:
  static ServerOptions quick() {
    return {.max_body = 1000,
            .max_header = 4096,
            .header_timeout = 150ms,
            .body_timeout = 150ms,
            .idle_timeout = 300ms,
            .write_timeout = 200ms};
  }

  Task<> send_and_keep(std::string bytes, std::string& answer, bool& closed) {
    RawClient client(*loop_, server_->port());
    EXPECT_TRUE(client.send(bytes));
    answer = co_await client.read_to_end(2s);
    closed = client.closed;
  }
};

TEST_F(BadClient, GetsOneClearAnswerAndIsClosed) {
  struct Case {
    const char* name;
    std::string bytes;
    const char* status;
  };
  const std::string head = "POST /echo HTTP/1.1\r\nHost: x\r\n";
  const std::vector<Case> cases = {
      {"garbage", "\x01\x02\x03 what is this\r\n\r\n", "400"},
      {"TLS without a certificate", "\x16\x03\x01\x02\x00\x01\x00\x01", "400"},
      {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"},
      {"no Host", "GET /hello HTTP/1.1\r\n\r\n", "400"},
      {"two Hosts", "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
      {"bad target", "GET hello HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"bad escape", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"zero byte", "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", "400"},
      {"space in a header's name", "GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", "400"},
      {"different Content-Lengths", head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
       "400"},
      {"list of Content-Lengths", head + "Content-Length: 1, 2\r\n\r\nab", "400"},
      {"negative Content-Length", head + "Content-Length: -1\r\n\r\n", "400"},
      {"endless Content-Length", head + "Content-Length: 99999999999999999999999\r\n\r\n", "400"},
      {"length and chunks", head + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       "400"},
      {"chunks and length", head + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
       "400"},
      {"unknown coding", head + "Transfer-Encoding: gzip\r\n\r\n", "501"},
      {"unknown coding before chunked", head + "Transfer-Encoding: gzip, chunked\r\n\r\n", "501"},
      {"chunked twice", head + "Transfer-Encoding: chunked, chunked\r\n\r\n", "501"},
      {"expects magic", head + "Expect: magic\r\n\r\n", "417"},
      {"announced too large", head + "Content-Length: 1001\r\n\r\n", "413"},
      {"too large, all sent", head + "Content-Length: 1001\r\n\r\n" + std::string(1001, 'x'),
       "413"},
      {"one chunk too large", head + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n", "413"},
      {"chunks too large together",
       head + "Transfer-Encoding: chunked\r\n\r\n3e8\r\n" + std::string(1000, 'x') +
           "\r\n1\r\nx\r\n",
       "413"},
      {"huge chunk", head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc", "413"},
      {"overflowing chunk", head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc",
       "400"},
      {"no chunk at all", head + "Transfer-Encoding: chunked\r\n\r\nzzz\r\n", "400"},
      {"endless chunk extension",
       head + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(20'000, 'a'), "400"},
      {"endless trailers",
       head + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: " + std::string(20'000, 'a'), "400"},
      {"long header", "GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(5000, 'a') + "\r\n\r\n",
       "431"},
      {"long target", "GET /" + std::string(5000, 'a'), "431"},
      {"header without end", "GET / HTTP/1.1\r\nA: " + std::string(5000, 'a'), "431"},
  };
  listen(quick());
  for (const Case& c : cases) {
    std::string answer;
    bool closed = false;
    run(send_and_keep(c.bytes, answer, closed));
    EXPECT_THAT(answer, StartsWith(std::string("HTTP/1.1 ") + c.status)) << c.name;
    EXPECT_THAT(answer, HasSubstr("Connection: close")) << c.name;
    EXPECT_TRUE(closed) << c.name;
  }
  EXPECT_EQ(handler_.handled, 0);
}

class HeaderFlood : public BadClient {
 protected:
  // Many small headers, sent apart, so that the parser takes each before the next comes.
  Task<> flood(std::string& answer) {
    RawClient client(*loop_, server_->port());
    client.send("GET / HTTP/1.1\r\nHost: x\r\n");
    for (int i = 0; i < 500 && !client.closed; ++i) {
      client.send("A" + std::to_string(i) + ": " + std::string(20, 'a') + "\r\n");
      if (i % 10 == 0) co_await sleep_for(*loop_, 1ms);
    }
    answer = co_await client.read_to_end(2s);
  }
};

TEST_F(HeaderFlood, IsLimitedInAllNotOnlyInOneRead) {
  auto options = quick();
  options.header_timeout = 5s;
  listen(options);
  std::string answer;
  run(flood(answer));
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 431"));
}

class SlowClient : public BadClient {
 protected:
  Task<> trickle(std::string first, std::string repeated, std::string& answer, Duration& took) {
    RawClient client(*loop_, server_->port());
    Duration before = loop_->clock().uptime();
    client.send(first);
    while (!client.closed && loop_->clock().uptime() - before < 3s) {
      client.send(repeated);
      answer += co_await client.read_until("never", 20ms);
    }
    took = loop_->clock().uptime() - before;
  }
};

TEST_F(SlowClient, IsToldAndClosedWhenItsTimeIsOver) {
  listen(quick());
  struct Case {
    const char* name;
    const char* first;
    const char* repeated;
    const char* answer;
  };
  for (const Case& c :
       {Case{"says nothing", "", "", ""},
        Case{"slow head", "GET / HTTP/1.1\r\n", "A: b\r\n", "HTTP/1.1 408"},
        Case{"half a head", "GET / HT", "", "HTTP/1.1 408"},
        Case{"half a handshake", "\x16\x03", "", "HTTP/1.1 400"},
        Case{"slow body", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n", "x",
             "HTTP/1.1 408"}}) {
    std::string answer;
    Duration took{};
    run(trickle(c.first, c.repeated, answer, took));
    EXPECT_THAT(answer, StartsWith(c.answer)) << c.name;
    EXPECT_LT(took, 2s) << c.name;
  }
  EXPECT_EQ(handler_.handled, 0);
  EXPECT_LE(server_->counters().connections_open, 1u);
}

TEST_F(SlowClient, InATlsHandshakeIsClosedToo) {
  auto authority = make_authority("test", loop_->clock().now()).value();
  auto pair = make_certificate(authority, local_names(), loop_->clock().now()).value();
  auto options = quick();
  options.certificate_pem = pair.certificate_pem;
  options.key_pem = pair.key_pem;
  listen(options);
  struct Case {
    const char* name;
    std::string first;
  };
  for (const Case& c :
       {Case{"half a record", std::string("\x16\x03\x01\x02\x00\x01", 6)},
        Case{"garbage", "\x16" + std::string(500, 'x')}, Case{"one byte", "\x16"}}) {
    std::string answer;
    Duration took{};
    run(trickle(c.first, "", answer, took));
    EXPECT_THAT(answer, Not(HasSubstr("HTTP"))) << c.name;
    EXPECT_LT(took, 2s) << c.name;
  }
}

class HalfRequest : public BadClient {
 protected:
  Task<> send_half(std::string bytes, std::string& answer) {
    RawClient client(*loop_, server_->port());
    client.send(bytes);
    client.end_sending();
    answer = co_await client.read_to_end(2s);
    EXPECT_TRUE(client.closed);
  }
};

TEST_F(HalfRequest, IsRefusedWhenTheClientEndsSending) {
  listen(quick());
  for (const char* bytes :
       {"GET /hel", "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"}) {
    std::string answer;
    run(send_half(bytes, answer));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400")) << bytes;
  }
  std::string answer;
  run(send_half(kGet, answer));
  EXPECT_THAT(answer, EndsWith("hello\n"));
}

class LateReader : public BadClient {
 protected:
  Task<> ask_and_not_read(std::string target) {
    RawClient client(*loop_, server_->port());
    client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    for (int i = 0; i < 200 && server_->counters().connections_open == 0; ++i)
      co_await sleep_for(*loop_, 5ms);
    for (int i = 0; i < 400 && server_->counters().connections_open > 0; ++i)
      co_await sleep_for(*loop_, 10ms);
    EXPECT_EQ(server_->counters().connections_open, 0u);
  }
};

TEST_F(LateReader, IsClosedWhenItDoesNotReadABody) {
  listen(quick());
  run(ask_and_not_read("/big?size=50000000"));
}

TEST_F(LateReader, IsClosedWhenItDoesNotReadAStream) {
  listen(quick());
  run(ask_and_not_read("/ticks?count=100000&ms=0&size=100000"));
}

class Limits : public BadClient {
 protected:
  Task<> exceed_connections() {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 3; ++i)
      clients.push_back(std::make_unique<RawClient>(*loop_, server_->port()));
    for (auto& client : clients) client->send(kGet);
    EXPECT_THAT(co_await clients[0]->read_until("hello\n"), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(co_await clients[1]->read_until("hello\n"), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(co_await clients[2]->read_to_end(2s), IsEmpty());
    EXPECT_TRUE(clients[2]->closed);
    EXPECT_EQ(server_->counters().connections_total, 2u);
  }
  Task<> exceed_all_bodies() {
    const std::string head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n";
    const std::string waiting = head + "Expect: 100-continue\r\n\r\n";
    RawClient first(*loop_, server_->port());
    first.send(waiting);
    co_await first.read_until("\r\n\r\n");
    first.send(std::string(800, 'a'));
    RawClient second(*loop_, server_->port());
    second.send(waiting);
    co_await second.read_until("\r\n\r\n");
    second.send(std::string(800, 'b'));
    std::string answer = co_await second.read_to_end(2s);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 429"));
    EXPECT_THAT(answer, HasSubstr("Retry-After: 1\r\n"));
    // What was held is free again once they are gone, and once a request is answered.
    first.hang_up();
    second.hang_up();
    for (int i = 0; i < 500 && server_->counters().connections_open > 0; ++i)
      co_await sleep_for(*loop_, 10ms);
    RawClient third(*loop_, server_->port());
    const std::string letters = "cd";
    for (char c : letters) {
      third.send(head + "\r\n" + std::string(900, c));
      EXPECT_THAT(co_await third.read_until(std::string(900, c), 2s), StartsWith("HTTP/1.1 200"));
    }
  }
  Task<> stay_idle() {
    RawClient client(*loop_, server_->port());
    client.send(kGet);
    co_await client.read_until("hello\n");
    Duration before = loop_->clock().uptime();
    EXPECT_EQ(co_await client.read_to_end(5s), "");
    EXPECT_TRUE(client.closed);
    EXPECT_GE(loop_->clock().uptime() - before, 300ms);
    EXPECT_LT(loop_->clock().uptime() - before, 2s);
  }
  Task<> disturb_nobody() {
    RawClient slow(*loop_, server_->port());
    slow.send("GET / HT");
    RawClient unread(*loop_, server_->port());
    unread.send("GET /big?size=50000000 HTTP/1.1\r\nHost: x\r\n\r\n");
    RawClient good(*loop_, server_->port());
    for (int i = 0; i < 20; ++i) {
      good.send(kGet);
      EXPECT_THAT(co_await good.read_until("hello\n", 2s), EndsWith("hello\n"));
    }
  }
};

TEST_F(Limits, MoreConnectionsThanAllowedAreClosed) {
  auto options = quick();
  options.max_connections = 2;
  listen(options);
  run(exceed_connections());
}

TEST_F(Limits, MoreBodiesThanThereIsRoomForAreRefused) {
  auto options = quick();
  options.max_bodies = 1000;
  options.body_timeout = 10s;
  listen(options);
  run(exceed_all_bodies());
}

TEST_F(Limits, AnIdleConnectionIsClosedWithoutAWord) {
  listen(quick());
  run(stay_idle());
}

TEST_F(Limits, OthersAreNotDisturbed) {
  listen(quick());
  run(disturb_nobody());
}

TEST_F(Limits, ErrorBodiesAreTheOwners) {
  auto options = quick();
  options.error_body = [](int status, std::string_view message) {
    return ErrorBody{"application/json", "{\"code\":" + std::to_string(status) + ",\"message\":\"" +
                                             std::string(message) + "\"}"};
  };
  listen(options);
  std::string answer;
  bool closed = false;
  run(send_and_keep("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n", answer, closed));
  EXPECT_THAT(answer, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(
      answer,
      EndsWith("{\"code\":413,\"message\":\"the request's body is larger than 1000 bytes\"}"));
}

}  // namespace
}  // namespace slipway::http::testing
