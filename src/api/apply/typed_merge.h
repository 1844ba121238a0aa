#pragma once

#include "api/apply/field_set.h"

namespace slipway::api {

// `config` laid over `live`: leaves of config win, nothing is removed, list-maps and sets are
// merged by element and ordered as config orders them. Errors: kInvalid when an item has no key.
Result<json::Object> merge_objects(const json::Object& live, const json::Object& config,
                                   const Schema* schema);

// `object` without the fields and items in `set`. Containers that end up empty become null, as
// Kubernetes leaves them.
json::Object remove_fields(const json::Object& object, const FieldSet& set, const Schema* schema);

}  // namespace slipway::api
