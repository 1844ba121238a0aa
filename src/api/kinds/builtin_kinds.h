#pragma once

#include <vector>

#include "api/schema/builtin_table.h"

namespace slipway::api {

// Kubernetes' own kinds and the Gateway API's that are served, with schemas and rules. Asserts that
// the table has their schemas.
std::vector<Resource> builtin_kinds(const KindSchemas& schemas);

}  // namespace slipway::api
