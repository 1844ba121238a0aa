#include "metrics/window.h"

#include "metrics/limits.h"

namespace slipway::metrics {

Time moment_of(const Query& query, const Clock& clock) {
  if (query.range) return query.range->to;
  return query.at == Time() ? clock.now() : query.at;
}

Range window_of(const Query& query, const Clock& clock) {
  if (query.range) return *query.range;
  Time to = moment_of(query, clock);
  return {.from = to - kDefaultWindow, .to = to};
}

}  // namespace slipway::metrics
