#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/events.h"
#include "runtime/workloads/own_writes.h"
#include "runtime/workloads/pod_view.h"

namespace slipway::runtime {

// Most Pods that one look creates or deletes for one owner; the next look goes on.
inline constexpr int kMaxPodsAtOnce = 500;

// A Pod as a controller saw it.
struct PodRef {
  store::Key key = {};
  std::string uid = {};
  store::Version version = 0;
};
PodRef ref_to(const PodView& pod);
std::vector<PodRef> refs_to(const std::vector<const PodView*>& pods);

// The Pod that the template of `owner` describes, owned by it and named after it.
json::Object pod_from_template(const json::Object& owner);

// Creates, deletes and claims Pods for an owner, tells its events, and remembers what was written.
// All of it is harmless when repeated or when based on an old view of a Pod.
class PodWriter {
 public:
  PodWriter(control::Manager& manager, control::Recorder& recorder)
      : manager_(manager), recorder_(recorder), own_(manager, kPods) {}

  struct Written {
    int count = 0;
    std::optional<Error> error = {};  // the first one
  };
  // In batches of 1, 2, 4 and so on; what fails once is not tried a hundred times. In a namespace
  // that is being deleted nothing is created and nothing is wrong.
  Task<Written> create(json::Object owner, std::vector<json::Object> pods);
  // Those already gone count as deleted.
  Task<Written> remove(json::Object owner, std::vector<PodRef> pods);
  // Makes `owner` the controller of Pods nobody controls. With a finalizer, adds it to them, too.
  Task<Result<>> adopt(json::Object owner, std::vector<PodRef> pods, std::string finalizer = {});
  Task<Result<>> release(json::Object owner, std::vector<PodRef> pods, std::string finalizer = {});
  // Takes the finalizer off. Those already gone are fine.
  Task<Written> unfinalize(json::Object owner, std::vector<PodRef> pods, std::string finalizer);

  // Until the table shows everything written for the owner.
  Task<Result<>> shown(store::Key owner) { return own_.shown(std::move(owner)); }

 private:
  Task<Written> patch_each(json::Object owner, std::vector<PodRef> pods, json::Object metadata);

  control::Manager& manager_;
  control::Recorder& recorder_;
  OwnWrites own_;
};

}  // namespace slipway::runtime
