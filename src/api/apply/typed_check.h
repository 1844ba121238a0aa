#pragma once

#include "api/schema/schema.h"

namespace slipway::api {

// Does an applied configuration fit its type: no unknown fields, values of the right form, no item
// twice? The finding is worded as structured-merge-diff words it: `.spec.foo: field not declared in
// schema`.
Result<> check_config(const json::Object& config, const Schema* schema);

}  // namespace slipway::api
