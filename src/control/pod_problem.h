#pragma once

#include <string>

#include "base/json.h"

namespace slipway::control {

// Why a Pod is not ready, as far as its status says; empty when it is, or is on its way out.
std::string why_not_ready(const json::Value& pod);

}  // namespace slipway::control
