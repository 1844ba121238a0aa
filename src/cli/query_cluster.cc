#include "cli/query_cluster.h"

#include <utility>

namespace slipway::cli {

Task<Result<json::Value>> ClusterConnection::call(std::string method, std::string path,
                                                  json::Value body, Duration timeout,
                                                  std::stop_token stop) {
  if (stop.stop_requested()) co_return fail(ErrorCode::kCancelled, "stopped");
  store::kube::Call call{
      .method = std::move(method), .target = std::move(path), .timeout = timeout};
  if (!body.is_null()) {
    call.body = json::write(body);
    call.headers.set("Content-Type", "application/json");
  }
  co_return co_await session_.send(std::move(call));
}

}  // namespace slipway::cli
