#include "experiment/objects.h"

#include <fmt/format.h>

#include "api/kinds/argo_names.h"
#include "api/selector.h"
#include "api/template_hash.h"

namespace slipway::experiment {

namespace {

using namespace api::argo;

json::Object pod_template_of(const TemplateSpec& variant) {
  return variant.template_.value.is_object() ? variant.template_.value.get_object()
                                             : json::Object();
}

json::Object selector_of(const TemplateSpec& variant) {
  return variant.selector && variant.selector->value.is_object()
             ? variant.selector->value.get_object()
             : json::Object();
}

json::Object with_hash(json::Object selector, std::string_view hash) {
  json::Value value(std::move(selector));
  json::object_at(value, {"matchLabels"})[kHashLabel] = hash;
  return std::move(value.get_object());
}

json::Object metadata_of(const Identity& experiment, std::string_view name,
                         std::string_view template_name) {
  return {{"name", name},
          {"namespace", experiment.ns},
          {"annotations",
           json::Object{{kExperimentName, experiment.name}, {kExperimentTemplate, template_name}}}};
}

struct Port {
  std::string protocol = "TCP";
  std::int64_t number = 0;
  std::string name = {};
};

std::vector<Port> ports_of(const json::Object& pod_template) {
  std::vector<Port> ports;
  const json::Value value(pod_template);
  const json::Value* containers = json::at(value, {"spec", "containers"});
  if (containers == nullptr || !containers->is_array()) return ports;
  for (const json::Value& container : containers->get_array()) {
    const json::Value* listed = json::at(container, {"ports"});
    if (listed == nullptr || !listed->is_array()) continue;
    for (const json::Value& one : listed->get_array()) {
      const json::Value* number = json::at(one, {"containerPort"});
      if (number == nullptr || !number->is_int64()) continue;
      Port port{.number = number->get_int64(), .name = std::string(json::string_at(one, {"name"}))};
      if (const auto protocol = json::string_at(one, {"protocol"}); !protocol.empty())
        port.protocol = protocol;
      const auto same = [&](const Port& other) {
        return other.number == port.number && other.protocol == port.protocol;
      };
      if (std::ranges::none_of(ports, same)) ports.push_back(std::move(port));
    }
  }
  return ports;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

json::Array service_ports(const std::vector<Port>& ports) {
  json::Array out;
  for (const Port& port : ports) {
    json::Object made{
        {"protocol", port.protocol}, {"port", port.number}, {"targetPort", port.number}};
    if (!port.name.empty())
      made["name"] = port.name;
    else if (ports.size() > 1)
      made["name"] = fmt::format("{}-{}", lower(port.protocol), port.number);
    out.push_back(std::move(made));
  }
  return out;
}

// By what they select: what is stored has lost its empty lists.
bool same_selector(const json::Value& a, const json::Value& b) {
  const auto one = api::read_label_selector(a), other = api::read_label_selector(b);
  return one && other ? api::to_string(*one) == api::to_string(*other) : json::same(a, b);
}

}  // namespace

std::string replica_set_name(const Identity& experiment, const TemplateSpec& variant) {
  return experiment.name + "-" + variant.name;
}

std::string hash_of(const Identity& experiment, const TemplateSpec& variant,
                    std::optional<std::int32_t> collisions) {
  const std::string salt =
      experiment.rollout ? fmt::format("\n{}\n{}", experiment.name, variant.name) : std::string();
  return api::template_hash(pod_template_of(variant), collisions, salt);
}

json::Object replica_set_of(const Identity& experiment, const TemplateSpec& variant,
                            std::optional<std::int32_t> collisions) {
  const std::string hash = hash_of(experiment, variant, collisions);
  json::Value pod_template(pod_template_of(variant));
  json::Object& labels = json::object_at(pod_template, {"metadata", "labels"});
  labels[kHashLabel] = hash;
  json::Object metadata =
      metadata_of(experiment, replica_set_name(experiment, variant), variant.name);
  metadata["labels"] = labels;
  json::Object spec{{"replicas", 0},
                    {"selector", with_hash(selector_of(variant), hash)},
                    {"template", std::move(pod_template)}};
  if (variant.min_ready_seconds != 0) spec["minReadySeconds"] = variant.min_ready_seconds;
  json::Object made{{"apiVersion", "apps/v1"},
                    {"kind", "ReplicaSet"},
                    {"metadata", std::move(metadata)},
                    {"spec", std::move(spec)}};
  api::set_owners(made, {reference_to(experiment)});
  return made;
}

// The hash alone is not enough: a ReplicaSet that another release of Argo made of the same template
// has another one. The template alone is not either: a cluster may change what it is given.
bool is_edited(const Identity& experiment, const TemplateSpec& variant,
               std::optional<std::int32_t> collisions, const ReplicaSetSeen& seen) {
  if (!same_selector(json::Value(seen.selector),
                     json::Value(with_hash(selector_of(variant), seen.hash))))
    return true;
  return seen.hash != hash_of(experiment, variant, collisions) &&
         !api::same_template(seen.pod_template, pod_template_of(variant));
}

std::string service_name(const Identity& experiment, const TemplateSpec& variant) {
  return variant.service && !variant.service->name.empty() ? variant.service->name
                                                           : replica_set_name(experiment, variant);
}

std::optional<json::Object> service_of(const Identity& experiment, const TemplateSpec& variant,
                                       const ReplicaSetSeen& replica_set) {
  const std::vector<Port> ports = ports_of(replica_set.pod_template);
  if (ports.empty()) return std::nullopt;
  json::Object made{
      {"apiVersion", "v1"},
      {"kind", "Service"},
      {"metadata", metadata_of(experiment, service_name(experiment, variant), variant.name)},
      {"spec", json::Object{{"selector", replica_set.labels}, {"ports", service_ports(ports)}}}};
  api::set_owners(made, {reference_to(experiment)});
  return made;
}

Result<lang::Tags> tags_of(const ExperimentSpec& spec, const ExperimentStatus& status,
                           const Observed& observed) {
  lang::Tags tags;
  for (const TemplateSpec& variant : spec.templates) {
    const auto seen = observed.replica_sets.find(variant.name);
    if (seen == observed.replica_sets.end()) continue;
    const std::string prefix = "templates." + variant.name;
    tags[prefix + ".podTemplateHash"] = seen->second.hash;
    tags[prefix + ".replicaset.name"] = seen->second.name;
  }
  if (!status.available_at) return tags;
  tags["experiment.availableAt"] = format_time(*status.available_at);
  if (spec.duration.empty()) return tags;
  const auto duration = spec.duration.value();
  if (!duration) return std::unexpected(duration.error());
  tags["experiment.finishedAt"] = format_time(*status.available_at + *duration);
  return tags;
}

api::OwnerReference reference_to(const Identity& experiment) {
  return {.api_version = std::string(kApiVersion),
          .kind = "Experiment",
          .name = experiment.name,
          .uid = experiment.uid,
          .controller = true,
          .block_owner_deletion = true};
}

}  // namespace slipway::experiment
