#include "control/pod_problem.h"

#include "api/object.h"

namespace slipway::control {

namespace {

// Of the first container that has something to say.
std::string_view said_in(const json::Value& pod, json::Path path) {
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

}  // namespace slipway::control
