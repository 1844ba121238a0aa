#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/workloads/claims.h"

// What a ReplicaSet is to do, decided without doing it.
namespace slipway::runtime {

struct ReplicaSetView {
  Claimant claimant = {};
  std::int64_t replicas = 1;
  std::int64_t generation = 0;
  Duration min_ready = {};
  api::Labels template_labels = {};
};
Result<ReplicaSetView> view_replica_set(const json::Object& replica_set);

struct ReplicaPlan {
  int create = 0;
  std::vector<const PodView*> remove = {};
};
// `active`: its Pods that count. At most kMaxPodsAtOnce either way.
ReplicaPlan decide_replicas(const ReplicaSetView& set, const std::vector<const PodView*>& active,
                            Time now);

struct ReplicaCounts {
  int replicas = 0;
  int fully_labeled = 0;
  int ready = 0;
  int available = 0;
  std::optional<Duration> again = {};  // until the next one has been ready for long enough
  bool operator==(const ReplicaCounts&) const = default;
};
ReplicaCounts count_replicas(const ReplicaSetView& set, const std::vector<const PodView*>& active,
                             Time now);

// The status to be, from the one that is. `failure`: what went wrong while Pods were made or
// deleted; its first wording stays until all is well again.
json::Object decide_replica_set_status(const json::Object& replica_set, const ReplicaSetView& set,
                                       const ReplicaCounts& counts,
                                       const std::optional<Error>& failure, Time now);

}  // namespace slipway::runtime
