#pragma once

#include <string_view>

#include "api/schema/schema.h"

// The three classic patch types, pure. Server-side apply is in api/apply/apply.h.
namespace slipway::api {

inline constexpr std::size_t kMaxPatchOperations = 10'000;

inline constexpr std::size_t kMaxPatchCopyBytes =
    3 * 1024 * 1024;  // that "copy" operations may add, all together

// Elements that insertions and removals may shift, all together: a few hundred milliseconds.
inline constexpr std::int64_t kMaxPatchSteps = 50'000'000;

// RFC 6902 as the API server does it: negative indexes count from the end, "replace" of a missing
// key adds it. Errors: kBadRequest when it is no list of operations, kTooLarge for too many or for
// more work than kMaxPatchSteps, else
// kInvalid with the one text the API server has for operations that do not apply.
Result<json::Value> json_patch(json::Value document, const json::Value& patch);

// RFC 7386. Errors: kBadRequest when the patch is no object.
Result<json::Value> merge_patch(json::Value document, const json::Value& patch);

// Kubernetes' strategic merge: lists by merge key, $patch, $setElementOrder,
// $deleteFromPrimitiveList, $retainKeys. Errors: kBadRequest for malformed directives, kInvalid for
// lists of lists, kInternal for patches that do not fit the schema (the API server answers those
// with 500, the text as it is and no reason).
Result<json::Value> strategic_merge_patch(json::Value document, const json::Value& patch,
                                          const Schema& schema);

}  // namespace slipway::api
