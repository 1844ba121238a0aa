#pragma once

#include "api/schema/schema.h"

namespace slipway::api {

// A schema written out in full, as a CustomResourceDefinition holds it: no references, quantities
// and the like as int-or-string. A type inside itself is cut short: anything goes below.
json::Object structural_schema(const Schema& schema);

// A structural schema as Swagger 2.0 takes it: without junctors and null, and with nothing said of
// what may hold unknown fields, so that older kubectl does not refuse them.
void simplify_for_v2(json::Object& schema);

}  // namespace slipway::api
