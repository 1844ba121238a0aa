#pragma once

#include "async/loop.h"
#include "metrics/provider.h"

namespace slipway::metrics {

// The moment a query asks about, for sources that must be told.
Time moment_of(const Query& query, const Clock& clock);
// The window a query asks about, for sources that answer for windows only.
Range window_of(const Query& query, const Clock& clock);

}  // namespace slipway::metrics
