#pragma once

#include "api/openapi/openapi_types.h"
#include "api/registry.h"

namespace slipway::api {

// Adds the URLs of a kind with their operations to `paths`. `type` is the name of its component,
// `list` that of its list.
void write_paths(const Resource& resource, std::string_view type, std::string_view list,
                 TypeWriter& types, OpenApi version, json::Object& paths);

// "/api/v1" or "/apis/apps/v1".
std::string group_version_url(const Gvk& gvk);

}  // namespace slipway::api
