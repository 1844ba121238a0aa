#pragma once

#include "rollout/draft.h"

namespace slipway::rollout {

// Evicts Pods older than spec.restartAt, so few at a time that enough stay available, and notes in
// the status when all are younger. True when it evicts any: what is available is not known then,
// and nothing else may be scaled. Pure.
bool decide_restart(Draft& draft);

}  // namespace slipway::rollout
