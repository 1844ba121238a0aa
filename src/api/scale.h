#pragma once

#include "api/registry.h"
#include "api/rules/validate.h"

// The scale subresource (autoscaling/v1 Scale) of kinds that have one.
namespace slipway::api {

// The Scale of an object. Resource.scale must be set.
json::Object scale_of(const json::Object& object, const Resource& resource);
// Whether the object says how many it wants.
bool has_replicas(const json::Object& object, const Resource& resource);
// What a custom object holds where its kind says that replicas and selector are: whole numbers from
// 0 to those of 32 bits, and text. Beside what the schema finds; nothing for kinds without a scale.
void check_scale(const json::Object& object, const Resource& resource, Findings& findings);
// Writes scale.spec.replicas into the object; a Scale without it asks for zero. Errors: kInvalid
// when it is negative, kBadRequest when it is no whole number.
Result<> set_scale(json::Object& object, const json::Object& scale, const Resource& resource);

}  // namespace slipway::api
