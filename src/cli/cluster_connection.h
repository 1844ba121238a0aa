#pragma once

#include <memory>

#include "async/loop.h"
#include "cli/session.h"
#include "metrics/kube_connection.h"

// API servers, for metric sources that are part of a cluster.
namespace slipway::cli {

// The one that flags lead to; looked for when it is first asked, and asked by `loop`, which
// outlives it.
std::unique_ptr<metrics::KubeConnection> cluster_of(Loop& loop, ServerFlags flags);

// The one at the other end of `connection`, which outlives it; shared by all who make runs.
std::unique_ptr<metrics::KubeConnection> cluster_behind(store::kube::Connection& connection);

}  // namespace slipway::cli
