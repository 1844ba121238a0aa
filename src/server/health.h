#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "http/server.h"

namespace slipway::server {

// Something that must hold for the server to be well. Called on the loop; must not block.
struct HealthCheck {
  std::string name;
  std::function<Result<>()> check;
  bool liveness =
      false;  // also part of /livez: failing it means the program should be started again
};

// Answers /healthz, /livez, /readyz, their ?verbose and ?exclude=, and each check by its own path
// (/readyz/store).
std::optional<http::Response> health(const http::Request& request,
                                     const std::vector<HealthCheck>& checks);

}  // namespace slipway::server
