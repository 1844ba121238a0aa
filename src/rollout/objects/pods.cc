#include "rollout/objects/pods.h"

#include <algorithm>

#include "rollout/objects/fields.h"

namespace slipway::rollout {

namespace {

bool is_available(const json::Value& pod, Count min_ready_seconds, Time now) {
  const json::Value* conditions = json::at(pod, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return false;
  for (const json::Value& condition : conditions->get_array()) {
    if (json::string_at(condition, {"type"}) != "Ready") continue;
    if (json::string_at(condition, {"status"}) != "True") return false;
    const auto since = time_at(condition, {"lastTransitionTime"});
    return min_ready_seconds == 0 ||
           (since && *since + std::chrono::seconds(min_ready_seconds) <= now);
  }
  return false;
}

}  // namespace

Pod read_pod(json::Value document, Count min_ready_seconds, Time now) {
  const json::Object& object = document.get_object();
  const auto owner = api::controller_of(object);
  return {.name = std::string(api::name_of(object)),
          .uid = std::string(api::uid_of(object)),
          .set_uid = owner ? owner->uid : std::string(),
          .created = time_at(document, {"metadata", "creationTimestamp"}).value_or(Time()),
          .is_ready = is_available(document, 0, now),
          .is_available = is_available(document, min_ready_seconds, now),
          .is_deleting = api::is_deleting(object),
          .labels = texts_at(document, {"metadata", "labels"}),
          .annotations = texts_at(document, {"metadata", "annotations"})};
}

Count count_of(const std::vector<Pod>& pods, const std::string& set_uid, bool Pod::* is_so) {
  return static_cast<Count>(std::ranges::count_if(pods, [&](const Pod& pod) {
    return pod.set_uid == set_uid && pod.*is_so && !pod.is_deleting;
  }));
}

void count_available(std::vector<ReplicaSet>& sets, const std::vector<Pod>& pods) {
  for (ReplicaSet& set : sets)
    set.available = std::min(set.available, count_of(pods, set.uid, &Pod::is_ready));
}

}  // namespace slipway::rollout
