#pragma once

#include "runtime/workloads/pod_table.h"
#include "runtime/workloads/pod_writer.h"
#include "runtime/workloads/replica_set.h"
#include "runtime/workloads/selector_index.h"

namespace slipway::runtime {

inline const api::Gvr kReplicaSets{"apps", "v1", "replicasets"};

// Keeps as many Pods as each ReplicaSet asks for, whoever made it, as kube-controller-manager does.
// For the embedded store.
//
// Never makes a Pod too many: no count is taken from a cache that is behind its own writes, and
// whoever starts anew counts what is there. An idle ReplicaSet costs no timer and no write.
class ReplicaSetReconciler final : public control::Reconciler {
 public:
  ReplicaSetReconciler(control::Manager& manager, control::Recorder& recorder, PodTable& pods);
  control::ControllerOptions options();

  Task<Result<control::Outcome>> reconcile(store::Key key) override;

 private:
  // What one look comes to, before anything is written.
  struct Plan {
    std::vector<PodRef> adopt = {};
    std::vector<PodRef> release = {};
    int create = 0;
    std::vector<PodRef> remove = {};
    ReplicaCounts counts = {};
  };
  void subscribe(control::BringUp bring_up);
  Plan look(const store::Key& key, const ReplicaSetView& set) const;
  Task<Result<>> claim(json::Object replica_set, Plan plan);
  Task<std::optional<Error>> manage(json::Object replica_set, Plan plan);
  Task<Result<>> write_status(store::Key key, json::Object replica_set, json::Object status);

  control::Manager& manager_;
  PodTable& pods_;
  PodWriter writer_;
  OwnWrites own_;
  SelectorIndex selectors_;
};

}  // namespace slipway::runtime
