#pragma once

#include <memory>
#include <stop_token>

#include "store/kube/connection.h"

namespace slipway::store::kube {

// `connection` for a limited time, such as a term of leading: once `end` is requested, calls under
// way end with kCancelled and no other is sent. What the server has received by then it may still
// carry out, as when the process had ended.
//
// `connection` outlives it.
std::unique_ptr<Connection> limit_connection(Connection& connection, std::stop_token end);

}  // namespace slipway::store::kube
