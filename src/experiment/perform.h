#pragma once

#include "control/events.h"
#include "experiment/plan.h"
#include "experiment/seen.h"

namespace slipway::experiment {

// The longest reason that a status quotes.
inline constexpr std::size_t kMaxReason = 1024;

// Carries out the actions of one look, one write each. What came of them goes into `observed`: what
// there is now, or why there never will be.
//
// An error is one that trying again may mend; what was done before it stays done.
class Performer {
 public:
  static inline const api::Gvr kReplicaSets{"apps", "v1", "replicasets"};
  static inline const api::Gvr kServices{"", "v1", "services"};

  // `about` is the Experiment as stored. All must outlive the performer.
  Performer(store::Store& store, control::Recorder& recorder, const Identity& who,
            const json::Object& about, Observed& observed);

  Task<Result<>> perform(Action action);

  // The newest version written of each kind.
  const std::map<api::Gvr, store::Version>& written() const { return written_; }

 private:
  Task<Result<>> create_replica_set(CreateReplicaSet create);
  Task<Result<>> delete_replica_set(DeleteReplicaSet remove);
  Task<Result<>> patch_replica_set(PatchReplicaSet patch);
  Task<Result<>> create_service(CreateService create);
  Task<Result<>> patch_service(PatchService patch);
  Task<Result<>> delete_service(DeleteService remove);
  Task<Result<>> create_run(CreateRun create);
  Task<Result<>> terminate_run(TerminateRun terminate);

  // The object of that name, when it belongs to the template; else null.
  Task<Result<std::optional<json::Object>>> get(api::Gvr kind, std::string name);
  Task<Result<bool>> remove(api::Gvr kind, std::string name, std::string uid);
  Result<json::Object> note(const api::Gvr& kind, const store::Item& item);
  void say(const Happening& happening);

  store::Store& store_;
  control::Recorder& recorder_;
  const Identity& who_;
  const json::Object& about_;
  Observed& observed_;
  std::map<api::Gvr, store::Version> written_;
};

}  // namespace slipway::experiment
