#pragma once

#include "control/events.h"
#include "runtime/workloads/deployments/deployment.h"
#include "runtime/workloads/own_writes.h"
#include "runtime/workloads/pod_table.h"
#include "runtime/workloads/selector_index.h"

namespace slipway::runtime {

// Moves Deployments from one template to the next through ReplicaSets, as kube-controller-manager
// does; `kubectl rollout` works on them. For the embedded store.
//
// ReplicaSets are named after what they hold, so none is made twice; each write applies only to
// what it was decided from.
class DeploymentReconciler final : public control::Reconciler {
 public:
  DeploymentReconciler(control::Manager& manager, control::Recorder& recorder, PodTable& pods);
  control::ControllerOptions options();

  Task<Result<control::Outcome>> reconcile(store::Key key) override;

 private:
  // The ReplicaSets that matter to a Deployment.
  struct Family {
    std::vector<SetView> owned = {};
    std::vector<SetView> adopt = {};
    std::vector<SetView> release = {};
  };
  void subscribe(control::BringUp bring_up);
  void bring_up_owner(const control::BringUp& bring_up, const PodView& pod) const;
  Family family_of(const DeploymentView& view) const;
  Task<Result<>> claim(json::Object deployment, Family family);
  // False: nothing more now, look again.
  Task<Result<bool>> create_set(json::Object deployment, DeploymentView view, json::Object set);
  Task<Result<>> count_collision(json::Object deployment, DeploymentView view);
  Task<Result<>> change_set(json::Object deployment, SetView set, SetChange change,
                            std::int64_t before);
  Task<Result<>> patch_set(store::Key deployment, SetView set, json::Object metadata,
                           json::Object spec);
  Task<Result<>> write_status(store::Key key, json::Object deployment, json::Object status,
                              std::string revision);

  control::Manager& manager_;
  control::Recorder& recorder_;
  PodTable& pods_;
  OwnWrites own_;
  OwnWrites own_sets_;
  SelectorIndex selectors_;
};

}  // namespace slipway::runtime
