#pragma once

#include "store/store.h"

namespace slipway::store {

// How deep an object may be nested as it is kept, its managedFields included: in a list, a Table or
// an event it is still within what every reader here takes (json::kMaxDepth).
inline constexpr std::size_t kMaxObjectDepth = json::kMaxDepth - 4;
// How deep objects of others, a cluster's, are read.
inline constexpr std::size_t kMaxReadDepth = 1000;

// The document of an item. kInternal when it is none, or deeper than kMaxReadDepth: what others
// have written is no bug of ours.
Result<json::Object> decode(const Item& item);

}  // namespace slipway::store
