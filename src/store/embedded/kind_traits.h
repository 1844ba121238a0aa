#pragma once

#include "api/registry.h"

// What Kubernetes' registries do differently from kind to kind, as far as it is not in the schema
// or the kind's rules.
namespace slipway::store {

bool is_namespace(const api::Resource& resource);
bool is_pod(const api::Resource& resource);
bool is_definition(const api::Resource& resource);  // CustomResourceDefinition

// Whether metadata.generation is kept. Not for the older core kinds.
bool has_generation(const api::Resource& resource);
// Whether going from `old` to `object` raises the generation.
bool raises_generation(const json::Object& object, const json::Object& old,
                       const api::Resource& resource);

// Whether an update may leave the resourceVersion out.
bool allows_blind_update(const api::Resource& resource);

enum class Dependents { kDelete, kOrphan, kUnsupported };
// What becomes of dependents when a deletion does not say.
Dependents default_dependents(const api::Resource& resource);

}  // namespace slipway::store
