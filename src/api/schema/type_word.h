#pragma once

#include <string_view>

#include "api/schema/schema.h"

namespace slipway::api {

// The type of JSON schema that a shape is written as: object, array, integer, number, boolean,
// string, or "integer,string" where both are taken.
std::string_view type_word(Shape shape);

}  // namespace slipway::api
