#pragma once

#include <string_view>
#include <vector>

#include "runtime/workloads/pod_view.h"

namespace slipway::runtime {

// Who claims Pods: a ReplicaSet or a Job.
struct Claimant {
  std::string uid = {};
  bool deleting = false;
  api::LabelSelector selector = {};
};

// Which Pods belong to a claimant, and what has to be written to make that true.
struct Claims {
  std::vector<const PodView*> owned = {};    // already, and matching
  std::vector<const PodView*> adopt = {};    // nobody's, and matching
  std::vector<const PodView*> release = {};  // its own, and no longer matching
};

// `pods`: those it controls and those that nobody does. One that is being deleted only keeps what
// it has.
Claims decide_claims(const Claimant& claimant, const std::vector<const PodView*>& pods);

}  // namespace slipway::runtime
