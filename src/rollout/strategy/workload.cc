#include "rollout/strategy/workload.h"

#include <algorithm>

namespace slipway::rollout {

void decide_workload(Draft& draft) {
  const auto& reference = draft.rollout.spec.workload_ref;
  // Later revisions find it down already, or were meant to leave it as it is.
  if (!reference || draft.revision != 1) return;
  const bool is_healthy = draft.before.phase == "Healthy";
  if (is_healthy &&
      (reference->scale_down == "onsuccess" || reference->scale_down == "progressively")) {
    draft.act(ScaleWorkload{.replicas = 0});
    return;
  }
  if (reference->scale_down != "progressively" || draft.before.ready_replicas <= 0) return;
  draft.act(ScaleWorkload{
      .replicas = std::max(0, replicas_of(draft.rollout.spec) - draft.before.ready_replicas)});
}

}  // namespace slipway::rollout
