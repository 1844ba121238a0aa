#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "api/object.h"
#include "control/events.h"
#include "control/manager.h"

// Garbage collection by owner, for the embedded store (a cluster has its own).
namespace slipway::control {

inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

struct ObjectId {
  api::Gvr kind;
  store::Key key;
  auto operator<=>(const ObjectId&) const = default;
};

// What is known of one owner reference of an object.
enum class OwnerState {
  kSolid,    // the owner is there (or cannot be looked up: then nothing is deleted for its sake)
  kGone,     // no such object, or another one under the same name
  kWaiting,  // it is being deleted in the foreground and waits for its dependents
};
struct KnownOwner {
  api::OwnerReference reference;
  OwnerState state = OwnerState::kSolid;
};
struct Dependent {
  ObjectId id;
  std::string uid;
  bool blocks_owner = false;
  bool deleting_foreground = false;  // it is itself waiting for its dependents
};

// What to do about one object; one step at a time, each safe to repeat.
namespace garbage {
struct Nothing {};
struct Delete {
  store::Propagation propagation;
};
struct DropOwners {
  std::vector<std::string> uids;
};
struct UnblockOwners {};     // a circle of foreground deletions: let go of our owners first
struct OrphanDependents {};  // take the owner out of its dependents, then let it go
struct AwaitDependents {};   // foreground: they are looked at and go one by one
struct FinishFinalizer {
  std::string finalizer;
};
using Plan = std::variant<Nothing, Delete, DropOwners, UnblockOwners, OrphanDependents,
                          AwaitDependents, FinishFinalizer>;
}  // namespace garbage

garbage::Plan decide_garbage(const json::Object& object, const std::vector<KnownOwner>& owners,
                             const std::vector<Dependent>& dependents);

using DecideGarbage = garbage::Plan (*)(const json::Object& object,
                                        const std::vector<KnownOwner>& owners,
                                        const std::vector<Dependent>& dependents);

// Replaced in simulations that show what their checkers catch.
struct GarbageOptions {
  DecideGarbage decide = decide_garbage;
  bool catch_up = true;  // before a finalizer goes, with dependents the caches do not show yet
};

// Watches every stored kind of the registry, those of CRDs as they come and go; but not events,
// which neither own nor are owned, and are more than all else. Tells `recorder` of references that
// cannot be resolved.
class GarbageCollector {
 public:
  GarbageCollector(Manager& manager, Recorder& recorder, GarbageOptions options = {});
  ~GarbageCollector();
  std::size_t queued() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipway::control
