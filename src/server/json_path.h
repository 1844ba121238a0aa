#pragma once

#include "lang/json_path/json_path.h"  // IWYU pragma: export

namespace slipway::server {

// What printer columns and `wait --for=jsonpath` look things up with.
using lang::JsonPath;

}  // namespace slipway::server
