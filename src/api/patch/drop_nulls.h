#pragma once

#include "base/json.h"

namespace slipway::api {

// Removes the members that are null from an object and from everything inside it. Nulls that are
// items of lists are values, and stay.
void drop_nulls(json::Value& value);

}  // namespace slipway::api
