#pragma once

#include <span>
#include <string_view>

#include "base/json.h"

namespace slipway::json {

// Reads an object without the named members, be they its own or those of its members: whoever wants
// a little of a big document need not build the rest. What is left out is not checked beyond its
// quotes, brackets and depth. Errors as read's.
Result<Object> skim(std::string_view text, std::span<const std::string_view> left_out,
                    const ReadOptions& options = {});

}  // namespace slipway::json
