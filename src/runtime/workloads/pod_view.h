#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector.h"
#include "base/time.h"
#include "store/store.h"

namespace slipway::runtime {

inline const api::Gvr kPods{"", "v1", "pods"};
inline constexpr std::string_view kTrackingFinalizer = "batch.kubernetes.io/job-tracking";
inline constexpr std::string_view kIndexAnnotation = "batch.kubernetes.io/job-completion-index";

enum class PodPhase : std::uint8_t { kPending, kUnknown, kRunning, kSucceeded, kFailed };

struct ContainerPort {
  std::string name;
  std::string protocol;
  std::int32_t number = 0;
};

// What controllers ask of a Pod, read once from its document.
struct PodView {
  store::Key key = {};
  store::Version version = 0;
  std::string uid = {};

  std::string controller_kind = {};  // all three empty: nobody controls it
  std::string controller_name = {};
  std::string controller_uid = {};
  api::Labels labels = {};

  std::string node = {};
  std::string ip = {};
  PodPhase phase = PodPhase::kPending;
  bool deleting = false;
  bool ready = false;
  Time created = {};
  Time ready_changed = {};  // when it became ready or ceased to be; 0: never told
  Time finished = {};       // the best guess at when it ended, as a Job's back-off counts from it
  std::int32_t deletion_cost = 0;
  std::int32_t restarts = 0;          // of the container that restarted most
  std::int32_t sidecar_restarts = 0;  // the same, of the sidecars
  std::int32_t all_restarts = 0;      // of all containers together

  std::string hostname = {};
  std::string subdomain = {};
  std::vector<ContainerPort> ports = {};  // those with a name

  bool tracked = false;     // a Job has yet to count it
  std::int32_t index = -1;  // of an Indexed Job

  bool is_over() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  // Counts as a replica: neither over nor on its way out.
  bool is_active() const { return !is_over() && !deleting; }
  bool is_terminating() const { return !is_over() && deleting; }
  // Ready for at least so long. With 0, ready is enough.
  bool is_available(Duration min_ready, Time now) const;
};

PodView view_pod(const store::Item& item, const json::Object& pod);

}  // namespace slipway::runtime
