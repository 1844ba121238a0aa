#include "cli/cluster_connection.h"

#include <utility>

namespace slipway::cli {

namespace kube = store::kube;

namespace {

kube::Call call_of(std::string method, std::string path, const json::Value& body,
                   Duration timeout) {
  kube::Call call{.method = std::move(method), .target = std::move(path), .timeout = timeout};
  call.headers.set("Accept", "application/json");
  if (!body.is_null()) {
    call.body = json::write(body);
    call.headers.set("Content-Type", "application/json");
  }
  return call;
}

class ClusterOfFlags final : public metrics::KubeConnection {
 public:
  ClusterOfFlags(Loop& loop, ServerFlags flags) : loop_(loop), flags_(std::move(flags)) {}

  Task<Result<json::Value>> call(std::string method, std::string path, json::Value body,
                                 Duration timeout, std::stop_token stop) override {
    if (!session_) {
      auto opened = Session::open(flags_, &loop_);
      if (!opened) co_return std::unexpected(std::move(opened).error());
      session_ = std::move(*opened);
    }
    co_return co_await session_->send(call_of(std::move(method), std::move(path), body, timeout),
                                      std::move(stop));
  }

 private:
  Loop& loop_;
  ServerFlags flags_;
  std::unique_ptr<Session> session_;
};

class ClusterBehind final : public metrics::KubeConnection {
 public:
  explicit ClusterBehind(kube::Connection& connection) : connection_(connection) {}

  Task<Result<json::Value>> call(std::string method, std::string path, json::Value body,
                                 Duration timeout, std::stop_token stop) override {
    auto response = co_await connection_.send(
        call_of(std::move(method), std::move(path), body, timeout), std::move(stop));
    if (!response) co_return std::unexpected(std::move(response).error());
    if (response->status >= 400) co_return std::unexpected(kube::error_of(*response));
    co_return json::read(response->body, {.max_bytes = response->body.size()});
  }

  bool is_shared() const override { return true; }

 private:
  kube::Connection& connection_;
};

}  // namespace

std::unique_ptr<metrics::KubeConnection> cluster_of(Loop& loop, ServerFlags flags) {
  return std::make_unique<ClusterOfFlags>(loop, std::move(flags));
}

std::unique_ptr<metrics::KubeConnection> cluster_behind(kube::Connection& connection) {
  return std::make_unique<ClusterBehind>(connection);
}

}  // namespace slipway::cli
