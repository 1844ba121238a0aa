#pragma once

#include <string_view>
#include <vector>

#include "async/task.h"
#include "runtime/workloads/pod_view.h"

namespace slipway::runtime {

// Who claims others by its selector: a ReplicaSet or a Job its Pods, a Deployment its ReplicaSets.
struct Claimant {
  std::string uid = {};
  bool deleting = false;
  api::LabelSelector selector = {};
};
// kInvalid: its selector cannot be read.
Result<Claimant> view_claimant(const json::Object& object);

// Which Pods belong to a claimant, and what has to be written to make that true.
struct Claims {
  std::vector<const PodView*> owned = {};    // already, and matching
  std::vector<const PodView*> adopt = {};    // nobody's, and matching
  std::vector<const PodView*> release = {};  // its own, and no longer matching
};

// `pods`: those it controls and those that nobody does. One that is being deleted only keeps what
// it has.
Claims decide_claims(const Claimant& claimant, const std::vector<const PodView*>& pods);

// Asks the store, not a cache, whether `claimant` may adopt. kConflict: it is being deleted, or its
// name is another's by now.
Task<Result<>> may_adopt(store::Store& store, api::Gvr kind, json::Object claimant);
// metadata.ownerReferences of a patch that makes `owner` the controller, or takes it away.
json::Array adopted_by(const json::Object& owner);
json::Array released_by(const json::Object& owner);

}  // namespace slipway::runtime
