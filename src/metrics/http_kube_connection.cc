#include "metrics/http_kube_connection.h"

#include <fmt/format.h>

namespace slipway::metrics {

namespace {

class HttpKubeConnection final : public KubeConnection {
 public:
  HttpKubeConnection(HttpSource source, Url address, std::string token)
      : source_(std::move(source)), address_(std::move(address)), token_(std::move(token)) {}

  Task<Result<json::Value>> call(std::string method, std::string path, json::Value body,
                                 Duration timeout, std::stop_token stop) override {
    HttpSource::Call call{.method = std::move(method), .url = address_.with(path)};
    call.headers.add("Accept", "application/json");
    if (!token_.empty()) call.headers.add("Authorization", "Bearer " + token_);
    if (!body.is_null()) {
      call.headers.add("Content-Type", "application/json");
      call.body = json::write(body);
    }
    auto response =
        co_await source_.send(std::move(call), Budget(source_.clock(), timeout, std::move(stop)));
    if (!response) co_return fail(std::move(response).error());
    auto object = read_answer(response->body);
    if (response->status < 200 || response->status > 299) {
      // A Status object says it best.
      std::string_view message = object ? json::string_at(*object, {"message"}) : "";
      if (message.empty()) co_return status_failure(*response);
      co_return status_failure(*response,
                               fmt::format("status {}: {}", response->status, excerpt(message)));
    }
    co_return object;
  }

 private:
  HttpSource source_;
  Url address_;
  std::string token_;
};

}  // namespace

std::unique_ptr<KubeConnection> make_http_kube_connection(HttpSource source, Url address,
                                                          std::string token) {
  return std::make_unique<HttpKubeConnection>(std::move(source), std::move(address),
                                              std::move(token));
}

}  // namespace slipway::metrics
