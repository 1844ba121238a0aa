#pragma once

#include "control/manager.h"
#include "control/namespace_conditions.h"

namespace slipway::control {

// Empties namespaces that are being deleted and then lets them go, for the embedded store (a
// cluster has its own).
class NamespaceReconciler : public Reconciler {
 public:
  explicit NamespaceReconciler(Manager& manager) : manager_(manager) {}
  static ControllerOptions options();

  Task<Result<Outcome>> reconcile(store::Key key) override;

 private:
  // Deletes everything of one kind in the namespace; how many objects were there. What stays for
  // now is added to `left`, which outlives the call.
  Task<Result<std::size_t>> empty_kind(api::Gvr kind, std::string ns, NamespaceContent& left);
  // Says in the namespace's status what it waits for.
  Task<Result<>> tell(store::Key key, json::Value ns, NamespaceContent left);

  Manager& manager_;
};

}  // namespace slipway::control
