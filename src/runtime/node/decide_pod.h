#pragma once

#include <optional>

#include "runtime/node/host.h"
#include "runtime/node/pod_sources.h"

namespace slipway::runtime {

// What is to be done about a Pod now.
struct PodStep {
  enum class What : std::uint8_t {
    kNothing,   // not ours, or over and never here
    kGated,     // may not be scheduled yet, and its status says so
    kSchedule,  // give it this node
    kStart,     // run it, or carry on what was killed
    kReport,    // it runs or has ended: probes and status
    kStop,      // on its way out: tell it, with `grace`
    kRemove,    // nothing of it runs any more: the object may go
  };
  What what = What::kNothing;
  Duration grace = {};
  bool past_deadline = false;          // kStop, kReport: longer than activeDeadlineSeconds
  std::optional<Duration> again = {};  // time alone will change the answer after this long
};
PodStep decide_pod(const json::Value& pod, const HostedPod* hosted, const NodeFacts& node,
                   Time now);

// The containers that have been given another image than they run with, or wait to be run with, and
// do not know of it yet. What has ended for good has, and an init container that is not a sidecar
// is left to its work.
std::vector<std::string> changed_images(const json::Value& pod, const HostedPod& hosted);

// What happened to a Pod's containers between two looks, as events tell it.
struct PodHappening {
  bool warning = false;
  std::string reason = {};
  std::string message = {};
};
std::vector<PodHappening> happenings(const PodPlan& plan, const PodState& before,
                                     const PodState& after);

}  // namespace slipway::runtime
