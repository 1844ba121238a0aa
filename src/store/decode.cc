#include "store/decode.h"

#include <fmt/format.h>

namespace slipway::store {

Result<json::Object> decode(const Item& item) {
  // It is in memory as it is, so its size is no concern any more.
  Result<json::Value> value =
      json::read(*item.bytes, {.max_bytes = item.bytes->size() + 1, .max_depth = kMaxReadDepth});
  if (value && value->is_object()) return std::move(value->get_object());
  return fail(ErrorCode::kInternal,
              fmt::format("{}/{} cannot be read: {}", item.key.ns, item.key.name,
                          value ? "it is no object" : value.error().text()));
}

}  // namespace slipway::store
