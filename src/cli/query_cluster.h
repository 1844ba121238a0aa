#pragma once

#include "cli/session.h"
#include "metrics/kube_connection.h"

namespace slipway::cli {

// The API server of a session, for sources that are part of a cluster. The session outlives it.
class ClusterConnection final : public metrics::KubeConnection {
 public:
  explicit ClusterConnection(Session& session) : session_(session) {}

  Task<Result<json::Value>> call(std::string method, std::string path, json::Value body,
                                 Duration timeout, std::stop_token stop) override;

 private:
  Session& session_;
};

}  // namespace slipway::cli
