#pragma once

#include "api/apply/apply.h"

namespace slipway::api {

inline constexpr std::string_view kScaleType = "io.k8s.api.autoscaling.v1.Scale";

// Server-side apply of the Scale `config` to the object `live` of a kind that has one: the Scale
// after it, owners included. `schema` is the Scale's. Errors: as server_side_apply.
Result<json::Object> apply_scale(const json::Object& live, const json::Object& config,
                                 const Resource& resource, const Schema& schema,
                                 const Writer& writer, const ApplyOptions& options);

// Gives `object` the owners of its replicas that the applied `scale` says.
Result<> take_scale_owners(json::Object& object, const json::Object& scale,
                           const Resource& resource);

}  // namespace slipway::api
