#pragma once

#include "api/rules/validate.h"
#include "api/schema/field_path.h"

namespace slipway::api {

// Items of a set, and the keys of a list of type map, are there once.
void check_list_keys(const json::Array& list, const Schema& schema, const FieldPath& path,
                     Findings& findings);

}  // namespace slipway::api
