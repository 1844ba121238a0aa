#include "experiment/seen.h"

#include "api/kinds/argo_names.h"

namespace slipway::experiment {

namespace {

std::int32_t number_at(const json::Value& document, std::string_view part, std::string_view field,
                       std::int32_t missing = 0) {
  const json::Value* value = json::at(document, {part, field});
  return value != nullptr && value->is_int64() ? static_cast<std::int32_t>(value->get_int64())
                                               : missing;
}

json::Object object_in(const json::Value& document, std::initializer_list<std::string_view> path) {
  const json::Value* value = json::at(document, path);
  return value != nullptr && value->is_object() ? value->get_object() : json::Object();
}

std::optional<Time> time_of(std::string_view text) {
  auto time = parse_time(text);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

Identity identity_of(const json::Object& experiment) {
  Identity who{.ns = std::string(api::namespace_of(experiment)),
               .name = std::string(api::name_of(experiment)),
               .uid = std::string(api::uid_of(experiment))};
  const json::Value document(experiment);
  who.instance_id = json::string_at(document, {"metadata", "labels", api::argo::kInstanceIdLabel});
  if (auto owner = api::controller_of(experiment); owner && owner->kind == "Rollout")
    who.rollout = std::move(owner);
  return who;
}

ReplicaSetSeen replica_set_seen(const json::Object& object) {
  const json::Value document(object);
  ReplicaSetSeen seen{.name = std::string(api::name_of(object)),
                      .uid = std::string(api::uid_of(object)),
                      .labels = object_in(document, {"metadata", "labels"}),
                      .selector = object_in(document, {"spec", "selector"}),
                      .pod_template = object_in(document, {"spec", "template"}),
                      .wanted = number_at(document, "spec", "replicas", 1),
                      .min_ready_seconds = number_at(document, "spec", "minReadySeconds"),
                      .replicas = number_at(document, "status", "replicas"),
                      .ready = number_at(document, "status", "readyReplicas"),
                      .available = number_at(document, "status", "availableReplicas"),
                      .is_observed = number_at(document, "status", "observedGeneration") >=
                                     api::generation_of(object),
                      .deleting = api::is_deleting(object)};
  seen.hash = json::string_at(document, {"metadata", "labels", api::argo::kHashLabel});
  const std::string_view deadline = api::annotation_of(object, api::argo::kScaleDownDeadline);
  seen.has_deadline = !deadline.empty();
  seen.deadline = time_of(deadline);
  seen.created = time_of(json::string_at(document, {"metadata", "creationTimestamp"}));
  return seen;
}

ServiceSeen service_seen(const json::Object& object) {
  return {.name = std::string(api::name_of(object)),
          .uid = std::string(api::uid_of(object)),
          .selector = object_in(json::Value(object), {"spec", "selector"}),
          .deleting = api::is_deleting(object)};
}

RunSeen run_seen(const json::Object& object) {
  const json::Value document(object);
  const json::Value* terminate = json::at(document, {"spec", "terminate"});
  return {.phase = std::string(json::string_at(document, {"status", "phase"})),
          .message = std::string(json::string_at(document, {"status", "message"})),
          .attempt = std::string(api::annotation_of(object, api::argo::kAttempt)),
          .terminate = terminate != nullptr && terminate->is_bool() && terminate->get_bool()};
}

std::string template_of(const json::Object& document, const Identity& experiment) {
  const auto owner = api::controller_of(document);
  if (!owner || owner->uid != experiment.uid) return {};
  if (api::annotation_of(document, api::argo::kExperimentName) != experiment.name) return {};
  return std::string(api::annotation_of(document, api::argo::kExperimentTemplate));
}

}  // namespace slipway::experiment
