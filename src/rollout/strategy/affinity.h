#pragma once

#include "rollout/situation.h"

// Pods of an update kept off the nodes of the stable ones, where the strategy asks for it. Pure.
namespace slipway::rollout {

// Adds the rule to a Pod template of the set `hash`. None for the stable set, and for the first.
void add_affinity(const argo::Rollout& rollout, const std::string& hash, const std::string& ns,
                  json::Value& pod_template);

// A merge patch of the set's template that brings its rule up to date; null when it is.
json::Value affinity_patch(const argo::Rollout& rollout, const ReplicaSet& set,
                           const std::string& ns);

}  // namespace slipway::rollout
