#pragma once

#include "api/patch/patch_meta.h"

// Lists under a strategic merge: by merge key, or as sets of scalars.
namespace slipway::api {

// `deletes`: the patch names scalars to remove ($deleteFromPrimitiveList). Lists without a merge
// strategy are replaced.
Result<json::Array> merge_list(const json::Array& live, const json::Array& patch,
                               const PatchMeta& meta, bool deletes,
                               json::Array* order_after = nullptr);

// The items of the patch must come in the order that $setElementOrder gives.
Result<> check_order(const json::Array& patch, const json::Array& order,
                     const std::string& merge_key);

// Items named in `order` in that order, the others between them where the live list had them.
Result<json::Array> order_list(json::Array merged, const json::Array& order,
                               const json::Array& live, const json::Array& patch,
                               const std::string& merge_key);

// Defined with the rest of the merge; lists of maps come back to it.
Result<json::Object> merge_map(json::Object document, json::Object patch, const Schema* schema);

}  // namespace slipway::api
