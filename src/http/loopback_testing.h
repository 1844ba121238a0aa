#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "async/gate.h"
#include "async/readiness.h"
#include "async/real_loop.h"
#include "async/signal.h"
#include "http/client.h"
#include "http/server.h"

// A server with a handler that does a little of everything, and a client that sends what it likes.
namespace slipway::http::testing {

using namespace std::chrono_literals;

// Gives `count` pieces with a pause before each; with count 0 none, until it is stopped.
class Ticker final : public Stream {
 public:
  Ticker(Loop& loop, int count, Duration pause, std::string piece)
      : loop_(loop), left_(count), pause_(pause), piece_(std::move(piece)) {}
  Task<Result<std::string>> next(std::stop_token stop) override {
    if (left_ == 0) {
      co_await sleep_for(loop_, 1h, stop);
      co_return std::string();
    }
    if (left_ == 1 || !co_await sleep_for(loop_, pause_, stop)) co_return std::string();
    --left_;
    co_return piece_;
  }

 private:
  Loop& loop_;
  int left_;
  Duration pause_;
  std::string piece_;
};

class FailingStream final : public Stream {
 public:
  Task<Result<std::string>> next(std::stop_token) override {
    if (std::exchange(sent_, true)) co_return fail(ErrorCode::kInternal, "broken");
    co_return std::string("half");
  }

 private:
  bool sent_ = false;
};

class TestHandler final : public Handler {
 public:
  explicit TestHandler(Loop& loop) : loop_(loop) {}

  Task<Response> handle(Request request) override {
    ++handled;
    const std::string& path = request.target.path;
    if (path == "/slow") {
      if (!co_await sleep_for(loop_, 300ms, request.gone)) ++gone;
      co_return Response{.body = "slow"};
    }
    if (path == "/idle") {
      co_return Response{.stream = std::make_unique<Ticker>(loop_, 0, 0s, "")};
    }
    co_return answer(request);
  }

  std::unique_ptr<Response> refuse(const Request& head) override {
    EXPECT_TRUE(head.body.empty());
    if (head.target.path != "/refused") return nullptr;
    return std::make_unique<Response>(Response{.status = 403, .body = "no\n"});
  }

  int handled = 0;
  int gone = 0;
  std::string last_peer;

 private:
  static std::size_t number(const Request& request, std::string_view name) {
    const std::string* text = request.target.find(name);
    return text ? std::stoul(*text) : 0;
  }

  Response answer(const Request& request) {
    last_peer = request.peer;
    const std::string& path = request.target.path;
    if (path == "/echo") {
      Response response{.body = request.body};
      response.headers.add("X-Method", request.method);
      response.headers.add("X-Tls", request.tls ? "yes" : "no");
      response.headers.add("X-Type", std::string(request.headers.get("Content-Type")));
      return response;
    }
    if (path == "/big") return {.body = std::string(number(request, "size"), 'b')};
    if (path == "/parts") {
      Response response;
      for (std::size_t i = 0; i < number(request, "count"); ++i) {
        response.parts.push_back(
            std::make_shared<const std::string>("part " + std::to_string(i) + "\n"));
      }
      return response;
    }
    if (path == "/ticks") {
      int count = static_cast<int>(number(request, "count")) + 1;
      std::size_t size = std::max<std::size_t>(number(request, "size"), 5);
      return {.stream = std::make_unique<Ticker>(loop_, count,
                                                 std::chrono::milliseconds(number(request, "ms")),
                                                 std::string(size, 't'))};
    }
    if (path == "/broken") return {.stream = std::make_unique<FailingStream>()};
    if (path == "/none") return {.status = 204};
    if (path == "/moved") {
      Response response{.status = 302, .body = "elsewhere"};
      response.headers.add("Location", "/hello");
      return response;
    }
    if (path == "/hello") return {.body = "hello\n"};
    return {.status = 404, .body = "nothing at " + path + "\n"};
  }

  Loop& loop_;
};

// Sends any bytes over a plain socket.
class RawClient {
 public:
  RawClient(Loop& loop, std::uint16_t port) : loop_(loop) {
    socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawClient() { hang_up(); }
  RawClient(const RawClient&) = delete;

  // What fits without waiting; true when it was all of it.
  bool send(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
           static_cast<ssize_t>(bytes.size());
  }
  void end_sending() { shutdown(socket_, SHUT_WR); }
  void hang_up() {
    readiness_.reset();
    if (socket_ >= 0) close(std::exchange(socket_, -1));
  }

  // Until `mark` has come, the server closes (noted in `closed`), or the time is over.
  Task<std::string> read_until(std::string mark, Duration timeout = 10s) {
    Duration until = loop_.clock().uptime() + timeout;
    while (received_.find(mark) == std::string::npos && !closed) {
      if (!co_await wait(until - loop_.clock().uptime())) break;
      char block[4096];
      ssize_t got = recv(socket_, block, sizeof block, MSG_DONTWAIT);
      if (got > 0) received_.append(block, static_cast<std::size_t>(got));
      closed = got == 0 || (got < 0 && errno != EAGAIN);
    }
    std::size_t end = received_.find(mark);
    std::size_t size = end == std::string::npos ? received_.size() : end + mark.size();
    std::string taken = received_.substr(0, size);
    received_.erase(0, size);
    co_return taken;
  }
  Task<std::string> read_to_end(Duration timeout = 10s) {
    return read_until("no such mark", timeout);
  }

  bool closed = false;

 private:
  Task<bool> wait(Duration timeout) {
    Signal ready(loop_);
    readiness_ = std::make_unique<Readiness>(loop_, socket_);
    readiness_->when_readable([&ready] { ready.notify_all(); });
    bool notified = co_await ready.wait(timeout, {}) == Signal::Wake::kNotified;
    readiness_.reset();
    co_return notified;
  }

  Loop& loop_;
  int socket_ = -1;
  std::unique_ptr<Readiness> readiness_;
  std::string received_;
};

class Loopback : public ::testing::Test {
 protected:
  void run(Task<> task) { run_to_end(*loop_, std::move(task)); }

  void TearDown() override {
    if (server_) run(server_->stop(1s));
  }

  void listen(ServerOptions options = {}) {
    auto made = http::listen(*loop_, std::move(options), handler_);
    ASSERT_TRUE(made) << made.error().text();
    server_ = std::move(*made);
  }
  std::string url(std::string path, std::string scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(server_->port()) + path;
  }

  std::unique_ptr<Loop> loop_ = make_loop();
  TestHandler handler_{*loop_};
  std::unique_ptr<Server> server_;
};

}  // namespace slipway::http::testing
