#pragma once

#include "base/json.h"

namespace slipway::json {

// Whether objects and arrays are nested at most `levels` deep; a scalar is 0 deep, {} is 1. Looks
// no deeper than that.
bool nested_within(const Value& value, std::size_t levels);
bool nested_within(const Object& object, std::size_t levels);

}  // namespace slipway::json
