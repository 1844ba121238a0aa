#include "store/embedded/definitions.h"

#include <algorithm>

#include "api/object.h"

namespace slipway::store {

json::Object terminating_definition(const json::Object& live, Time now) {
  json::Value value = live;
  json::Object& object = value.as_object();
  api::metadata_of(object)["deletionTimestamp"] = format_time(now);
  std::vector<std::string> finalizers = api::finalizers_of(object);
  if (std::ranges::find(finalizers, kCleanupFinalizer) == finalizers.end()) {
    finalizers.emplace_back(kCleanupFinalizer);
  }
  api::set_finalizers(object, finalizers);

  json::Value& conditions = json::object_at(value, {"status"})["conditions"];
  if (!conditions.is_array()) conditions = json::Array();
  json::Object terminating{
      {"type", "Terminating"},
      {"status", "True"},
      {"lastTransitionTime", format_time(now)},
      {"reason", "InstanceDeletionPending"},
      {"message",
       "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"}};
  for (json::Value& condition : conditions.as_array()) {
    if (json::string_at(condition, {"type"}) == "Terminating") {
      condition = std::move(terminating);
      return std::move(object);
    }
  }
  conditions.as_array().push_back(std::move(terminating));
  return std::move(object);
}

Decision release_definition(const json::Object& live) {
  json::Object object = live;
  std::vector<std::string> finalizers = api::finalizers_of(object);
  std::erase(finalizers, kCleanupFinalizer);
  if (finalizers.empty()) {
    json::erase(api::metadata_of(object), "finalizers");
    return {Outcome::kErase, std::move(object)};
  }
  api::set_finalizers(object, finalizers);
  return {Outcome::kPut, std::move(object)};
}

}  // namespace slipway::store
