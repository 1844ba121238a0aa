#include <fmt/format.h>

#include "api/object.h"
#include "store/embedded/decide.h"
#include "store/embedded/wording.h"

namespace slipway::store {

namespace {

void set_scheduled(json::Value& pod, Time now) {
  json::Value& conditions = json::object_at(pod, {"status"})["conditions"];
  if (!conditions.is_array()) conditions = json::Array();
  json::Object scheduled{{"type", "PodScheduled"},
                         {"status", "True"},
                         {"lastProbeTime", nullptr},
                         {"lastTransitionTime", format_time(now)}};
  for (json::Value& condition : conditions.get_array()) {
    if (json::string_at(condition, {"type"}) != "PodScheduled") continue;
    condition = std::move(scheduled);
    return;
  }
  conditions.get_array().push_back(std::move(scheduled));
}

}  // namespace

Result<Decision> decide_bind(const json::Object& binding, const json::Object& live,
                             const Request& request) {
  const std::string_view name = api::name_of(live);
  const json::Value asked(binding);
  const std::string_view node = json::string_at(asked, {"target", "name"});
  if (node.empty())
    return fail(ErrorCode::kInvalid,
                fmt::format("Binding \"{}\" is invalid: target.name: Required value", name));
  if (const auto uid = api::uid_of(binding); !uid.empty() && uid != api::uid_of(live))
    return conflict(
        "pods/binding", name,
        fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid,
                    api::uid_of(live)));
  if (api::is_deleting(live))
    return conflict("pods/binding", name,
                    fmt::format("pod {} is being deleted, cannot be assigned to a host", name));
  json::Value pod(live);
  json::Object& spec = json::object_at(pod, {"spec"});
  if (const auto taken = json::string_at(pod, {"spec", "nodeName"}); !taken.empty())
    return conflict("pods/binding", name,
                    fmt::format("pod {} is already assigned to node \"{}\"", name, taken));
  spec["nodeName"] = node;
  set_scheduled(pod, request.now);
  return Decision{Outcome::kPut, std::move(pod.as_object())};
}

}  // namespace slipway::store
