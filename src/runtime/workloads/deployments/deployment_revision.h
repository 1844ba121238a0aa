#pragma once

#include "runtime/workloads/deployments/deployment_view.h"

// What a ReplicaSet carries of its Deployment: annotations, revision, name.
namespace slipway::runtime {

inline constexpr std::size_t kMaxRevisionHistory = 2000;  // characters

// The number after those of all old sets.
std::int64_t next_revision(const std::vector<SetView>& sets);

// The annotations that the set of the current template should have: the Deployment's, and the
// revision, which only grows; one that served before keeps its earlier numbers in a list.
Annotations set_annotations(const DeploymentView& deployment, const Annotations& before,
                            std::int64_t revision);
// desired-replicas and max-replicas, by which a resized Deployment is told from one that updates.
void note_sizes(const DeploymentView& deployment, Annotations& annotations);

// What kube-controller-manager labels with, too. Depends on the template and on how many times a
// name was taken by somebody else.
std::string hash_of_template(const json::Value& pod_template, std::int32_t collisions);

// The ReplicaSet of the current template, all of it.
json::Object make_set(const DeploymentView& deployment, std::int64_t replicas,
                      std::int64_t revision);

}  // namespace slipway::runtime
