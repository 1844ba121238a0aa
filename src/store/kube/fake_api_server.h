#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "async/real_loop.h"
#include "async/signal.h"
#include "http/server.h"
#include "store/kube/connection.h"

// An API server that says what a test wants, over real HTTP.
namespace slipway::store::kube {

struct Reply {
  enum class End { kEnds, kBreaks, kHangs };

  int status = 200;
  std::string body = {};
  http::Headers headers = {};
  std::vector<std::string> pieces = {};  // instead of a body: a stream
  End end = End::kEnds;                  // of the stream
};

inline Reply watch_reply(std::vector<std::string> pieces, Reply::End end = Reply::End::kHangs) {
  return {.pieces = std::move(pieces), .end = end};
}
inline Reply refusal_reply(int status, std::string reason, http::Headers headers = {}) {
  return {.status = status,
          .body = json::write(json::Object{{"kind", "Status"},
                                           {"reason", reason},
                                           {"code", status},
                                           {"message", "refused: " + reason}}),
          .headers = std::move(headers)};
}

class FakeApiServer final : public http::Handler {
 public:
  FakeApiServer() {
    auto server = http::listen(*loop_, {}, *this);
    EXPECT_TRUE(server) << server.error().text();
    server_ = std::move(*server);
  }
  ~FakeApiServer() override { run_to_end(*loop_, server_->stop(Duration::zero())); }

  // Answers in this order; over them: 500.
  std::deque<Reply> replies;
  // What was asked: "GET /path?query", and the requests themselves.
  std::vector<std::string> asked;
  std::vector<http::Request> requests;

  Loop& loop() { return *loop_; }
  Pool& pool() { return *pool_; }
  Access access() const {
    return {.server = "http://127.0.0.1:" + std::to_string(server_->port())};
  }
  template <class T>
  T run(Task<T> task) {
    return run_to_end(*loop_, std::move(task));
  }

  Task<http::Response> handle(http::Request request) override {
    asked.push_back(request.method + " " + request.target.path +
                    (request.target.query.empty() ? "" : "?") +
                    http::format_query(request.target.query));
    requests.push_back(std::move(request));
    if (replies.empty()) co_return http::Response{.status = 500, .body = "no reply is left"};
    Reply reply = std::move(replies.front());
    replies.pop_front();
    http::Response response{.status = reply.status, .headers = reply.headers, .body = reply.body};
    if (!reply.pieces.empty() || reply.end != Reply::End::kEnds) {
      response.stream = std::make_unique<ScriptedStream>(*loop_, std::move(reply));
    }
    co_return response;
  }
  std::unique_ptr<http::Response> refuse(const http::Request&) override { return nullptr; }

 private:
  class ScriptedStream final : public http::Stream {
   public:
    ScriptedStream(Loop& loop, Reply reply) : never_(loop), reply_(std::move(reply)) {}
    Task<Result<std::string>> next(std::stop_token stop) override {
      if (given_ < reply_.pieces.size()) co_return reply_.pieces[given_++];
      if (reply_.end == Reply::End::kBreaks) co_return fail(ErrorCode::kUnavailable, "broken");
      if (reply_.end == Reply::End::kHangs) co_await never_.wait(stop);
      co_return std::string();
    }

   private:
    Signal never_;
    Reply reply_;
    std::size_t given_ = 0;
  };

  std::unique_ptr<Loop> loop_ = make_loop();
  std::unique_ptr<Pool> pool_ = make_thread_pool(1);
  std::unique_ptr<http::Server> server_;
};

}  // namespace slipway::store::kube
