#include <algorithm>

#include "control/garbage.h"

namespace slipway::control {

namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

garbage::Plan decide_deleting(const std::vector<std::string>& finalizers,
                              const std::vector<Dependent>& dependents) {
  if (has(finalizers, kOrphanFinalizer)) {
    if (dependents.empty()) return garbage::FinishFinalizer{std::string(kOrphanFinalizer)};
    return garbage::OrphanDependents{};
  }
  if (has(finalizers, kForegroundFinalizer)) {
    if (std::ranges::none_of(dependents, &Dependent::blocks_owner))
      return garbage::FinishFinalizer{std::string(kForegroundFinalizer)};
    return garbage::AwaitDependents{};
  }
  return garbage::Nothing{};
}

store::Propagation propagation_of(const std::vector<std::string>& finalizers) {
  if (has(finalizers, kOrphanFinalizer)) return store::Propagation::kOrphan;
  if (has(finalizers, kForegroundFinalizer)) return store::Propagation::kForeground;
  return store::Propagation::kBackground;
}

}  // namespace

garbage::Plan decide_garbage(const json::Object& object, const std::vector<KnownOwner>& owners,
                             const std::vector<Dependent>& dependents) {
  const auto finalizers = api::finalizers_of(object);
  if (api::is_deleting(object)) return decide_deleting(finalizers, dependents);
  if (owners.empty()) return garbage::Nothing{};

  garbage::DropOwners drop;
  bool waiting = false;
  for (const auto& owner : owners) {
    if (owner.state == OwnerState::kSolid) continue;
    drop.uids.push_back(owner.reference.uid);
    waiting = waiting || owner.state == OwnerState::kWaiting;
  }
  if (drop.uids.empty()) return garbage::Nothing{};
  // Somebody else still owns it: it stays, without those who no longer do.
  if (drop.uids.size() < owners.size()) return drop;

  if (!waiting || dependents.empty()) return garbage::Delete{propagation_of(finalizers)};
  // Its owner waits for it, so it goes in the foreground too. If one of its own dependents waits as
  // well, each would wait for the other: ours stops blocking first.
  const bool blocks = std::ranges::any_of(
      owners, [](const KnownOwner& owner) { return owner.reference.block_owner_deletion; });
  if (blocks && std::ranges::any_of(dependents, &Dependent::deleting_foreground))
    return garbage::UnblockOwners{};
  return garbage::Delete{store::Propagation::kForeground};
}

}  // namespace slipway::control
