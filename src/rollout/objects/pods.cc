#include "rollout/objects/pods.h"

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

// Of the first container that has something to say.
std::string_view said_in(const json::Value& pod, FieldPath path) {
  for (const std::string_view list : {"initContainerStatuses", "containerStatuses"}) {
    const json::Value* containers = json::at(pod, {"status", list});
    if (!containers || !containers->is_array()) continue;
    for (const json::Value& one : containers->get_array())
      if (const auto text = json::string_at(one, path); !text.empty()) return text;
  }
  return {};
}

}  // namespace

std::string why_not_ready(const json::Value& pod) {
  if (api::is_deleting(pod.get_object())) return {};
  const json::Value* conditions = json::at(pod, {"status", "conditions"});
  std::string_view told;
  if (conditions && conditions->is_array())
    for (const json::Value& condition : conditions->get_array()) {
      const std::string_view type = json::string_at(condition, {"type"});
      const bool holds = json::string_at(condition, {"status"}) == "True";
      if (type == "Ready" && holds) return {};
      if ((type == "Ready" || type == "PodScheduled") && !holds)
        told = json::string_at(condition, {"message"});
    }
  // What ended a program says more than that it is waited for to be started again.
  if (const auto end = said_in(pod, {"lastState", "terminated", "message"}); !end.empty())
    return std::string(end);
  if (const auto wait = said_in(pod, {"state", "waiting", "message"}); !wait.empty())
    return std::string(wait);
  return std::string(told);
}

Pod read_pod(json::Value document, Count min_ready_seconds, Time now) {
  const json::Object& object = document.get_object();
  const auto owner = api::controller_of(object);
  return {.name = std::string(api::name_of(object)),
          .uid = std::string(api::uid_of(object)),
          .set_uid = owner ? owner->uid : std::string(),
          .created = time_at(document, {"metadata", "creationTimestamp"}).value_or(Time()),
          .is_available = is_available(document, min_ready_seconds, now),
          .is_deleting = api::is_deleting(object),
          .labels = texts_at(document, {"metadata", "labels"}),
          .annotations = texts_at(document, {"metadata", "annotations"})};
}

}  // namespace slipway::rollout
