#include "store/kube/limited_connection.h"

#include <functional>

namespace slipway::store::kube {

namespace {

// Requested when either of two is.
class Either {
 public:
  Either(std::stop_token one, std::stop_token other)
      : one_(std::move(one), [this] { source_.request_stop(); }),
        other_(std::move(other), [this] { source_.request_stop(); }) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> one_, other_;
};

class LimitedStream final : public http::ResponseStream {
 public:
  LimitedStream(std::unique_ptr<http::ResponseStream> stream, std::stop_token end)
      : stream_(std::move(stream)), end_(std::move(end)) {}
  int status() const override { return stream_->status(); }
  const http::Headers& headers() const override { return stream_->headers(); }
  Task<Result<std::string>> next(Duration idle, std::stop_token stop) override {
    const Either either(std::move(stop), end_);
    co_return co_await stream_->next(idle, either.token());
  }

 private:
  std::unique_ptr<http::ResponseStream> stream_;
  std::stop_token end_;
};

class LimitedConnection final : public Connection {
 public:
  LimitedConnection(Connection& connection, std::stop_token end)
      : connection_(connection), end_(std::move(end)) {}

  Task<Result<http::Response>> send(Call call, std::stop_token stop) override {
    if (end_.stop_requested()) co_return ended();
    const Either either(std::move(stop), end_);
    co_return co_await connection_.send(std::move(call), either.token());
  }
  Task<Result<std::unique_ptr<http::ResponseStream>>> open(Call call,
                                                           std::stop_token stop) override {
    if (end_.stop_requested()) co_return ended();
    const Either either(std::move(stop), end_);
    auto stream = co_await connection_.open(std::move(call), either.token());
    if (!stream) co_return std::unexpected(std::move(stream).error());
    co_return std::make_unique<LimitedStream>(std::move(*stream), end_);
  }

 private:
  static std::unexpected<Error> ended() {
    return fail(ErrorCode::kCancelled, "the time of this connection is over");
  }

  Connection& connection_;
  std::stop_token end_;
};

}  // namespace

std::unique_ptr<Connection> limit_connection(Connection& connection, std::stop_token end) {
  return std::make_unique<LimitedConnection>(connection, std::move(end));
}

}  // namespace slipway::store::kube
