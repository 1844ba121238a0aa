#pragma once

#include <optional>

#include "store/store.h"

namespace slipway::control {

// What a look at one object led to. A failure means: try again, later each time (see Backoff).
struct Outcome {
  std::optional<Duration> again = {};  // look again after this long, even if nothing changes
};

// Brings the world in line with one object.
//
// Called with a key only, so that it cannot depend on what event came: it reads what is there now
// (the object may be gone). Never runs twice at once for one key. May be stopped between any two
// writes and must converge from there.
class Reconciler {
 public:
  virtual ~Reconciler() = default;
  virtual Task<Result<Outcome>> reconcile(store::Key key) = 0;
};

}  // namespace slipway::control
