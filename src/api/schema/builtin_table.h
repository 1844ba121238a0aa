#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/registry.h"

namespace slipway::api {

// The root schema of each kind in a table.
using KindSchemas = std::map<Gvk, const Schema*>;

// Reads a table of types (src/api/schema/builtin.table tells its format) and adds them to
// `schemas`. Errors: kInvalid with the line.
Result<KindSchemas> read_table(std::string_view text, SchemaSet& schemas);

// The table this program carries: Kubernetes' own kinds and those of the Gateway API.
std::string_view builtin_table();

}  // namespace slipway::api
