#include "rollout/objects/children.h"

#include "api/kinds/argo_names.h"
#include "rollout/objects/fields.h"

namespace slipway::rollout {

std::string Service::hash() const {
  const auto found = selector.find(std::string(argo::kHashLabel));
  return found == selector.end() ? std::string() : found->second;
}

Service read_service(const json::Value& document) {
  const json::Object& object = document.get_object();
  return {.name = std::string(api::name_of(object)),
          .selector = texts_at(document, {"spec", "selector"}),
          .managed_by = std::string(api::annotation_of(object, argo::kManagedBy))};
}

bool Child::is_completed() const {
  return phase == "Successful" || phase == "Failed" || phase == "Error" || phase == "Inconclusive";
}

bool Child::has_passed() const { return phase == "Successful" && !is_dropped; }

Child read_child(const json::Value& document) {
  const json::Object& object = document.get_object();
  const json::Value* terminate = json::at(document, {"spec", "terminate"});
  return {.name = std::string(api::name_of(object)),
          .uid = std::string(api::uid_of(object)),
          .phase = std::string(json::string_at(document, {"status", "phase"})),
          .message = std::string(json::string_at(document, {"status", "message"})),
          .hash = label_of(object, argo::kHashLabel),
          .type = label_of(object, argo::kRolloutTypeLabel),
          .step_index = label_of(object, argo::kStepIndexLabel),
          .is_terminated = terminate && terminate->is_bool() && terminate->get_bool(),
          .is_dropped = api::annotation_of(object, argo::kDropped) == "true",
          .is_deleting = api::is_deleting(object),
          .created = time_at(document, {"metadata", "creationTimestamp"}).value_or(Time())};
}

Experiment read_experiment(const json::Value& document) {
  Experiment experiment{read_child(document)};
  const json::Value* templates = json::at(document, {"status", "templateStatuses"});
  if (!templates || !templates->is_array()) return experiment;
  for (const json::Value& status : templates->get_array())
    experiment.templates.push_back(
        {.name = std::string(json::string_at(status, {"name"})),
         .service_name = std::string(json::string_at(status, {"serviceName"})),
         .hash = std::string(json::string_at(status, {"podTemplateHash"}))});
  return experiment;
}

}  // namespace slipway::rollout
