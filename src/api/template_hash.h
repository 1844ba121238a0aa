#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

// What Argo's controllers tell Pod templates and canary steps apart by. Pure.
//
// Hashes agree with those of Argo built on Kubernetes 1.34 and later. A template is hashed as
// written: no defaults are filled in first.
namespace slipway::api {

// `collisions` is the count in the owner's status, absent while there was none. `salt` is hashed
// along, so that equal templates of different owners can be told apart. A label
// rollouts-pod-template-hash does not count.
std::string template_hash(const json::Object& pod_template,
                          std::optional<std::int32_t> collisions = {}, std::string_view salt = {});

// Of spec.strategy.canary.steps; null when there are none.
std::string steps_hash(const json::Value& steps);

// The JSON that template_hash reads: Go's fields in Go's order, maps sorted, what is empty left
// out.
std::string template_text(const json::Object& pod_template);

// Equal once Kubernetes' defaults are filled in on both sides: one as written, say, and one out of
// a ReplicaSet. The hash label and the deprecated serviceAccount do not count.
bool same_template(const json::Object& a, const json::Object& b);

}  // namespace slipway::api
