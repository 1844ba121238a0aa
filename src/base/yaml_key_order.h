#pragma once

#include <vector>

#include "base/json.h"

namespace slipway::yaml {

// The members in the order in which go-yaml v2 writes them: letters after all else, numbers inside
// keys by value ("port2" before "port10"). Private to base/.
std::vector<const boost::json::key_value_pair*> in_key_order(const json::Object& object);

}  // namespace slipway::yaml
