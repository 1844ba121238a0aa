#pragma once

#include <string>
#include <vector>

#include "api/registry.h"

// OpenAPI documents of the served kinds, from their schemas. Pure; server/ caches them by
// Registry::version().
namespace slipway::api {

// Groups and versions that have a v3 document: "api/v1", "apis/apps/v1", …
std::vector<std::string> openapi_v3_paths(const Registry& registry);
// The document of one of them; null value when unknown.
json::Value openapi_v3(const Registry& registry, std::string_view path);
// Everything in one Swagger 2.0 document.
json::Value openapi_v2(const Registry& registry);

// One schema as OpenAPI v3 (structural when `crd`: inlined, no $ref), as CRDs hold it.
json::Value openapi_schema(const Schema& schema, bool crd);
// The CustomResourceDefinition of one of our kinds, for deploy/crds.
json::Object crd_of(const Resource& resource);

}  // namespace slipway::api
