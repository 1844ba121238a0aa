#pragma once

#include "rollout/draft.h"

// Which set is the latest, and the number of its revision. Pure.
namespace slipway::rollout {

// The set of the current Pod template: made when there is none (then the plan creates it and
// nothing else), numbered one above all others, and the Rollout annotated with that number.
void decide_revision(Draft& draft);

// A new set of the Rollout, without Pods.
json::Object new_set_object(const Draft& draft, std::int64_t revision);

// The Pod template or the steps are others than those the status speaks of.
bool is_changed(const Draft& draft);
// spec.replicas is another than the sets were last scaled for.
bool is_scaling(const Draft& draft);

// The latest set is older than the stable one, and was it once.
bool is_rollback_in_window(const Draft& draft);  // and not too old: see spec.rollbackWindow
bool is_fast_rollback(const Draft& draft);       // and steps need not be gone through again

}  // namespace slipway::rollout
