#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/json.h"
#include "base/time.h"

namespace slipway::metrics {

// An API server, as far as keptn and externalmetrics need one.
class KubeConnection {
 public:
  virtual ~KubeConnection() = default;

  // `path` begins with /apis/ and may hold a query; `body` is null for none. Gives the object of
  // the answer. Errors as a provider's: kNotFound, kForbidden, kUnavailable, …
  virtual Task<Result<json::Value>> call(std::string method, std::string path, json::Value body,
                                         Duration timeout, std::stop_token stop) = 0;

  // Asked with the rights of a server that works for many: who asks may see its own namespace only.
  virtual bool is_shared() const { return false; }
};

// kForbidden when somebody in the namespace `asker` may not ask about `ns` by this connection.
Result<> check_namespace(const KubeConnection& kube, std::string_view ns, std::string_view asker);

}  // namespace slipway::metrics
