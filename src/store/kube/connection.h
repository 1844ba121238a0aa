#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "async/blocking.h"
#include "base/json.h"
#include "http/client.h"
#include "store/kube/kubeconfig.h"

namespace slipway::store::kube {

struct Call {
  std::string method = "GET";
  std::string target;  // "/api/v1/namespaces?limit=5"
  std::string body = {};
  http::Headers headers = {};
  Duration timeout = std::chrono::seconds(60);
  // Doing it twice is doing it once. Always true of GET.
  bool repeatable = false;
};

// An API server we may talk to: adds credentials, renews them when they run out or are refused,
// waits and tries again on 429 and 503 (as told by Retry-After) and, for calls that are safe to
// repeat, on other 5xx and broken connections. retry.h has the limits.
class Connection {
 public:
  virtual ~Connection() = default;

  // Any HTTP status is an answer. kBadRequest, and nothing is sent, when a name in the target is
  // empty,
  // "." or "..". Errors are those of http::Client, and kUnauthorized when there
  // are no credentials to be had.
  virtual Task<Result<http::Response>> send(Call call, std::stop_token stop = {}) = 0;
  virtual Task<Result<std::unique_ptr<http::ResponseStream>>> open(Call call,
                                                                   std::stop_token stop = {}) = 0;
};
// The loop and the pool outlive it, and so does what it started.
std::unique_ptr<Connection> connect(Loop& loop, Pool& pool, Access access);

// The Error a Kubernetes Status body stands for; its message, code and causes. For statuses of 400
// and above.
Error error_of(const http::Response& response);
// The same for a Status alone, as an ERROR event of a watch carries it.
Error error_of_status(const json::Value& status);

}  // namespace slipway::store::kube
