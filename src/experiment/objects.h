#pragma once

#include "experiment/rules.h"
#include "experiment/seen.h"
#include "lang/args/args.h"

// The objects an Experiment makes. Pure.
namespace slipway::experiment {

// `<experiment>-<template>`: no hash, so that a template has one ReplicaSet at a time.
std::string replica_set_name(const Identity& experiment, const TemplateSpec& variant);
// Of the template as written. In an Experiment of a Rollout the names of Experiment and template
// count too, so that it is neither the Rollout's nor another template's.
std::string hash_of(const Identity& experiment, const TemplateSpec& variant,
                    std::optional<std::int32_t> collisions);

// Without replicas: it is scaled once it is there.
json::Object replica_set_of(const Identity& experiment, const TemplateSpec& variant,
                            std::optional<std::int32_t> collisions);
// Whether the template says something else than when this ReplicaSet was made of it. What a cluster
// fills in by itself does not count.
bool is_edited(const Identity& experiment, const TemplateSpec& variant,
               std::optional<std::int32_t> collisions, const ReplicaSetSeen& seen);

std::string service_name(const Identity& experiment, const TemplateSpec& variant);
// For all ports of all containers, each once. Where there are several, those without a name get
// one, as Kubernetes wants it. None without ports.
std::optional<json::Object> service_of(const Identity& experiment, const TemplateSpec& variant,
                                       const ReplicaSetSeen& replica_set);

// What arguments of analyses may name: templates.x.podTemplateHash and .replicaset.name,
// experiment.availableAt and, with a duration, .finishedAt. kInvalid: the duration is none.
Result<lang::Tags> tags_of(const ExperimentSpec& spec, const ExperimentStatus& status,
                           const Observed& observed);

api::OwnerReference reference_to(const Identity& experiment);

}  // namespace slipway::experiment
