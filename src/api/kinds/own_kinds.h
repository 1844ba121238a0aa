#pragma once

#include <vector>

#include "api/registry.h"

namespace slipway::api {

// The kinds of the dialects slipway speaks (Argo Rollouts, Flagger), complete: schema, columns,
// subresources, rules. Their schemas are built from their C++ structs and added to `schemas`, which
// already holds Kubernetes' own types by their OpenAPI names
// (`io.k8s.api.core.v1.PodTemplateSpec`).
std::vector<Resource> own_kinds(SchemaSet& schemas);

}  // namespace slipway::api
