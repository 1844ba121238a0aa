#pragma once

#include <string_view>

#include "base/json.h"

namespace slipway::metrics {

// The `data` of a GraphQL answer. Errors: what its `errors` say, "graphql: …" (kInvalid; an answer
// in part is none), or a body that is no such answer.
Result<json::Value> read_graphql(std::string_view body);

}  // namespace slipway::metrics
