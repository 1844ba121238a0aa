#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "runtime/workloads/jobs/job_controller.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kIndexVariable = "JOB_COMPLETION_INDEX";

// Containers read their index from a variable, unless they have one of that name.
void add_variable(json::Object& container) {
  json::Value& list = container["env"];
  if (!list.is_array()) list = json::Array();
  for (const json::Value& variable : list.get_array())
    if (json::string_at(variable, {"name"}) == kIndexVariable) return;
  const std::string path = fmt::format("metadata.labels['{}']", kIndexAnnotation);
  list.get_array().push_back(
      json::Object{{"name", kIndexVariable},
                   {"valueFrom", json::Object{{"fieldRef", json::Object{{"fieldPath", path}}}}}});
}

void set_index(json::Value& pod, const std::string& job, std::int64_t index) {
  const std::string number = std::to_string(index);
  json::object_at(pod, {"metadata", "annotations"})[kIndexAnnotation] = number;
  json::object_at(pod, {"metadata", "labels"})[kIndexAnnotation] = number;
  json::object_at(pod, {"metadata"})["generateName"] = fmt::format("{}-{}-", job, number);
  json::Object& spec = json::object_at(pod, {"spec"});
  spec["hostname"] = fmt::format("{}-{}", job, number);
  for (const std::string_view list : {"initContainers", "containers"})
    if (json::Value* containers = spec.if_contains(list); containers && containers->is_array())
      for (json::Value& container : containers->get_array())
        if (container.is_object()) add_variable(container.get_object());
}

}  // namespace

json::Object pod_of_job(const json::Object& job, std::optional<std::int64_t> index) {
  json::Value pod = pod_from_template(job);
  auto finalizers = api::finalizers_of(pod.get_object());
  if (std::ranges::find(finalizers, kTrackingFinalizer) == finalizers.end())
    finalizers.emplace_back(kTrackingFinalizer);
  api::set_finalizers(pod.get_object(), finalizers);
  if (index) set_index(pod, std::string(api::name_of(job)), *index);
  return std::move(pod.get_object());
}

}  // namespace slipway::runtime
