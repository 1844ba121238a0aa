#pragma once

#include <string_view>

#include "api/schema.h"

// The three classic patch types, pure. Server-side apply is in api/apply.h.
namespace slipway::api {

inline constexpr std::size_t kMaxPatchOperations = 10'000;

// RFC 6902. Errors: kInvalid with the operation's index and path, worded as the API server does.
Result<json::Value> json_patch(json::Value document, const json::Value& patch);

// RFC 7386.
json::Value merge_patch(json::Value document, const json::Value& patch);

// Kubernetes' strategic merge: lists by merge key, $patch, $setElementOrder, $deleteFromPrimitiveList, $retainKeys.
// Errors: kInvalid when the patch does not fit the schema.
Result<json::Value> strategic_merge_patch(json::Value document, const json::Value& patch, const Schema& schema);

}  // namespace slipway::api
