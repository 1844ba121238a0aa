#include "store/kube/connection.h"

#include "base/random.h"
#include "store/kube/credentials.h"
#include "store/kube/retry.h"
#include "store/kube/target.h"

namespace slipway::store::kube {

namespace {

constexpr std::string_view kUserAgent = "slipway/0.1.0";
constexpr std::size_t kMaxAnswer = 256 * 1024 * 1024;  // a list of everything can be large

bool is_repeatable(const Call& call) {
  return call.repeatable || call.method == "GET" || call.method == "HEAD";
}

class HttpConnection final : public Connection {
 public:
  HttpConnection(Loop& loop, Pool& pool, Access access)
      : loop_(loop), random_(system_random()), credentials_(loop, pool, std::move(access)) {}

  Task<Result<http::Response>> send(Call call, std::stop_token stop) override;
  Task<Result<std::unique_ptr<http::ResponseStream>>> open(Call call,
                                                           std::stop_token stop) override;

 private:
  using Stream = std::unique_ptr<http::ResponseStream>;

  http::ClientRequest request_for(const Call& call, const Credentials::Current& current) const;
  // Whether to try again, after having waited.
  Task<bool> again(Attempt attempt, std::stop_token stop);

  static int status_of(const http::Response& response) { return response.status; }
  static int status_of(const Stream& stream) { return stream->status(); }
  static const http::Headers& headers_of(const http::Response& response) {
    return response.headers;
  }
  static const http::Headers& headers_of(const Stream& stream) { return stream->headers(); }

  // One attempt after another until the outcome stands. `Exchange` is a member of http::Client.
  template <class T, class Exchange>
  Task<Result<T>> exchange(Call call, std::stop_token stop, Exchange member);

  Loop& loop_;
  std::unique_ptr<Random> random_;
  Credentials credentials_;
};

http::ClientRequest HttpConnection::request_for(const Call& call,
                                                const Credentials::Current& current) const {
  http::ClientRequest request{.method = call.method,
                              .url = credentials_.access().server + call.target,
                              .headers = call.headers,
                              .body = call.body,
                              .timeout = call.timeout,
                              .max_body = kMaxAnswer};
  request.headers.set("User-Agent", std::string(kUserAgent));
  if (!request.headers.has("Accept")) request.headers.set("Accept", "application/json");
  if (!current.authorization.empty()) request.headers.set("Authorization", current.authorization);
  for (const auto& [name, value] : credentials_.access().impersonate.all()) {
    request.headers.add(name, value);
  }
  return request;
}

Task<bool> HttpConnection::again(Attempt attempt, std::stop_token stop) {
  std::optional<Duration> wait = decide_retry(attempt, random_->unit());
  if (!wait) co_return false;
  co_return co_await sleep_for(loop_, *wait, stop);
}

template <class T, class Exchange>
Task<Result<T>> HttpConnection::exchange(Call call, std::stop_token stop, Exchange member) {
  SLIPWAY_CO_TRY(check_names(call.target));
  bool renewed = false;
  for (int number = 1;; ++number) {
    Result<Credentials::Current> current = co_await credentials_.get(stop);
    if (!current) co_return std::unexpected(std::move(current).error());
    http::ClientRequest request = request_for(call, *current);
    Result<T> outcome = co_await ((*current->client).*member)(std::move(request), stop);
    Attempt attempt{.number = number, .repeatable = is_repeatable(call)};
    if (outcome) {
      attempt.status = status_of(*outcome);
      attempt.retry_after = headers_of(*outcome).get("Retry-After");
    } else {
      attempt.failure = outcome.error().code;
    }
    if (attempt.status == 401 && !renewed && credentials_.refuse(current->generation)) {
      renewed = true;
      continue;
    }
    if (!co_await again(attempt, stop)) co_return outcome;
  }
}

Task<Result<http::Response>> HttpConnection::send(Call call, std::stop_token stop) {
  return exchange<http::Response>(std::move(call), std::move(stop), &http::Client::send);
}

Task<Result<std::unique_ptr<http::ResponseStream>>> HttpConnection::open(Call call,
                                                                         std::stop_token stop) {
  return exchange<Stream>(std::move(call), std::move(stop), &http::Client::open);
}

}  // namespace

std::unique_ptr<Connection> connect(Loop& loop, Pool& pool, Access access) {
  return std::make_unique<HttpConnection>(loop, pool, std::move(access));
}

}  // namespace slipway::store::kube
