#pragma once

#include <string>

#include "metrics/provider.h"

namespace slipway::metrics {

// NRQL that asks about a window: as so many seconds ago when it ends now, as other tools write it,
// else between two moments. With a step between nothing and the whole window, a value for each, as
// many as New Relic gives. Pure.
//
// Error (kInvalid): the text says itself since when, until when or how often.
inline constexpr int kMaxNrqlBuckets = 366;
Result<std::string> with_window(std::string_view nrql, const Range& window, Time now);

}  // namespace slipway::metrics
