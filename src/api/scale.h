#pragma once

#include "api/registry.h"

// The scale subresource (autoscaling/v1 Scale) of kinds that have one.
namespace slipway::api {

// The Scale of an object. Resource.scale must be set.
json::Object scale_of(const json::Object& object, const Resource& resource);
// Writes scale.spec.replicas into the object. kInvalid when it is missing or negative.
Result<> set_scale(json::Object& object, const json::Object& scale, const Resource& resource);

}  // namespace slipway::api
