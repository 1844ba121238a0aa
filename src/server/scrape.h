#pragma once

#include "async/loop.h"
#include "http/message.h"
#include "server/metrics.h"

namespace slipway::server {

// The answer to GET /metrics: made while it is sent, with a turn of the loop for others after each
// piece, for there may be half a million lines. `gzip`: the client takes it.
http::Response scrape_response(Loop& loop, const Metrics& metrics, bool gzip);

}  // namespace slipway::server
