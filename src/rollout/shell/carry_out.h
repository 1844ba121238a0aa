#pragma once

#include "control/events.h"
#include "control/manager.h"
#include "rollout/plan.h"
#include "rollout/shell/gather.h"

// Does what plans say. Each write is conditional on the object it was decided for, and doing it
// twice is doing it once; `written` gets the version of each.
namespace slipway::rollout {

slipway::Task<Result<>> carry_out(store::Store& store, const Situation& seen, Action action,
                                  Written& written);
// A Service whose Rollout does not want it any more is as it was before.
slipway::Task<Result<>> release_service(store::Store& store, store::Key key, store::Version version,
                                        Written& written);

// kConflict: somebody else has written since the situation was gathered.
slipway::Task<Result<>> write_status(store::Store& store, const Situation& seen,
                                     argo::RolloutStatus status, Written& written);
bool is_same_status(const Situation& seen, const argo::RolloutStatus& status);

// The set is there afterwards and ours; false: the name is another's, whose hash is the same.
slipway::Task<Result<bool>> create_set(store::Store& store, const Situation& seen,
                                       json::Object object, Written& written);
// The name it has.
slipway::Task<Result<std::string>> create_run(store::Store& store, const Situation& seen,
                                              CreateRun wanted, std::string stable_hash);
inline constexpr int kMaxExperimentsOfAName = 100;
slipway::Task<Result<std::string>> create_experiment(store::Store& store, const Situation& seen,
                                                     json::Object object, Written& written);

}  // namespace slipway::rollout
